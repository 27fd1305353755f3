import DictationShared
import DictationSystem
import Foundation
import Glibc

/// The host-agent that belongs to this program.
public enum HostProgram {
    /// The one that is installed with this program; otherwise its name, to find in PATH.
    public static var path: String { InstalledProgram.path(AgentRole.host.rawValue) }

    /// Why this process is still itself.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// This process becomes host-agent: the same process, in the same place of its terminal or its unit.
    ///
    /// - Returns: only if that fails.
    public static func become(_ arguments: [String]) -> Failure {
        let program = path
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        execvp(program, &words)
        return Failure(
            description: """
                \(program) cannot be started: \(String(cString: strerror(errno))). Install it next to \
                \(ChildProcess.thisProgram.lastPathComponent), or put it in PATH.
                """)
    }
}
