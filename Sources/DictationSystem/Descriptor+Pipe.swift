import CLinux
import Glibc

extension Descriptor {
    /// Makes a pipe.
    ///
    /// - Throws: ``SystemError``.
    public static func pipe() throws -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [0, 0]
        try retryingInterrupted("make a pipe") { pipe2(&ends, O_CLOEXEC) }
        return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    }

    /// Makes this end of a pipe one that never blocks.
    ///
    /// - Parameter tellsReading: leaves room for one page. Then poll(2) reports the pipe as writable exactly
    ///   when everything that was written is read.
    public func preparePipe(tellsReading: Bool) {
        _ = fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) | O_NONBLOCK)
        if tellsReading { _ = fcntl(raw, F_SETPIPE_SZ, 1) }
    }
}
