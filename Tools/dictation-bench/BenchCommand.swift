import ArgumentParser
import DictationService
import DictationSystem
import Glibc

@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dictation-bench",
        abstract:
            "Measures how fast the processes see each other's commits, how exactly and fast texts are inserted, how "
            + "soon the overlay is seen, what the agents cost at rest and after hours of dictation, how long dictstate "
            + "takes, also with a long history, how soon speech is recognized, and how well texts are cleaned.",
        discussion: """
            docs/benchmarks.md says what each figure means. Exit codes: 0 done, 1 failed, 2 no agent runs, \
            64 wrong usage, 77 the app group's folder is refused; 128 and the signal's number when interrupted.
            """,
        subcommands: [
            SyncCommand.self, InsertCommand.self, OverlayCommand.self, IdleCommand.self, StartCommand.self,
            ScaleCommand.self, SoakCommand.self, SpeechCommand.self, LiveCommand.self, CleanupCommand.self,
            ReaderCommand.self,
        ])

    /// Runs a command, and turns its error into a message and an exit code.
    static func runAndWait(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            throw report(error)
        }
    }

    /// The same for commands that wait only for the kernel.
    static func run(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw report(error)
        }
    }

    private static func report(_ error: any Error) -> ExitCode {
        if let interrupted = error as? Interruption.Signal { return ExitCode(128 + interrupted.number) }
        return Complaint.say(why: error)
    }
}
