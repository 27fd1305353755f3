import ArgumentParser
import DictationSystem
import Foundation

extension ParsableCommand {
    /// Ends the process with what a command has thrown: help, a message of wrong usage, or a code.
    public static func end(with error: any Error) -> Never {
        let code = exitCode(for: error)
        // Arguments that a message repeats may hold what a terminal would obey.
        let message = fullMessage(for: error).displaySafe
        if !message.isEmpty {
            (code == .success ? FileHandle.standardOutput : .standardError).write(Data((message + "\n").utf8))
        }
        exit(withError: code)
    }
}
