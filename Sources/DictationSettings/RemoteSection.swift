/// The server that recognizes, with `engine = "remote"`.
public struct RemoteSettings: SettingsSection {
    public static let name = "remote"
    public static let about = """
        The server that recognizes with engine = "remote", through OpenAI's transcription API. Sound goes only there, \
        and only with that engine.
        """
    public static let keys = [
        SettingKey(
            \Self.address, "address",
            help: """
                The address up to the version: "http://gpu.example:8000/v1". With http, others on the network can read \
                the sound and the key.
                """,
            expectation: "an address of http or https, or \"\"",
            allowed: { $0.isEmpty || $0.hasPrefix("http://") || $0.hasPrefix("https://") }),
        SettingKey(
            \Self.model, "model", help: "The server's name for its model."),
        SettingKey(
            \Self.keyFile, "key-file",
            help: """
                A file that holds the key, readable only by you (chmod 600); "" for none. It takes precedence over \
                key-variable.
                """,
            expectation: "an absolute path, or \"\"",
            allowed: { $0.isEmpty || $0.hasPrefix("/") }),
        SettingKey(
            \Self.keyVariable, "key-variable",
            help: """
                The environment variable that holds the key; "" for none.
                """),
        SettingKey(
            \Self.timeLimit, "time-limit", in: 1...600,
            help: "How many seconds the server has from the end of speech to the text, including retries."),
        SettingKey(
            \Self.fallback, "fallback",
            help: """
                The recognizer that takes over if the server fails: "auto", the better installed recognizer that knows \
                the language; "pocketsphinx"; "sherpa-onnx"; or "none", which keeps the recording and reports the \
                error.
                """),
    ]

    public var address = ""
    public var model = "whisper-1"
    public var keyFile = ""
    public var keyVariable = ""
    /// Seconds.
    public var timeLimit = 20
    public var fallback = RemoteFallback.auto

    public init() {}
}

/// The engine that recognizes if a server does not.
public enum RemoteFallback: String, SettingValue, CaseIterable {
    /// As with ``SpeechEngine/auto``.
    case auto
    case pocketsphinx
    case sherpaOnnx = "sherpa-onnx"
    case none
}
