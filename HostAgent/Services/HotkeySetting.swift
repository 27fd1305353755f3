import DictationDesktop
import DictationSettings

extension HostSettings {
    /// The key to grab; nil for none.
    package func parsedHotkey() throws(Hotkey.ParseError) -> Hotkey? {
        hotkey == Self.noHotkey ? nil : try Hotkey(parsing: hotkey)
    }
}

extension LoadedSettings {
    /// Refuses a hotkey that is none, where it is written.
    package func checkHotkey() throws(SettingsError) {
        do {
            _ = try values.host.parsedHotkey()
        } catch {
            throw problem(with: "host.hotkey", "\(error)")
        }
    }
}
