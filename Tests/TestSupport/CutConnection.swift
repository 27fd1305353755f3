import DictationSystem
import Foundation
import Glibc
import Synchronization

/// A way to an X server that breaks off after a given byte, as the stream of a killed process does, or that is held up.
public final class CutConnection: Sendable {
    /// A direction of the first client's connection.
    public enum Direction: Sendable {
        case requests
        /// With the server's events between them.
        case answers
    }

    /// The name of the display over this connection.
    public let name: String
    private let server: UnixAddress
    private let listener: Descriptor
    private let path: String
    private let stop: WakeUp
    /// The delayed data may continue.
    private let passing: WakeUp
    private let ended = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        /// Bytes that the first client may send; nil for any number.
        var limit: Int?
        /// Whether the server still reads the data that was sent before.
        var isReadToEnd = false
        /// Bytes that the first client has sent.
        var sent = 0
        /// Kept back in this direction.
        var heldUp: Direction?
        var held: [UInt8] = []
        /// On its way again.
        var passing: (direction: Direction, bytes: [UInt8])?
        /// Wants to know when enough is held.
        var waiting: (isEnough: @Sendable ([UInt8]) -> Bool, continuation: CheckedContinuation<Void, Never>)?

        /// - Returns: false if these bytes can be sent at once.
        mutating func keep(_ bytes: [UInt8], going direction: Direction) -> Bool {
            if heldUp == direction {
                held += bytes
            } else if passing?.direction == direction {
                passing?.bytes += bytes
            } else {
                return false
            }
            return true
        }

        /// - Returns: the continuation that has waited for this.
        mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
            guard let waiting, waiting.isEnough(held) else { return nil }
            self.waiting = nil
            return waiting.continuation
        }
    }

    /// - Parameter display: the display behind it, such as ":5".
    public init(to display: String) throws {
        server = UnixAddress("/tmp/.X11-unix/X\(display.dropFirst())")
        // Far above the numbers that servers take for themselves; those in use are passed over.
        var bound: (number: Int, socket: Descriptor)?
        for number in (4_000..<5_000).shuffled() where bound == nil {
            bound = (try? UnixAddress("/tmp/.X11-unix/X\(number)").bind(.stream)).map { (number, $0) }
        }
        guard let bound else { throw ProgramError.notStarted(program: "a display", reason: "all are taken") }
        listener = bound.socket
        name = ":\(bound.number)"
        path = "/tmp/.X11-unix/X\(bound.number)"
        (stop, passing) = (try WakeUp(), try WakeUp())
        try retryingInterrupted("listen") { listen(listener.raw, 8) }
        Thread.detachNewThread { [self] in
            try? forward()
            ended.signal()
        }
    }

    /// Ends it, and returns when nothing more is forwarded.
    public func end() {
        stop.signal()
        ended.wait()
        unlink(path)
    }

    /// How much the first client has sent so far.
    public var sent: Int { state.withLock { $0.sent } }

    /// Cuts the connection when the first client has sent this many bytes.
    ///
    /// - Parameter isReadToEnd: the server certainly reads what was sent until then. Otherwise it is as with
    ///   a process that is killed: a server that has something to say to it may find first that the client is
    ///   gone, and drop the rest.
    public func cut(after bytes: Int, isReadToEnd: Bool) {
        state.withLock {
            $0.limit = bytes
            $0.isReadToEnd = isReadToEnd
        }
    }

    // MARK: - Holding up

    /// From here on, the data of the first client is held back in both directions.
    public func hold(_ direction: Direction) {
        state.withLock { $0.heldUp = direction }
    }

    /// Returns when enough is kept back.
    public func waitUntilHeld(_ isEnough: @escaping @Sendable ([UInt8]) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.waiting = (isEnough, continuation)
                return state.takeWaiting()
            }?.resume()
        }
    }

    /// Sends the held data in one piece.
    ///
    /// - Parameter holdsOn: whether later data is held back again.
    public func pass(holdsOn: Bool = false) {
        state.withLock { state in
            guard let direction = state.heldUp else { return }
            state.passing = (direction, state.held)
            state.held = []
            if !holdsOn { state.heldUp = nil }
        }
        passing.signal()
    }

    // MARK: - Forwarding

    private typealias Pair = (client: Descriptor, server: Descriptor, isFirst: Bool)

    private func forward() throws {
        var clients: [Pair] = []
        var isFirst = true
        while true {
            let descriptors =
                clients.flatMap { [$0.client.raw, $0.server.raw] } + [listener.raw, stop.raw, passing.raw]
            let ready = try waitUntilReadable(descriptors)
            if ready.contains(stop.raw) { return }
            if ready.contains(listener.raw) {
                let client = try Descriptor.opening("accept") { accept(listener.raw, nil, nil) }
                // Other tests start programs at this moment, which must not keep it open.
                _ = fcntl(client.raw, F_SETFD, FD_CLOEXEC)
                clients.append((client, try server.connect(.stream), isFirst))
                isFirst = false
            }
            if ready.contains(passing.raw) {
                passing.clear()
                let passed = state.withLock { state in
                    defer { state.passing = nil }
                    return state.passing
                }
                if let passed, let first = clients.first(where: \.isFirst) {
                    _ = send(passed.bytes, to: passed.direction == .requests ? first.server : first.client)
                }
            }
            clients.removeAll { pair in
                if ready.contains(pair.client.raw), !pump(.requests, of: pair) { return true }
                return ready.contains(pair.server.raw) && !pump(.answers, of: pair)
            }
        }
    }

    /// - Returns: false when this connection is over.
    private func pump(_ direction: Direction, of pair: Pair) -> Bool {
        let (source, sink) =
            direction == .requests ? (pair.client, pair.server) : (pair.server, pair.client)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        guard let count = try? retryingInterrupted("read", { read(source.raw, &buffer, buffer.count) }),
            count > 0
        else { return false }
        var allowed = count
        if pair.isFirst {
            let (isKept, waiter) = state.withLock { state in
                (state.keep(Array(buffer[..<count]), going: direction), state.takeWaiting())
            }
            waiter?.resume()
            if isKept { return true }
        }
        if pair.isFirst, direction == .requests {
            allowed = state.withLock {
                let allowed = min(count, ($0.limit ?? .max) - $0.sent)
                $0.sent += allowed
                return allowed
            }
        }
        guard send(buffer[..<allowed], to: sink) else { return false }
        if allowed == count { return true }
        if state.withLock({ $0.isReadToEnd }) {
            shutdown(sink.raw, Int32(SHUT_WR))
            while let count = try? retryingInterrupted("read", { read(sink.raw, &buffer, buffer.count) }),
                count > 0
            {}
        }
        return false
    }

    /// - Returns: false if it is no longer read.
    private func send(_ bytes: some Collection<UInt8>, to sink: Descriptor) -> Bool {
        var rest = Array(bytes)
        while !rest.isEmpty {
            guard
                let count = try? retryingInterrupted(
                    "write", { Glibc.send(sink.raw, rest, rest.count, Int32(MSG_NOSIGNAL)) })
            else { return false }
            rest.removeFirst(count)
        }
        return true
    }
}
