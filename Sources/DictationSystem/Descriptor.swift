import Glibc

/// A file descriptor that closes itself.
public final class Descriptor: Sendable {
    public let raw: Int32

    /// Takes ownership of `raw`.
    public init(owning raw: Int32) { self.raw = raw }

    deinit { close(raw) }

    /// Runs a system call that returns a new descriptor; repeats it when a signal interrupts it.
    ///
    /// - Throws: ``SystemError`` that names `operation`.
    public static func opening(
        _ operation: @autoclosure () -> String, _ call: () -> Int32
    ) throws -> Descriptor {
        Descriptor(owning: try retryingInterrupted(operation(), call))
    }
}

extension Descriptor {
    /// Writes all of these bytes, in as many calls as needed.
    ///
    /// - Parameter offset: where in the file; nil: where the last write ended.
    /// - Throws: ``SystemError`` that names `operation`.
    public func writeAll(
        _ bytes: some RandomAccessCollection<UInt8>, at offset: Int? = nil,
        _ operation: @autoclosure () -> String = "write"
    ) throws {
        var rest = ArraySlice(bytes)
        var position = offset
        while !rest.isEmpty {
            let count = try rest.withUnsafeBytes { buffer in
                try retryingInterrupted(operation()) {
                    position.map { pwrite(raw, buffer.baseAddress, buffer.count, off_t($0)) }
                        ?? Glibc.write(raw, buffer.baseAddress, buffer.count)
                }
            }
            rest = rest.dropFirst(count)
            position = position.map { $0 + count }
        }
    }
}

/// Runs a system call that answers -1 on failure, again for as long as it is interrupted by a signal.
///
/// - Throws: ``SystemError`` that names `operation`.
@discardableResult
public func retryingInterrupted<Result: SignedInteger>(
    _ operation: @autoclosure () -> String, _ call: () -> Result
) throws -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw SystemError(operation(), code: code) }
    }
}

/// Sleeps in the kernel until one of `descriptors` is readable (or in error), or `timeout` milliseconds have passed.
///
/// - Parameter timeout: milliseconds; negative waits without limit.
/// - Returns: the descriptors that are ready, in the order in which they were given; empty after a time-out.
public func waitUntilReadable(_ descriptors: [Int32], timeout: Int32 = -1) throws -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let ready = try retryingInterrupted("poll") { poll(&entries, nfds_t(entries.count), timeout) }
    return ready == 0 ? [] : entries.filter { $0.revents != 0 }.map(\.fd)
}

/// Sleeps in the kernel until one of `descriptors` is readable (or in error), or `deadline` has passed.
///
/// - Parameter deadline: nil waits without limit; with one that has passed, it only checks.
/// - Returns: the descriptors that are ready, in the order in which they were given; empty once the deadline has passed.
public func waitUntilReadable(
    _ descriptors: [Int32], until deadline: ContinuousClock.Instant?
) throws -> [Int32] {
    guard let deadline else { return try waitUntilReadable(descriptors) }
    while true {
        // Rounded up: the deadline has passed then, so a further call does not wait for nothing.
        let left = (ContinuousClock.now.duration(to: deadline) / .milliseconds(1)).rounded(.up)
        let ready = try waitUntilReadable(descriptors, timeout: Int32(min(max(0, left), Double(Int32.max))))
        // More than poll counts to is waited for in parts.
        if !ready.isEmpty || deadline <= .now { return ready }
    }
}
