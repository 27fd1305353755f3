import Foundation
import Glibc

/// Time to change to another window.
enum Countdown {
    /// Returns after so many seconds, at once if nil. On a terminal they are counted down; Ctrl-C ends the command, and
    /// nothing is typed.
    static func wait(seconds: Int?) {
        guard let seconds else { return }
        let isTerminal = isatty(STDERR_FILENO) == 1
        for left in stride(from: seconds, to: 0, by: -1) {
            if isTerminal {
                say("\r\u{1B}[KTyping in \(left) s. Change to the window that is meant; Ctrl-C cancels. ")
            }
            // The seconds are what was asked for: no event says when somebody has changed to a window.
            Thread.sleep(forTimeInterval: 1)
        }
        if isTerminal { say("\r\u{1B}[K") }
    }

    private static func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
