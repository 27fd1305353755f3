import DictationHTTP
import Foundation

/// A server that recognizes speech, by OpenAI's interface for transcriptions: vLLM, speaches, whisper.cpp's server …
public struct RemoteConfiguration: Sendable, Equatable {
    /// Up to the version: "http://gpu.example:8000/v1".
    public var address: String
    /// The server's name for its model.
    public var model: String
    public var key: KeySource
    /// The language that is spoken.
    public var locale: String
    /// From the end of a segment of speech to its text, including all retries.
    public var timeLimit: Duration

    /// Where the key is.
    public enum KeySource: Sendable, Equatable {
        case none
        /// A file that is the user's alone.
        case file(String)
        /// An environment variable.
        case environment(String)

        func read() throws(APIKey.Failure) -> APIKey? {
            switch self {
            case .none: nil
            case .file(let path): try APIKey(file: path)
            case .environment(let name): try APIKey(environment: name)
            }
        }
    }

    /// A server on the same continent gives the text of a minute of sound in 1 to 3 s; a busy one waits its turn.
    public static let usualTimeLimit = Duration.seconds(20)

    public init(
        address: String, model: String = "whisper-1", key: KeySource = .none, locale: String = "en-US",
        timeLimit: Duration = usualTimeLimit
    ) {
        self.address = address
        self.model = model
        self.key = key
        self.locale = locale
        self.timeLimit = timeLimit
    }

    /// The address that gets the sound; empty if no server is named.
    var endpoint: String {
        guard !address.isEmpty else { return "" }
        let base = address.hasSuffix("/") ? String(address.dropLast()) : address
        return base.hasSuffix("/audio/transcriptions") ? base : base + "/audio/transcriptions"
    }
}
