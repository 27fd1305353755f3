import DictationSystem

/// Recognition: the engine, the language, the words.
public struct SpeechSettings: SettingsSection {
    public static let name = "speech"
    public static let about = "The recognizer and its language."
    public static let keys = [
        SettingKey(
            \Self.engine, "engine",
            help: """
                The recognizer: "sherpa-onnx" is accurate, and needs "host-agent install-engines" and a model; \
                "pocketsphinx" works everywhere, and makes many errors; "auto" uses sherpa-onnx if an installed model \
                knows the language, and otherwise PocketSphinx; "remote" sends the sound to the server in [remote].
                """),
        SettingKey(
            \Self.model, "model",
            help: """
                The model for sherpa-onnx: a name from "host-agent models list", or the absolute path of a folder with \
                its files. Empty: an installed model that knows the language.
                """,
            expectation: "a name, or an absolute path"),
        SettingKey(
            \Self.threads, "threads", in: 0...64,
            help: "Processors for sherpa-onnx; 0 uses half of them, at most four."),
        SettingKey(
            \Self.provider, "provider",
            help: """
                Where sherpa-onnx computes: "cpu", or "cuda" if its library was built for that.
                """,
            expectation: "the name of a provider", allowed: { !$0.isEmpty }),
        SettingKey(
            \Self.hotWords, "hot-words",
            help: """
                Names and terms to bias recognition toward: ["Kubernetes"]. Not every model supports this; one that \
                does not says so. PocketSphinx uses those whose pronunciation its dictionary has.
                """),
        SettingKey(
            \Self.context, "context",
            help: """
                Whether names on the screen help: "window" looks for them in the title of the focused window \
                when a dictation begins, "selection" also in the text that is selected there. They bias \
                recognition, and correct words that sound like them, only in this dictation. They are never \
                stored, and stay on this machine. docs/clean-up.md says what counts as a name.
                """),
        SettingKey(
            \Self.punctuation, "punctuation",
            help: """
                A sherpa-onnx model that adds punctuation if the recognizer gives bare words: a name from "host-agent \
                models list", or the absolute path of a folder with its files. Empty for none.
                """,
            expectation: "a name, an absolute path, or \"\""),
        SettingKey(
            \Self.keepLoaded, "keep-loaded", in: 0...10_080,
            help: """
                How many minutes without a dictation the model stays in memory; 0 for always. It is loaded again while \
                you speak.
                """),
        SettingKey(
            \Self.locale, "locale",
            help: """
                The spoken language, such as "en-US". A recognizer that does not know it lists those that it \
                knows. "auto" for models that detect the language; docs/engines.md lists them.
                """,
            expectation: "a language and a region, such as \"en-US\", or \"auto\"",
            allowed: { $0.mayNameLanguage }),
        SettingKey(
            \Self.words, "words",
            help: """
                Your own words with their pronunciation, in the phonemes of the CMU dictionary: ["Kubernetes = K UW B \
                ER N EH T IY Z"]. A known word gets an additional pronunciation.
                """),
    ]

    public var engine = SpeechEngine.auto
    public var model = ""
    /// 0: as many as make sense.
    public var threads = 0
    public var provider = "cpu"
    public var hotWords: [String] = []
    public var context = SpeechContext.off
    public var punctuation = ""
    /// Minutes; 0: forever.
    public var keepLoaded = 60
    public var locale = "en-US"
    public var words: [CustomWord] = []

    public init() {}
}

extension String {
    /// Whether it may be the name of a language, such as "de", "de-AT", "de_AT.UTF-8" or "auto": a letter, and then letters,
    /// digits and what is between them.
    var mayNameLanguage: Bool {
        count <= 60 && first.map { $0.isASCII && $0.isLetter } == true
            && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.@".contains($0)) }
    }
}

/// The engine that turns sound into words.
public enum SpeechEngine: String, SettingValue, CaseIterable {
    /// The best one that is installed and knows the language.
    case auto
    case pocketsphinx
    case sherpaOnnx = "sherpa-onnx"
    case remote
}

/// Where names are looked for that help a dictation.
public enum SpeechContext: String, SettingValue, CaseIterable {
    /// Nowhere.
    case off
    /// In the title of the focused window.
    case window
    /// And in what is selected there.
    case selection
}

extension CustomWord: SettingValue {
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
        self.init(text: String(words[0]), pronunciation: sounds.joined(separator: " "))
    }

    public var toml: String { "\(text) = \(pronunciation)".toml }
}
