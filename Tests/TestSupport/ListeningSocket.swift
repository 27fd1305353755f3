import DictationSystem
import Foundation
import Glibc

/// A socket of this machine that accepts connections and says nothing: as far as anybody can tell who only connects, a
/// Wayland compositor.
public final class ListeningSocket: Sendable {
    private let path: String
    private let descriptor: Descriptor

    /// - Throws: ``SystemError``
    public init(at path: String) throws {
        self.path = path
        descriptor = try .opening("make a socket") {
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }
        try withAddress { address, size in
            try retryingInterrupted("bind \(path)") { bind(descriptor.raw, address, size) }
        }
        try retryingInterrupted("listen at \(path)") { listen(descriptor.raw, 64) }
    }

    /// A connection of a program's own to it.
    ///
    /// - Returns: its two ends.
    /// - Throws: ``SystemError``
    public func connection() throws -> (client: Descriptor, server: Descriptor) {
        let client = try Descriptor.opening("make a socket") {
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }
        try withAddress { address, size in
            try retryingInterrupted("connect to \(path)") { connect(client.raw, address, size) }
        }
        let server = try Descriptor.opening("accept") {
            accept(descriptor.raw, nil, nil)
        }
        return (client, server)
    }

    /// From now on nobody listens there; the file stays, as behind a compositor that crashed.
    public func close() { shutdown(descriptor.raw, Int32(SHUT_RDWR)) }

    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Int32) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        _ = try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
