import CLinux
import Foundation
import Glibc

/// The standard streams of a program.
public enum StandardStreams {
    /// Output that could not be written; it is reported once.
    public struct OutputLost: Error, Equatable, CustomStringConvertible {
        /// The errno value, such as `ENOSPC`; nil if it is not known.
        public let code: Int32?

        public var description: String {
            "The output could not be written" + (code.map { ": " + String(cString: strerror($0)) } ?? "")
        }
    }

    /// Occupies the numbers of closed streams, before one of the program's files gets one of them and output is
    /// written into that file. Writing there fails, as it does if a stream is closed.
    public static func reserve() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Flushes the output so far.
    ///
    /// - Throws: ``OutputLost`` if some of it has been lost, now or before.
    public static func flushOutput() throws(OutputLost) {
        let code = clinux_flush_output()
        if code != 0 { throw OutputLost(code: code > 0 ? code : nil) }
    }

    /// Writes to standard error. A failure cannot be reported.
    public static func complain(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
