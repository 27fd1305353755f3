import DictationSystem
import Foundation

/// Errors between here and a server. None of them names a key or a query.
public enum HTTPError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address is not one of http or https.
    case badAddress(String, reason: String)
    /// No connection: a wrong name, no server there, a certificate that does not match.
    case unreachable(address: String, reason: String)
    /// No connection in time: packets are lost on the way, or the machine is off.
    case noConnection(address: String, limit: Duration)
    /// It did not answer, or did not end its answer, in time.
    case tooSlow(address: String, limit: Duration)
    /// The connection broke in the middle.
    case brokenOff(address: String, reason: String)
    /// The server answered with a status other than success; `reason` is the beginning of its own words.
    case refused(address: String, status: Int, reason: String)
    /// More than ``HTTPRequest/Limits/answer``.
    case tooLong(address: String, limit: Int)
    /// An answer that makes no sense.
    case notUnderstood(address: String, reason: String)

    /// Safe for a terminal, even if the server sent control characters.
    public var description: String { story.displaySafe }

    private var story: String {
        switch self {
        case .badAddress("", _): "no server is named"
        case .badAddress(let address, let reason): "\(address) is not a usable address: \(reason)"
        case .unreachable(let address, let reason): "\(address) cannot be reached: \(reason)"
        case .noConnection(let address, let limit):
            "\(address) cannot be reached: no connection within \(limit.inSeconds)"
        case .tooSlow(let address, let limit):
            "\(address) did not finish within \(limit.inSeconds)"
        case .brokenOff(let address, let reason): "the connection to \(address) broke: \(reason)"
        case .refused(let address, let status, let reason):
            "\(address) answered with status \(status)" + (reason.isEmpty ? "" : ": \(reason)")
        case .tooLong(let address, let limit): "\(address) answered with more than \(limit) bytes"
        case .notUnderstood(let address, let reason): "the answer of \(address) was not understood: \(reason)"
        }
    }

    /// Whether the same may go well a moment later: a server that starts, is overloaded, or went away in the middle.
    public var isTransient: Bool {
        switch self {
        case .unreachable, .noConnection, .brokenOff: true
        // Too Early, Too Many Requests, Bad Gateway, Service Unavailable, Gateway Timeout.
        case .refused(_, let status, _): [425, 429, 502, 503, 504].contains(status)
        case .badAddress, .tooSlow, .tooLong, .notUnderstood: false
        }
    }
}

extension HTTPError {
    /// Whether to retry at once. The system itself retries before it gives up a connection.
    static func isWorthRepeating(_ error: any Error) -> Bool {
        if case HTTPError.noConnection = error { false } else { isTransient(error) }
    }

    /// Whether any error is one of these, and may be gone at the next try.
    public static func isTransient(_ error: any Error) -> Bool {
        (error as? HTTPError)?.isTransient == true
    }
}
