/// The failure of a program that a test runs. Its words include the program's output to stderr, so that a
/// failing test shows the messages that a user would have seen.
public enum ProgramError: Error, Sendable, CustomStringConvertible {
    /// It could not be started at all.
    case notStarted(program: String, reason: String)
    /// It ended before the awaited event.
    case ended(program: String, awaited: String, status: ExitStatus, output: String, errors: String)
    /// The awaited event did not happen within the time limit.
    case timeLimit(program: String, awaited: String, limit: Duration, output: String, errors: String)
    /// It ran to its end, with another exit code than 0.
    case failed(program: String, status: ExitStatus, output: String, errors: String)

    public var description: String {
        switch self {
        case .notStarted(let program, let reason):
            "\(program) could not be started: \(reason)"
        case .ended(let program, let awaited, let status, let output, let errors):
            "\(program) ended (\(status)) before \(awaited)." + Self.said(output, errors)
        case .timeLimit(let program, let awaited, let limit, let output, let errors):
            "\(program): not within \(limit): \(awaited)." + Self.said(output, errors)
        case .failed(let program, let status, let output, let errors):
            "\(program) failed (\(status))." + Self.said(output, errors)
        }
    }

    private static func said(_ output: String, _ errors: String) -> String {
        "\n--- its stdout ---\n\(output.suffix(4_000))\n--- its stderr ---\n\(errors.suffix(8_000))\n---"
    }
}

/// How a program ended.
public enum ExitStatus: Equatable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)

    /// The exit code as a shell shows it: 128 + n if signal n ended the program.
    public var code: Int32 {
        switch self {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        }
    }

    public var description: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .killed(let signal): "ended by signal \(signal)"
        }
    }
}
