import ArgumentParser
import DictationSystem
import Foundation

extension ParsableCommand {
    /// Ends the process with the error of a command: help, a message of wrong usage, or a code.
    ///
    /// - Parameter error: nil if it has succeeded. It still fails if its output was lost.
    public static func end(with error: (any Error)? = nil) -> Never {
        var code = error.map { exitCode(for: $0) } ?? .success
        do {
            if let lost = error as? StandardStreams.OutputLost { throw lost }
            // Arguments that a message repeats may hold what a terminal would obey.
            let message = error.map { fullMessage(for: $0).displaySafe } ?? ""
            if !message.isEmpty {
                if code == .success { print(message) } else { StandardStreams.complain(message + "\n") }
            }
            try StandardStreams.flushOutput()
        } catch {
            StandardStreams.complain("\(ProcessInfo.processInfo.processName): \(error)\n")
            if code == .success { code = ExitStatus.failed.exitCode }
        }
        exit(withError: code)
    }
}
