import Desktop
import DesktopX11
import DictationSettings

extension HostSettings {
    /// The key to grab; nil for none.
    package func parsedHotkey() throws(Hotkey.ParseError) -> Hotkey? {
        hotkey == Self.noHotkey ? nil : try Hotkey(parsing: hotkey)
    }
}

extension InsertSettings {
    /// The key to grab for held texts; nil for none.
    package func parsedHeldHotkey() throws(Hotkey.ParseError) -> Hotkey? {
        heldHotkey == HostSettings.noHotkey ? nil : try Hotkey(parsing: heldHotkey)
    }
}

extension LoadedSettings {
    /// Refuses a hotkey of held texts that is none, where it is written.
    package func checkHeldHotkey() throws(SettingsError) {
        do {
            _ = try values.insert.parsedHeldHotkey()
        } catch {
            throw problem(with: "insert.held-hotkey", "\(error)")
        }
    }

    /// Refuses a hotkey that is none, where it is written.
    package func checkHotkey() throws(SettingsError) {
        do {
            _ = try values.host.parsedHotkey()
        } catch {
            throw problem(with: "host.hotkey", "\(error)")
        }
    }
}
