import DictationShared
import Foundation

/// A further key for dictation, with its own options.
public struct HotkeySettings: SettingsSection {
    public static let name = "hotkey"
    public static let about = """
        Further keys for dictation: English on F9, German on Shift+F9. Each works like host.hotkey, with its \
        own options for its dictations. dictstate start accepts the same options.
        """
    public static let keys = [
        SettingKey(
            \Self.key, "key", help: "The key, written like host.hotkey.",
            expectation: "the name of a key", allowed: { $0 != HostSettings.noHotkey }),
        SettingKey(
            \Self.locale, "locale",
            help: """
                The spoken language, such as "de-DE", or "auto"; "" as in [speech]. With the engine "auto", an installed model that \
                knows the language is used if speech.model does not.
                """,
            expectation: "a language and a region, such as \"en-US\", \"auto\", or \"\"",
            allowed: { $0.isEmpty || $0.mayNameLanguage }),
        SettingKey(\Self.engine, "engine", help: "As in [speech]."),
        SettingKey(
            \Self.model, "model", help: "The model, as in [speech]; \"\" uses the model that is set there."),
        SettingKey(
            \Self.style, "style",
            help: "How texts are written, as in [polish]; \"\" as the profile or [polish] says."),
        SettingKey(
            \Self.profile, "profile",
            help: """
                The name of a profile to use for any window; "" uses the profile that matches the window.
                """),
        SettingKey(\Self.isPrivate, "private", help: "Keep nothing of its dictations, as in [history]."),
        SettingKey(
            \Self.isLive, "live",
            help: "Type while you speak, even if insert.live is \"off\"; then by segments."),
        SettingKey(
            \Self.transform, "transform",
            help: """
                Change the selected text: true takes the instruction that you say while you hold the key; a \
                text such as "make this shorter" is the instruction, and a press of the key is enough.
                """,
            allowed: { $0 != .fixed("") }),
    ]

    /// The desktop library knows whether there is such a key.
    public var key = ""
    public var locale = ""
    public var engine = ProfileValue<SpeechEngine>.usual
    public var model = ""
    public var style = ""
    public var profile = ""
    public var isPrivate = false
    public var isLive = false
    public var transform: SelectionChange?

    public init() {}

    /// The options of its dictations that differ from the settings.
    public var options: StartOptions {
        let named = { (text: String) in text.isEmpty ? nil : text }
        return StartOptions(
            locale: named(locale), engine: engine.value?.rawValue, model: named(model), style: named(style),
            profile: named(profile), isPrivate: isPrivate, isLive: isLive, transform: transform)
    }

    /// The key of the file that has no effect together with `transform`; nil if there is none.
    public var idleKey: String? {
        guard let transform else { return nil }
        let ofText = [("style", !style.isEmpty), ("profile", !profile.isEmpty), ("live", isLive)]
        let ofSpeech = [
            ("locale", !locale.isEmpty), ("engine", engine.value != nil), ("model", !model.isEmpty),
        ]
        return (ofText + (transform == .spoken ? [] : ofSpeech)).first(where: \.1)?.0
    }
}

extension SelectionChange?: SettingValue {
    public static var expectation: String { "true, false, or an instruction, as a string" }

    public init?(toml: TOMLValue) {
        switch toml {
        case .boolean(let isSpoken): self = isSpoken ? .spoken : nil
        case .string(let words): self = .fixed(words.trimmingCharacters(in: .whitespacesAndNewlines))
        default: return nil
        }
    }

    public var toml: String {
        switch self {
        case nil: false.toml
        case .spoken?: true.toml
        case .fixed(let words)?: words.toml
        }
    }
}

extension Settings {
    /// All keys with options of their own: `transform.hotkey` is one as well.
    public var furtherKeys: [HotkeySettings] {
        guard transform.hotkey != HostSettings.noHotkey else { return hotkeys }
        var key = HotkeySettings()
        (key.key, key.transform) = (transform.hotkey, .spoken)
        return hotkeys + [key]
    }
}
