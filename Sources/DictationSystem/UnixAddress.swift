import Glibc

/// Where a socket of this machine listens: a path, or an abstract name (unix(7)).
///
/// ```swift
/// let compositor = try UnixAddress("/run/user/1000/wayland-0").connect(.stream)
/// ```
public struct UnixAddress: Sendable, CustomStringConvertible {
    /// The kind of socket that listens there.
    public enum Kind: Sendable { case stream, datagram }

    public let description: String

    /// - Parameter name: a path; an abstract name is written with an @ in place of its leading zero, as systemd does.
    public init(_ name: String) { description = name }

    /// Makes a socket and connects it.
    ///
    /// - Throws: ``SystemError``; its code is `ENAMETOOLONG` if the name is longer than an address can be.
    public func connect(_ kind: Kind) throws -> Descriptor {
        let descriptor = try Self.socket(kind)
        try retrying("connect to") { Glibc.connect(descriptor.raw, $0, $1) }
        return descriptor
    }

    /// Makes a socket and binds it. One for streams does not listen yet.
    ///
    /// - Throws: see ``connect(_:)``
    public func bind(_ kind: Kind) throws -> Descriptor {
        let descriptor = try Self.socket(kind)
        try retrying("bind") { Glibc.bind(descriptor.raw, $0, $1) }
        return descriptor
    }

    private static func socket(_ kind: Kind) throws -> Descriptor {
        let type = kind == .stream ? SOCK_STREAM : SOCK_DGRAM
        return try .opening("make a socket") {
            Glibc.socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }
    }

    private func retrying(
        _ operation: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(description.utf8)
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError("\(operation) \(self)", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // Zeros after an abstract name would belong to it.
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        try withUnsafePointer(to: &address) { pointer in
            _ = try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try retryingInterrupted("\(operation) \(self)") { call(address, size) }
            }
        }
    }
}
