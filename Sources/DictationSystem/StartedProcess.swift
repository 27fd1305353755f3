import CLinux
import Foundation
import Glibc
import Synchronization

/// A program that this process has started and waits for. It leads its own group, so that it can be killed
/// with everything that it has started.
///
/// ```swift
/// let child = try StartedProcess("xdg-open", [path])
/// switch child.reap() { … }        // blocks until it has ended
/// ```
///
/// Foundation's `Process` does not work here: it waits for everything that a program leaves in the
/// background, and reaps the program at some time after its end.
public final class StartedProcess: Sendable {
    /// Where a standard stream leads.
    public enum Stream: Sendable {
        /// To /dev/null.
        case nothing
        /// Where this process's own leads.
        case inherited
        /// The program gets a copy.
        case descriptor(Descriptor)
    }

    /// What it leads: a group or a session.
    public enum Independence: Sendable {
        /// A group: with the terminal of this process.
        case group
        /// A session without a terminal: the end of this process's terminal is not its end.
        case session
    }

    public enum End: Equatable, Sendable, CustomStringConvertible {
        case exited(Int32)
        case killed(signal: Int32)

        public var description: String {
            switch self {
            case .exited(let code): "code \(code)"
            case .killed(let signal): "signal \(signal)"
            }
        }
    }

    public let id: Int32
    /// Nil until it is reaped.
    private let end = Mutex<End?>(nil)

    /// Starts it, with default signal handling and no descriptors except its standard streams.
    ///
    /// - Parameters:
    ///   - program: its path, or a name that is looked up in PATH.
    ///   - environment: its complete environment; nil: this process's own.
    /// - Throws: ``SystemError`` (`ENOENT` if there is no such program).
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        input: Stream = .nothing, output: Stream = .nothing, errors: Stream = .inherited,
        leading independence: Independence = .group
    ) throws(SystemError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, number, mode) in [
            (input, STDIN_FILENO, O_RDONLY), (output, STDOUT_FILENO, O_WRONLY),
            (errors, STDERR_FILENO, O_WRONLY),
        ] {
            switch stream {
            case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
            case .inherited: break
            case .descriptor(let descriptor):
                posix_spawn_file_actions_adddup2(&actions, descriptor.raw, number)
            }
        }
        clinux_close_from(&actions, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        let leading =
            switch independence {
            case .group: Int16(POSIX_SPAWN_SETPGROUP)
            case .session: clinux_spawn_setsid()
            }
        posix_spawnattr_setflags(
            &attributes, leading | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] =
            (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var id: pid_t = 0
        let code = posix_spawnp(&id, program, &actions, &attributes, &argv, &envp)
        guard code == 0 else { throw SystemError("start \(program)", code: code) }
        self.id = id
    }

    /// Sends a signal to the program alone; does nothing once it is reaped.
    public func signal(_ number: Int32) { send(number, to: id) }

    /// Sends a signal to the program and all that it has started and that has not left its group; does nothing once it is
    /// reaped.
    public func signalGroup(_ number: Int32) { send(number, to: -id) }

    /// Never to an id that the kernel may have given to another process.
    private func send(_ number: Int32, to target: Int32) {
        end.withLock { if $0 == nil { _ = kill(target, number) } }
    }

    /// Blocks until it has ended. It is a zombie then, whose group can still get a signal.
    public func waitUntilEnded() {
        var information = siginfo_t()
        _ = try? retryingInterrupted("wait for process \(id)") {
            waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT)
        }
    }

    /// Blocks until it has ended, or the deadline has passed.
    ///
    /// - Returns: whether it has ended.
    public func waitUntilEnded(until deadline: ContinuousClock.Instant) -> Bool {
        // A reaped process has none.
        guard let end = try? ProcessEnd(of: id) else { return true }
        return (try? waitUntilReadable([end.raw], until: deadline))?.isEmpty == false
    }

    /// Blocks until it has ended, and releases its id.
    @discardableResult
    public func reap() -> End {
        waitUntilEnded()
        return end.withLock { end in
            if let end { return end }
            var status: Int32 = 0
            _ = try? retryingInterrupted("reap process \(id)") { waitpid(id, &status, 0) }
            let signal = status & 0x7f
            let reaped: End = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
            end = reaped
            return reaped
        }
    }
}
