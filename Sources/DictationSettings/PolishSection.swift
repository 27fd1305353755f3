import CleanupChoices

/// A language model that improves what the rules made of a text.
public struct PolishSettings: SettingsSection {
    public static let name = "polish"
    public static let about = """
        A language model that improves texts, on a server with OpenAI's chat API: llama.cpp, Ollama, vLLM, LM Studio, \
        or a cloud service. Without an endpoint no text is sent. Each answer is checked; an answer that is late, or \
        adds, drops or changes something, is not used.
        """
    public static let keys = [
        SettingKey(
            \Self.endpoint, "endpoint",
            help: """
                The address of the API, such as "http://127.0.0.1:8080/v1"; "" for none. Texts are sent there.
                """,
            expectation: "an address that begins with http:// or https://, or \"\"",
            allowed: { $0.isEmpty || $0.hasPrefix("http://") || $0.hasPrefix("https://") }),
        SettingKey(\Self.model, "model", help: "The server's name for the model."),
        SettingKey(
            \Self.keyFile, "key-file",
            help: "A file that holds the server's key, readable only by you (chmod 600); \"\" for none.",
            expectation: "an absolute path, or \"\"", allowed: { $0.isEmpty || $0.hasPrefix("/") }),
        SettingKey(
            \Self.keyVariable, "key-variable",
            help: "The environment variable that holds the key if there is no key-file; \"\" for none."),
        SettingKey(
            \Self.limit, "limit",
            help: "After this many seconds the text is used without the model.",
            expectation: "seconds, 0.1 to 60", allowed: { (0.1...60).contains($0) }),
        SettingKey(
            \Self.style, "style",
            help: """
                How texts are written if no profile says otherwise; "verbatim" skips the language model.
                """),
    ]

    public var endpoint = ""
    public var model = ""
    public var keyFile = ""
    public var keyVariable = ""
    /// Seconds: as long as a user takes for the machine's own time to type.
    public var limit = 1.5
    public var style = StyleName(.plain)

    public init() {}
}

extension TextStyle: SettingValue {}
