import ArgumentParser
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// Time to change to another window.
struct Countdown: ParsableArguments {
    // Also a number below zero is its value, and not an option of its own.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Wait this many seconds first, so that you can switch to the right window.",
            valueName: "seconds"))
    var after: Int?

    func validate() throws {
        if let after, !(1...3_600).contains(after) {
            throw ValidationError("--after takes seconds, from 1 to 3600.")
        }
    }

    /// Returns after the given seconds, at once without the option. On a terminal they are counted down;
    /// Ctrl-C ends the command, and nothing is done.
    ///
    /// - Parameters:
    ///   - action: the words for the action that begins then.
    ///   - roles: the agents that it needs. Without them there is nothing to wait for.
    /// - Throws: what the action itself would throw if one of them does not run.
    func wait(before action: String, by roles: [AgentRole]) throws {
        guard let after else { return }
        let group = try AppGroup(folder: Session.folder())
        for role in roles { try group.requireAgent(role) }
        let isTerminal = isatty(STDERR_FILENO) == 1
        for left in stride(from: after, to: 0, by: -1) {
            if isTerminal {
                say("\r\u{1B}[K\(action) in \(left) s. Switch to the right window; Ctrl-C cancels. ")
            }
            // The user asked for these seconds: no event says when the user has changed to a window.
            Thread.sleep(forTimeInterval: 1)
        }
        if isTerminal { say("\r\u{1B}[K") }
    }

    private func say(_ text: String) { StandardStreams.complain(text) }
}
