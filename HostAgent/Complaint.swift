import Foundation

/// What went wrong in a command, said to the one who started it, as all programs say it: the program's name first. (An agent
/// has a log instead.)
package enum Complaint {
    package static func say(_ reason: any Error) { say(reason.story) }

    package static func say(_ reason: String) {
        let text = "\(ProcessInfo.processInfo.processName): \(reason)\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}
