import CLinux
import Glibc

/// An eventfd: lets any thread wake one that sleeps in `poll`.
public final class WakeUp: Sendable {
    private let descriptor: Descriptor

    public init() throws {
        descriptor = try .opening("create an eventfd") {
            eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        }
    }

    /// For ``waitUntilReadable(_:timeout:)``: readable once ``signal()`` was called, until ``clear()``.
    public var raw: Int32 { descriptor.raw }

    /// Wakes the sleeper. Signals given before it looks are merged into one.
    public func signal() {
        var one: UInt64 = 1
        // A full counter (EAGAIN) is still readable: nothing is lost.
        _ = write(descriptor.raw, &one, MemoryLayout<UInt64>.size)
    }

    /// Whether ``signal()`` was called since the last ``clear()``.
    public var isRinging: Bool { (try? waitUntilReadable([raw], timeout: 0).isEmpty) == false }

    public func clear() {
        var count: UInt64 = 0
        _ = read(descriptor.raw, &count, MemoryLayout<UInt64>.size)
    }
}
