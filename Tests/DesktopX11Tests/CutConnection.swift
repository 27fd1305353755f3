import DictationSystem
import Foundation
import Synchronization
import Testing

@testable import DesktopX11

/// A way to an X server that breaks off after a given byte, as the stream of a killed process does.
final class CutConnection: Sendable {
    /// The name of the display over this connection.
    let name: String
    private let server: UnixAddress
    private let listener: Descriptor
    private let path: String
    private let stop: WakeUp
    private let ended = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        /// Bytes that the first client may send; nil for any number.
        var limit: Int?
        /// Whether the server still reads what was sent until then.
        var isReadToEnd = false
        /// Bytes that the first client has sent.
        var sent = 0
    }

    /// - Parameter display: the display behind it, such as ":5".
    init(to display: TestDisplay) throws {
        server = UnixAddress("/tmp/.X11-unix/X\(display.name.dropFirst())")
        // Far above the numbers that servers take for themselves; those in use are passed over.
        var bound: (number: Int, socket: Descriptor)?
        for number in (4_000..<5_000).shuffled() where bound == nil {
            bound = (try? UnixAddress("/tmp/.X11-unix/X\(number)").bind(.stream)).map { (number, $0) }
        }
        let number: Int
        (number, listener) = try #require(bound)
        name = ":\(number)"
        path = "/tmp/.X11-unix/X\(number)"
        stop = try WakeUp()
        try retryingInterrupted("listen") { listen(listener.raw, 8) }
        Thread.detachNewThread { [self] in
            try? forward()
            ended.signal()
        }
    }

    /// Ends it, and returns when nothing more is forwarded.
    func end() {
        stop.signal()
        ended.wait()
        unlink(path)
    }

    /// How much the first client has sent so far.
    var sent: Int { state.withLock { $0.sent } }

    /// Breaks off when the first client has sent so many bytes.
    ///
    /// - Parameter isReadToEnd: the server surely reads what was sent until then. Else it is as with a process that is
    ///   killed: a server that has something to say to it may find first that nobody is there, and drop the rest.
    func cut(after bytes: Int, isReadToEnd: Bool) {
        state.withLock {
            $0.limit = bytes
            $0.isReadToEnd = isReadToEnd
        }
    }

    private func forward() throws {
        var clients: [(client: Descriptor, server: Descriptor, isFirst: Bool)] = []
        var isFirst = true
        while true {
            let descriptors = clients.flatMap { [$0.client.raw, $0.server.raw] } + [listener.raw, stop.raw]
            let ready = try waitUntilReadable(descriptors)
            if ready.contains(stop.raw) { return }
            if ready.contains(listener.raw) {
                let client = try Descriptor.opening("accept") { accept(listener.raw, nil, nil) }
                // Other tests start programs at this moment, which must not keep it open.
                _ = fcntl(client.raw, F_SETFD, FD_CLOEXEC)
                clients.append((client, try server.connect(.stream), isFirst))
                isFirst = false
            }
            clients.removeAll { pair in
                if ready.contains(pair.client.raw),
                    !pump(from: pair.client, to: pair.server, isCounted: pair.isFirst)
                {
                    return true
                }
                return ready.contains(pair.server.raw)
                    && !pump(from: pair.server, to: pair.client, isCounted: false)
            }
        }
    }

    /// - Returns: false when this connection is over.
    private func pump(from source: Descriptor, to sink: Descriptor, isCounted: Bool) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        guard let count = try? retryingInterrupted("read", { read(source.raw, &buffer, buffer.count) }),
            count > 0
        else { return false }
        var allowed = count
        if isCounted {
            allowed = state.withLock {
                let allowed = min(count, ($0.limit ?? .max) - $0.sent)
                $0.sent += allowed
                return allowed
            }
        }
        var done = 0
        while done < allowed {
            guard
                let written = try? retryingInterrupted(
                    "write",
                    {
                        send(
                            sink.raw, Array(buffer[done..<allowed]), allowed - done,
                            Int32(MSG_NOSIGNAL))
                    })
            else { return false }
            done += written
        }
        if allowed == count { return true }
        if state.withLock({ $0.isReadToEnd }) {
            shutdown(sink.raw, Int32(SHUT_WR))
            while let count = try? retryingInterrupted("read", { read(sink.raw, &buffer, buffer.count) }),
                count > 0
            {}
        }
        return false
    }
}
