/// What is listened for.
public struct SpeechSettings: SettingsSection {
    public static let name = "speech"
    public static let about = "What is listened for."
    public static let keys = [
        SettingKey(
            \Self.engine, "engine",
            help: """
                What turns sound into words: "sherpa-onnx" hears well, and needs "host-agent install-engines" and a model; \
                "pocketsphinx" works everywhere and errs often; "auto" takes sherpa-onnx where a model is installed that \
                knows the language, and else PocketSphinx; "remote" sends the sound to the server in [remote].
                """),
        SettingKey(
            \Self.model, "model",
            help: """
                The model for sherpa-onnx: a name that "host-agent models list" shows, or the absolute path of a \
                folder of its files. Empty, with the engine "auto": an installed one that knows the language.
                """,
            expectation: "a name, or an absolute path"),
        SettingKey(
            \Self.threads, "threads", in: 0...64,
            help: "Processors for sherpa-onnx; 0 for half of those that there are, and at most four."),
        SettingKey(
            \Self.provider, "provider",
            help: """
                What computes for sherpa-onnx: "cpu", or "cuda" where its library was built for that.
                """,
            expectation: "the name of a provider", allowed: { !$0.isEmpty }),
        SettingKey(
            \Self.hotWords, "hot-words",
            help: """
                Names and terms that are rather to be heard than what sounds like them: ["Kubernetes"]. Not every model \
                can; one that cannot says so. PocketSphinx takes those whose sounds its dictionary knows.
                """),
        SettingKey(
            \Self.punctuation, "punctuation",
            help: """
                A model of sherpa-onnx that sets marks where the recogniser gives bare words: a name that "host-agent \
                models list" shows, or the absolute path of a folder of its files. Empty for none.
                """,
            expectation: "a name, an absolute path, or \"\""),
        SettingKey(
            \Self.keepLoaded, "keep-loaded", in: 0...10_080,
            help: """
                For how many minutes without a dictation the model stays in memory; 0 for ever. It is loaded again \
                while you speak.
                """),
        SettingKey(
            \Self.locale, "locale",
            help: """
                The language that is spoken, as in "en-US". A recogniser that lacks it says which it has.
                """,
            expectation: "a language and a region, such as \"en-US\"",
            allowed: { !$0.isEmpty }),
        SettingKey(
            \Self.words, "words",
            help: """
                Words of your own with the way they are spoken, in the sounds of the CMU dictionary: \
                ["Kubernetes = K UW B ER N EH T IY Z"]. A word that is known gets another pronunciation by it.
                """),
    ]

    public var engine = SpeechEngine.auto
    public var model = ""
    /// 0: as many as make sense.
    public var threads = 0
    public var provider = "cpu"
    public var hotWords: [String] = []
    public var punctuation = ""
    /// Minutes; 0: for ever.
    public var keepLoaded = 60
    public var locale = "en-US"
    public var words: [PronouncedWord] = []

    public init() {}
}

/// What turns sound into words.
public enum SpeechEngine: String, SettingValue, CaseIterable {
    /// The best one that is installed and knows the language.
    case auto
    case pocketsphinx
    case sherpaOnnx = "sherpa-onnx"
    case remote
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
