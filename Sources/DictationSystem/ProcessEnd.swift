import CLinux
import Glibc

/// Another process's end, as something to wait for (a pidfd).
public final class ProcessEnd: Sendable {
    private let descriptor: Descriptor

    /// - Throws: ``SystemError`` (`ESRCH` when there is no such process).
    public init(of pid: Int32) throws {
        descriptor = try .opening("watch process \(pid)") { clinux_pidfd_open(pid) }
    }

    /// For ``waitUntilReadable(_:timeout:)``: readable once the process has ended.
    public var raw: Int32 { descriptor.raw }
}
