import DictationSystem
import Foundation
import Glibc
import Synchronization

/// Counts calls, from 1.
final class Counter: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// The bytes that have come so far.
final class Received: Sendable {
    private let bytes = Mutex(Data())
    func add(_ new: [UInt8]) { bytes.withLock { $0.append(contentsOf: new) } }
    var data: Data { bytes.withLock { $0 } }
}

/// A port of this machine that takes no connection any more: those that wait are not accepted.
struct FullListener {
    let port: UInt16
    private let listener: Descriptor
    private let waiting: [Descriptor]

    init() throws {
        func socket(_ flags: Int32 = 0) throws -> Descriptor {
            try .opening("create a socket") {
                Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | flags, 0)
            }
        }
        listener = try socket()
        let descriptor = listener.raw
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        func withAddress(_ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32) throws {
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
            }
            guard result == 0 || errno == EINPROGRESS else { throw SystemError("use a loopback address") }
        }
        try withAddress { bind(descriptor, $0, $1) == 0 && listen(descriptor, 0) == 0 ? 0 : -1 }
        try withAddress { getsockname(descriptor, $0, &$1) }
        port = UInt16(bigEndian: address.sin_port)
        // A queue of length 0 has room for one, and none of the others is answered.
        waiting = try (0..<3).map { _ in
            let client = try socket(Int32(SOCK_NONBLOCK.rawValue))
            try withAddress { connect(client.raw, $0, $1) }
            return client
        }
    }
}
