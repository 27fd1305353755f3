import CLinux
import Glibc

/// signalfd(2): signals as something to wait for, instead of their default actions.
///
/// Create it before the process has other threads, which then have the signals blocked as well.
public final class SignalEvents: Sendable {
    private let descriptor: Descriptor

    /// - Throws: ``SystemError``
    public init(_ signals: [Int32]) throws {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = try .opening("wait for signals (signalfd)") {
            signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
        }
    }

    /// For ``waitUntilReadable(_:timeout:)``.
    public var raw: Int32 { descriptor.raw }

    /// The signals that have come since, without waiting.
    public func take() -> [Int32] {
        var taken: [Int32] = []
        var information = signalfd_siginfo()
        while read(descriptor.raw, &information, MemoryLayout.size(ofValue: information)) > 0 {
            taken.append(Int32(information.ssi_signo))
        }
        return taken
    }
}

/// Whether this process ignores a signal, for example SIGHUP under `nohup`.
public func isIgnored(_ signal: Int32) -> Bool { clinux_ignores(signal) }
