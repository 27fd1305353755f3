import DictationSystem
import Foundation
import Glibc

/// The secret that gives access to a server. Redacted in logs and dumps.
public struct APIKey: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let secret: String

    /// - Parameter text: white space around it does not count.
    /// - Returns: nil for what cannot be one: nothing, or with spaces or control characters in it.
    public init?(_ text: String) {
        let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty, secret.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        self.secret = secret
    }

    /// The key that a file holds.
    ///
    /// - Throws: ``Failure``: it must exist, be readable only by the user, and hold only one key.
    public init(file path: String) throws(Failure) {
        let text: String
        do {
            // More is no key.
            let bytes = try Data(ofPlainFile: path, upTo: 8192) { status in
                guard status.st_mode & 0o077 == 0 else { throw Failure.readableByOthers(file: path) }
            }
            text = String(decoding: bytes, as: UTF8.self)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreadable(file: path, reason: error.plainReason)
        }
        guard let key = APIKey(text) else { throw .noKey(source: path) }
        self = key
    }

    /// The key in an environment variable.
    ///
    /// - Throws: ``Failure/noKey(source:)`` if it is not set, or to no key.
    public init(environment name: String) throws(Failure) {
        guard let key = ProcessInfo.processInfo.environment[name].flatMap(APIKey.init) else {
            throw .noKey(source: "the environment variable \(name)")
        }
        self = key
    }

    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case unreadable(file: String, reason: String)
        case readableByOthers(file: String)
        case noKey(source: String)

        public var description: String {
            switch self {
            case .unreadable(let file, let reason): "the key in \(file) cannot be read: \(reason)"
            case .readableByOthers(let file):
                "the key in \(file) can be read by others, and is not used: “chmod 600 \(file)”"
            case .noKey(let source): "\(source) holds no key: one line without spaces is expected"
            }
        }
    }

    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The same text without this key, should a server repeat it.
    func removed(from text: String) -> String { text.replacingOccurrences(of: secret, with: description) }
}
