import CLinux
import DictationSystem
import Foundation
import Glibc
import Synchronization

/// A real HTTP server on this machine's loopback address, which may behave as badly as a test wants: slow, silent,
/// broken off, wrong.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     request.path == "/model" ? [.send(head), .send(half), .hangUp] : [.answer(404)]
/// }
/// let address = server.address("/model")
/// ```
public final class LoopbackServer: Sendable {
    public struct Request: Sendable {
        public var method = ""
        /// With its query.
        public var path = ""
        /// By their names in lower case.
        public var headers: [String: String] = [:]
        public var body = Data()
    }

    /// A step of the answer to a request; at the end of the steps the server hangs up.
    public enum Step: Sendable {
        /// These bytes as they are.
        case send(Data)
        /// A whole answer, with its length.
        case answer(Int, [String: String] = [:], Data = Data())
        /// Sends nothing for this long, or until the client hangs up.
        case silence(Duration)
        /// Says nothing until the client hangs up.
        case hang
        /// Breaks the connection at once, as a dead machine's would (RST).
        case reset
    }

    public let port: UInt16
    private let listener: Descriptor
    private let state = Mutex(State())
    private let answering: @Sendable (Request) -> [Step]

    private struct State {
        var requests: [Request] = []
        var connections: Set<Int32> = []
        var isStopped = false
    }

    /// - Parameter answering: called for each request, in a thread of its connection.
    public init(answering: @escaping @Sendable (Request) -> [Step]) throws {
        self.answering = answering
        listener = try .opening("create a socket") {
            socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener.raw
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, length) == 0, listen(descriptor, 16) == 0 else {
                    return false
                }
                return getsockname(descriptor, address, &length) == 0
            }
        }
        guard bound else { throw SystemError("listen on the loopback address") }
        port = UInt16(bigEndian: address.sin_port)
        // It stays open for as long as its thread: another server's connections must not come to it by its old number.
        Thread.detachNewThread { [weak self, listener] in
            while true {
                let connection = clinux_accept(listener.raw)
                guard connection >= 0, let self else {
                    if connection >= 0 { close(connection) }
                    return
                }
                serve(connection)
            }
        }
    }

    deinit { stop() }

    /// `http://127.0.0.1:PORT/path`.
    public func address(_ path: String = "") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// All that were asked so far.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// Hangs up, and answers no further requests.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            // Wakes the threads that are in accept or recv.
            shutdown(listener.raw, Int32(SHUT_RDWR))
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func serve(_ connection: Int32) {
        let isServed = state.withLock { state in
            if !state.isStopped { state.connections.insert(connection) }
            return !state.isStopped
        }
        guard isServed else {
            close(connection)
            return
        }
        Thread.detachNewThread { [weak self] in
            self?.converse(connection)
            guard let self else {
                close(connection)
                return
            }
            state.withLock { state in
                _ = state.connections.remove(connection)
                close(connection)
            }
        }
    }

    /// One request and its answer; `Connection: close` keeps it at that.
    private func converse(_ connection: Int32) {
        guard let request = Self.read(from: connection) else { return }
        state.withLock { $0.requests.append(request) }
        for step in answering(request) where !carryOut(step, on: connection) { return }
    }

    private func carryOut(_ step: Step, on connection: Int32) -> Bool {
        switch step {
        case .send(let data):
            return Self.write(data, to: connection)
        case .answer(let status, let headers, let body):
            var head = "HTTP/1.1 \(status) Status\r\nConnection: close\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            if headers["Content-Length"] == nil { head += "Content-Length: \(body.count)\r\n" }
            return Self.write(Data((head + "\r\n").utf8) + body, to: connection)
        case .silence(let duration):
            // Readable means that the client has hung up: it has nothing more to say.
            let ready = try? waitUntilReadable([connection], until: .now + duration)
            return ready == []
        case .hang:
            _ = try? waitUntilReadable([connection])
            return false
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            return false
        }
    }

    private static func read(from connection: Int32) -> Request? {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        func more() -> Bool {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count > 0 { data.append(contentsOf: buffer[..<count]) }
            return count > 0
        }
        var end = data.firstRange(of: Data("\r\n\r\n".utf8))
        while end == nil {
            guard more() else { return nil }
            end = data.firstRange(of: Data("\r\n\r\n".utf8))
        }
        guard let end else { return nil }
        let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        var request = Request(method: String(words[0]), path: String(words[1]))
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            request.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
        while data.count - end.upperBound < length {
            guard more() else { return nil }
        }
        request.body = Data(data[end.upperBound...])
        return request
    }

    private static func write(_ data: Data, to connection: Int32) -> Bool {
        var sent = 0
        let bytes = Array(data)
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
