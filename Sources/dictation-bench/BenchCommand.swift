import ArgumentParser
import DictationService
import DictationSystem
import Glibc

@main
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dictation-bench",
        abstract:
            "Measures how fast the processes see each other's commits, and what the agents cost at rest.",
        discussion: """
            docs/benchmarks.md says what each figure means. Exit codes: 0 done, 1 failed, 2 no agent runs, \
            64 wrong usage, 77 the app group's folder is refused; 128 and the signal's number when interrupted.
            """,
        subcommands: [SyncCommand.self, IdleCommand.self, ReaderCommand.self])

    /// Runs a command, and turns what it throws into a message and an exit code.
    static func run(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let code as ExitCode {
            throw code
        } catch let interrupted as Interruption.Signal {
            throw ExitCode(128 + interrupted.number)
        } catch let problem as Problem {
            StandardError.write("dictation-bench: \(problem.message)\n")
            throw problem.status.exitCode
        } catch {
            StandardError.write("dictation-bench: \(error)\n")
            throw ExitStatus(shared: error).exitCode
        }
    }
}

/// What a command has to say when it cannot do its work.
struct Problem: Error {
    let status: ExitStatus
    let message: String
}

enum StandardError {
    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        // There is nobody to tell when this fails.
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
