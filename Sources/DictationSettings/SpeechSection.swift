/// What is listened for.
public struct SpeechSettings: SettingsSection {
    public static let name = "speech"
    public static let about = "What is listened for."
    public static let keys = [
        SettingKey(
            \Self.locale, "locale",
            help: """
                The language that is spoken, as in "en-US". A recogniser that lacks it says which it has.
                """,
            expectation: "a language and a region, such as \"en-US\"", effect: .atRestart,
            allowed: { !$0.isEmpty }),
        SettingKey(
            \Self.words, "words",
            help: """
                Words of your own with the way they are spoken, in the sounds of the CMU dictionary: \
                ["Kubernetes = K UW B ER N EH T IY Z"]. A word that is known gets another pronunciation by it.
                """, effect: .atRestart),
    ]

    public var locale = "en-US"
    public var words: [PronouncedWord] = []

    public init() {}
}

/// A word, and the sounds that it is made of.
public struct PronouncedWord: SettingValue {
    public var text: String
    /// Separated by single spaces.
    public var pronunciation: String

    public static var expectation: String { "\"word = S OW N D Z\"" }

    public init?(toml: TOMLValue) {
        guard case .string(let line) = toml else { return nil }
        let sides = line.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let words = sides[0].split(separator: " ")
        let sounds = sides[1].split(separator: " ").map { $0.uppercased() }
        guard words.count == 1, !sounds.isEmpty, sounds.allSatisfy({ $0.allSatisfy(\.isLetter) }) else {
            return nil
        }
        text = String(words[0])
        pronunciation = sounds.joined(separator: " ")
    }

    public var toml: String { "\(text) = \(pronunciation)".toml }
}
