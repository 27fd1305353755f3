import Foundation

/// What the kernel reports about a process in `/proc/PID/stat` (proc(5)).
public struct ProcessStat: Equatable, Sendable {
    /// The program's name, at most 15 bytes of it.
    public let name: String
    /// `R` runs, `S` sleeps, `T` is stopped, `t` stopped by a debugger, `D` waits for a disk, and others.
    public let state: Character
    public let parent: Int32
    /// Clock ticks from the boot to the start.
    public let startTime: UInt64

    /// Nil if the process is gone.
    public init?(of pid: Int32) {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
        self.init(line: String(decoding: data, as: UTF8.self))
    }

    /// Nil if it is not such a line.
    init?(line: String) {
        // The name, in parentheses, may itself have blanks and parentheses: what follows counts from its end.
        guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close else {
            return nil
        }
        let fields = line[line.index(after: close)...].split(separator: " ")
        guard fields.count > 19, let state = fields[0].first, let parent = Int32(fields[1]),
            let startTime = UInt64(fields[19])
        else { return nil }
        name = String(line[line.index(after: open)..<close])
        (self.state, self.parent, self.startTime) = (state, parent, startTime)
    }

    /// Whether it is stopped until it gets SIGCONT (SIGSTOP, Ctrl-Z in a terminal, a debugger).
    public var isStopped: Bool { state == "T" || state == "t" }
}
