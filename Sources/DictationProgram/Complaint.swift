import ArgumentParser
import DictationSystem
import Foundation

/// Reports an error on standard error, in the usual form: the program's name first. (An agent has a log
/// instead.)
public enum Complaint {
    public static func say(_ message: String) {
        // A path, a name or a server's words in it may contain control sequences that a terminal would obey.
        StandardStreams.complain("\(ProcessInfo.processInfo.processName): \(message.displaySafe)\n")
    }

    /// Says what a command has thrown, unless that is a mere exit code.
    ///
    /// - Returns: the exit code.
    public static func say(why error: any Error) -> ExitCode {
        switch error {
        case let code as ExitCode: return code
        case let problem as CommandProblem:
            say(problem.message)
            return problem.status.exitCode
        default:
            say("\(error)")
            return ExitStatus(shared: error).exitCode
        }
    }
}

/// The message of a command that cannot do its work.
public struct CommandProblem: Error {
    public let status: ExitStatus
    public let message: String

    public init(status: ExitStatus, message: String) {
        self.status = status
        self.message = message
    }
}
