import CCurl
import DictationSystem
import Synchronization

/// A request on its way into the client's thread.
struct TransferOrder: Sendable {
    /// The head, the next bytes of the body, and whether they are the first ones.
    typealias Receiver = @Sendable (HTTPHead, [UInt8], Bool) throws -> Void

    let request: HTTPRequest
    let deadline: ContinuousClock.Instant?
    let receive: Receiver
}

/// The thread in which all transfers run. It sleeps in poll(2) until a socket is ready, or it gets something
/// to do.
final class TransferLoop: Sendable {
    private let wakeUp: WakeUp
    private let state = Mutex(State())

    struct State {
        var lastNumber = 0
        var orders: [(number: Int, order: TransferOrder, continuation: Continuation)] = []
        var cancelled: Set<Int> = []
        var isFinished = false
    }

    typealias Continuation = CheckedContinuation<HTTPHead, any Error>

    private static let initializeLibrary: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    init() throws {
        Self.initializeLibrary
        wakeUp = try WakeUp()
        startThread(named: "http") { [self] in work() }
    }

    /// Ends the thread and all that it does.
    func finish() {
        state.withLock { $0.isFinished = true }
        wakeUp.signal()
    }

    func run(_ order: TransferOrder) async throws -> HTTPHead {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isTaken = state.withLock { state in
                    // A task that is cancelled later finds the order in the list.
                    guard !Task.isCancelled, !state.isFinished else { return false }
                    state.orders.append((number, order, continuation))
                    return true
                }
                if isTaken { wakeUp.signal() } else { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { _ = $0.cancelled.insert(number) }
            wakeUp.signal()
        }
    }

    private func work() {
        guard let transfers = curl_multi_init() else { return refuse() }
        var active: [Int: (transfer: Transfer, continuation: Continuation)] = [:]
        defer { curl_multi_cleanup(transfers) }
        func end(_ number: Int, _ result: Result<HTTPHead, any Error>) {
            guard let (transfer, continuation) = active.removeValue(forKey: number) else { return }
            curl_multi_remove_handle(transfers, transfer.handle)
            continuation.resume(with: result)
        }
        while true {
            wakeUp.clear()
            let new = take()
            for (number, order, continuation) in new.orders {
                do {
                    let transfer = try Transfer(order)
                    active[number] = (transfer, continuation)
                    curl_multi_add_handle(transfers, transfer.handle)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            for number in new.cancelled { end(number, .failure(CancellationError())) }
            if new.isFinished {
                for number in active.keys { end(number, .failure(CancellationError())) }
                return
            }
            var running: Int32 = 0
            curl_multi_perform(transfers, &running)
            var left: Int32 = 0
            while let message = curl_multi_info_read(transfers, &left) {
                guard message.pointee.msg == CURLMSG_DONE else { continue }
                let done = active.first { $0.value.transfer.handle == message.pointee.easy_handle }
                guard let (number, (transfer, _)) = done else { continue }
                end(number, transfer.result(ccurl_result(message)))
            }
            var wait = curl_waitfd()
            wait.fd = wakeUp.raw
            wait.events = Int16(CURL_WAIT_POLLIN)
            // The library wakes up for its own limits of time.
            curl_multi_poll(transfers, &wait, 1, Int32.max, nil)
        }
    }

    private func take() -> State {
        state.withLock { state in
            let taken = state
            state.orders = []
            state.cancelled = []
            return taken
        }
    }

    /// There is no memory for the library: every request fails.
    private func refuse() {
        finish()
        for (_, order, continuation) in take().orders {
            let error = HTTPError.badAddress(order.request.shownAddress, reason: "libcurl cannot start")
            continuation.resume(throwing: error)
        }
    }
}
