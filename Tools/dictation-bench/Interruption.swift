import DictationSystem
import Glibc
import Synchronization

/// Turns the signals that end a program into events to wait for, so that child processes are ended first.
///
/// By handlers, which hold for all threads, whenever they were started. (A signalfd wants the signals blocked in each
/// of them, the main one included, and that has begun to wait before a command runs; and the programs that are started
/// would have them blocked as well.)
struct Interruption {
    struct Signal: Error {
        let number: Int32
    }

    /// Of the process: a handler can be given nothing.
    private static let wakeUp = Result { try WakeUp() }
    /// The first signal that came; 0 for none.
    private static let arrived = Atomic<Int32>(0)

    private let wakeUp: WakeUp

    init() throws {
        // Made here, and not by the handler.
        wakeUp = try Self.wakeUp.get()
        // The threads of the pool block them, and a program that is started from here would inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                let before = errno
                // Nothing but a store and a write(2), as signal-safety(7) wants it.
                _ = Interruption.arrived.compareExchange(expected: 0, desired: number, ordering: .relaxed)
                if case .success(let wakeUp) = Interruption.wakeUp { wakeUp.signal() }
                errno = before
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
    }

    /// Waits until one of `descriptors` is readable.
    ///
    /// - Parameter deadline: with one that has passed, it only checks.
    /// - Returns: those that are; empty when the time is over.
    /// - Throws: ``Signal`` when the program should end.
    func wait(for descriptors: [Int32], until deadline: ContinuousClock.Instant) throws -> [Int32] {
        let ready = try waitUntilReadable(descriptors + [wakeUp.raw], until: deadline)
        guard ready.contains(wakeUp.raw) else { return ready }
        throw Signal(number: Self.arrived.load(ordering: .relaxed))
    }
}
