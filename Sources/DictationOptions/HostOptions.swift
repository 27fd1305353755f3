import ArgumentParser
import Desktop
import DesktopX11
import DictationSettings

/// Options about recording; they override the settings.
package struct HostOptions: ParsableArguments {
    @Option(
        help:
            """
            The key to hold or to tap: the X11 name of a key, with modifiers, such as ctrl+alt+d or super+space. (default: \
            host.hotkey of the settings)
            """,
        transform: Hotkey.init(parsing:))
    var hotkey: Hotkey?

    @Flag(help: "Grab no key: dictate only with 'dictstate start' and 'dictstate stop'.")
    var noHotkey = false

    @OptionGroup var microphone: MicrophoneOptions

    package init() {}

    package func validate() throws {
        if hotkey != nil, noHotkey { throw ValidationError("Give --hotkey or --no-hotkey, not both.") }
    }

    /// Whether no option was given.
    package var isEmpty: Bool { hotkey == nil && !noHotkey && microphone.device == nil }

    /// Applies them over the settings, and rejects an invalid hotkey.
    package var preparation: LiveSettings.Preparation {
        let key = noHotkey ? HostSettings.noHotkey : hotkey?.description
        let option = noHotkey ? "--no-hotkey" : "--hotkey"
        let grabsKeys = noHotkey ? false : nil
        let device = microphone.device
        return { loaded throws(SettingsError) in
            loaded.override(\.host.hotkey, "host.hotkey", with: key, by: option)
            loaded.override(\.host.grabsKeys, "host.hotkey", with: grabsKeys, by: option)
            loaded.override(\.audio.device, "audio.device", with: device, by: "--device")
            try loaded.checkHotkey()
        }
    }
}

/// Which microphone, for every command that records.
package struct MicrophoneOptions: ParsableArguments {
    @Option(
        help:
            "The ALSA device to record from; 'arecord -L' lists them. (default: audio.device of the settings)"
    )
    package var device: String?

    package init() {}
}
