import DictationSystem
import Foundation

/// Reports an error of a command to its caller, as all programs do: the program's name first. (An agent
/// has a log instead.)
package enum Complaint {
    package static func say(_ reason: any Error) { say(reason.story) }

    package static func say(_ reason: String) {
        // A path, a name or a server's words in it may contain control sequences that a terminal would obey.
        StandardStreams.complain("\(ProcessInfo.processInfo.processName): \(reason.displaySafe)\n")
    }
}
