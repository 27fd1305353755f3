import DictationService
import DictationSystem
import Glibc

/// How long a program takes from exec to exit.
enum ProgramTime {
    /// Thousands of times what is usual.
    private static let patience: Duration = .seconds(30)

    /// - Parameters:
    ///   - command: a program by its path, and its arguments.
    ///   - environment: of the program; this program's own if nil.
    ///   - accepted: the exit codes that count as success.
    /// - Returns: nanoseconds.
    /// - Throws: ``CommandProblem`` when it fails or does not end.
    static func of(
        _ command: [String], environment: [String: String]? = nil, accepted: Set<Int32> = [0],
        _ interruption: Interruption
    ) throws -> Int64 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var variables = (environment ?? [:]).map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for variable in variables { free(variable) } }
        var pid: pid_t = 0
        // Not by Foundation: starting a process takes it as long as such a program takes in all.
        let begin = MonotonicTime.now()
        let code =
            environment == nil
            ? posix_spawn(&pid, command[0], &actions, nil, &arguments, environ)
            : posix_spawn(&pid, command[0], &actions, nil, &arguments, &variables)
        guard code == 0 else { throw SystemError("start \(command[0])", code: code) }
        let end = try ProcessEnd(of: pid)
        let ready = Result { try interruption.wait(for: [end.raw], until: .now + patience) }
        let time = MonotonicTime.now() - begin
        // The program hangs, or this process should end.
        if (try? ready.get())?.isEmpty ?? true { kill(pid, SIGKILL) }
        var status: Int32 = 0
        try retryingInterrupted("wait for \(command[0])") { waitpid(pid, &status, 0) }
        guard try !ready.get().isEmpty else {
            throw CommandProblem(status: .failed, message: "\(command[0]) does not end.")
        }
        guard status & 0x7F == 0, accepted.contains(status >> 8) else {
            let line = command.joined(separator: " ")
            throw CommandProblem(
                status: .failed, message: "\(line) failed (wait status \(status)); see what it says.")
        }
        return time
    }
}
