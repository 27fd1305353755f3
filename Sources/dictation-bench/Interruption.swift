import CLinux
import DictationSystem
import Glibc

/// Turns the signals that end a program into something to wait for, so that what was started is ended first.
struct Interruption {
    struct Signal: Error {
        let number: Int32
    }

    private let descriptor: Descriptor

    /// To be made before any thread is: threads inherit the signals that are blocked.
    init() throws {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        descriptor = try .opening("create a signalfd") { signalfd(-1, &signals, Int32(SFD_CLOEXEC)) }
    }

    /// Waits until one of `descriptors` is readable.
    ///
    /// - Parameter timeout: milliseconds.
    /// - Returns: those that are; empty when the time is over.
    /// - Throws: ``Signal`` when the program is to end.
    func wait(for descriptors: [Int32], timeout: Int32) throws -> [Int32] {
        let ready = try waitUntilReadable(descriptors + [descriptor.raw], timeout: timeout)
        guard ready.contains(descriptor.raw) else { return ready }
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        try retryingInterrupted("read a signal") { read(descriptor.raw, &information, size) }
        throw Signal(number: Int32(information.ssi_signo))
    }
}
