import DictationSystem
import Foundation
import Synchronization

/// Asks servers over HTTP and HTTPS, with libcurl, in one thread of its own. Connections are kept open for the next
/// request; while nothing is asked, nothing wakes up. Canceling the task ends a request at once.
///
/// Nothing is sent anywhere except to the address of a request, and to where that server redirects a GET.
public final class HTTPClient: Sendable {
    private let loop: TransferLoop

    /// - Throws: `SystemError` when there are no descriptors left.
    public init() throws { loop = try TransferLoop() }

    deinit { loop.finish() }

    /// Sends a request, and returns the whole answer.
    ///
    /// - Parameters:
    ///   - request: the request with its limits.
    ///   - policy: how often to retry transient errors (``HTTPError/isTransient``), within the time limit; not
    ///     after ``HTTPError/noConnection(address:limit:)``. Not for requests that may not be carried out twice.
    /// - Throws: ``HTTPError``; `CancellationError` when the task is canceled.
    public func send(
        _ request: HTTPRequest, retrying policy: RetryPolicy = .never
    ) async throws -> HTTPResponse {
        let collected = Mutex(Data())
        let head = try await attempt(request, retrying: policy) { head, bytes, isFirst in
            try collected.withLock { data in
                if isFirst { data = Data() }
                guard data.count + bytes.count <= request.limits.answer else {
                    throw HTTPError.tooLong(address: request.shownAddress, limit: request.limits.answer)
                }
                data.append(contentsOf: bytes)
            }
        }
        return HTTPResponse(
            head: head, body: collected.withLock { $0 }, address: request.shownAddress, key: request.key)
    }

    /// Sends a request, and passes on the answer's body piece by piece as it arrives; in the client's thread,
    /// where all other requests wait for it. An error that `receive` throws ends the request and is thrown.
    ///
    /// Only the body of a success is passed on.
    ///
    /// - Throws: as ``send(_:retrying:)``.
    public func download(
        _ request: HTTPRequest, receive: @escaping @Sendable (HTTPHead, [UInt8]) throws -> Void
    ) async throws -> HTTPHead {
        try await attempt(request, retrying: .never) { head, bytes, _ in try receive(head, bytes) }
    }

    private func attempt(
        _ request: HTTPRequest, retrying policy: RetryPolicy, receive: @escaping TransferOrder.Receiver
    ) async throws -> HTTPHead {
        let deadline = request.limits.deadline ?? request.limits.whole.map { ContinuousClock.now + $0 }
        return try await policy.run(until: deadline, isTransient: HTTPError.isWorthRepeating) {
            try await loop.run(TransferOrder(request: request, deadline: deadline, receive: receive))
        }
    }
}

extension RetryPolicy {
    /// For requests that a user waits for: after 0.1, 0.2 and 0.4 s. A server that does not answer by then is
    /// down, and the caller needs another way.
    public static let askingServer = RetryPolicy(retries: 3, firstDelay: .milliseconds(100))
}
