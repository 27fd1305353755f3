/// How one dictation differs from the settings: the options of `dictstate start`, or of a key with its own
/// options. It travels in the intent, and then with the dictation. Nil and false: the settings apply.
///
/// ```swift
/// StartOptions(locale: "de-DE", style: "mail")     // dictstate start --locale de-DE --style mail
/// ```
public struct StartOptions: Equatable, Hashable, Sendable {
    /// The key whose `[[hotkey]]` section has the other options, spelled as in the settings. Options that are
    /// given here take precedence.
    public var hotkey: String?
    /// BCP 47, such as `de-DE`.
    public var locale: String?
    /// As in `speech.engine`.
    public var engine: String?
    /// As in `speech.model`.
    public var model: String?
    /// As in `polish.style`.
    public var style: String?
    /// The name of a profile, which is used for any window.
    public var profile: String?
    /// It is removed when it is done.
    public var isPrivate = false
    /// It is typed while the user speaks, even if the settings do not say so.
    public var isLive = false
    /// The dictation is an instruction to change the selected text, not a text of its own.
    public var transform: SelectionChange?

    public init(
        hotkey: String? = nil, locale: String? = nil, engine: String? = nil, model: String? = nil,
        style: String? = nil, profile: String? = nil, isPrivate: Bool = false, isLive: Bool = false,
        transform: SelectionChange? = nil
    ) {
        (self.hotkey, self.locale, self.engine, self.model) = (hotkey, locale, engine, model)
        (self.style, self.profile) = (style, profile)
        (self.isPrivate, self.isLive, self.transform) = (isPrivate, isLive, transform)
    }

    /// These options, and those of another one for all that are missing.
    public func over(_ other: StartOptions) -> StartOptions {
        StartOptions(
            hotkey: hotkey ?? other.hotkey, locale: locale ?? other.locale, engine: engine ?? other.engine,
            model: model ?? other.model, style: style ?? other.style, profile: profile ?? other.profile,
            isPrivate: isPrivate || other.isPrivate, isLive: isLive || other.isLive,
            transform: transform ?? other.transform)
    }

    /// The options in words for people, such as "de-DE, mail"; empty if there are none.
    public var summary: String {
        let words = [locale, engine, model, style, profile].compactMap { $0 }
        let marks = [(isPrivate, "private"), (isLive, "live"), (transform != nil, "transform")]
        return (words + marks.filter(\.0).map(\.1)).joined(separator: ", ")
    }

    /// For recognizing the recording again.
    public var recognition: Intent.RecognitionOptions {
        Intent.RecognitionOptions(engine: engine, model: model, language: locale)
    }
}

/// How the selected text of the focused window is changed.
public enum SelectionChange: Equatable, Hashable, Sendable {
    /// The user says it.
    case spoken
    /// It is known, and nothing is said.
    case fixed(String)
}

/// `true`, or the words.
extension SelectionChange: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self = (try? value.decode(String.self)).map(Self.fixed) ?? .spoken
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .spoken: try value.encode(true)
        case .fixed(let words): try value.encode(words)
        }
    }
}

/// A field that is missing means nothing, so that one version reads what another wrote.
extension StartOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case hotkey, locale, engine, model, style, profile, transform
        case isPrivate = "private"
        case isLive = "live"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? {
            try values.decodeIfPresent(String.self, forKey: key)
        }
        self.init(
            hotkey: try text(.hotkey), locale: try text(.locale), engine: try text(.engine),
            model: try text(.model), style: try text(.style), profile: try text(.profile),
            isPrivate: try values.decodeIfPresent(Bool.self, forKey: .isPrivate) ?? false,
            isLive: try values.decodeIfPresent(Bool.self, forKey: .isLive) ?? false,
            transform: try values.decodeIfPresent(SelectionChange.self, forKey: .transform))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        let texts: [(CodingKeys, String?)] = [
            (.hotkey, hotkey), (.locale, locale), (.engine, engine), (.model, model), (.style, style),
            (.profile, profile),
        ]
        for (key, text) in texts { try values.encodeIfPresent(text, forKey: key) }
        if isPrivate { try values.encode(true, forKey: .isPrivate) }
        if isLive { try values.encode(true, forKey: .isLive) }
        try values.encodeIfPresent(transform, forKey: .transform)
    }
}
