import DictationSystem
import Foundation

/// The processes that a program has started, and those that they have started, however far from the first
/// one.
public struct LeftProcesses: Sendable {
    /// Whether a process is one of them, by its command line and its environment as the kernel gives them.
    private let isOne: @Sendable (_ command: Data, _ environment: Data) -> Bool

    /// Those that have inherited a variable of the environment.
    ///
    /// - Parameter value: one that no other test gives to this variable.
    public init(withVariable name: String, value: String) {
        let entry = "\(name)=\(value)"
        isOne = { $1.split(separator: 0).contains { $0.elementsEqual(entry.utf8) } }
    }

    /// Those whose command line names a folder: Chromium writes over its environment.
    public init(naming folder: URL) {
        let path = Data(folder.path(percentEncoded: false).utf8)
        isOne = { command, _ in command.range(of: path) != nil }
    }

    /// Ends them all, with SIGKILL, and waits until they have.
    public func end() {
        while let (pid, _) = there.first {
            // One that has just ended needs no waiting.
            guard let end = try? ProcessEnd(of: pid) else { continue }
            kill(pid, SIGKILL)
            guard (try? waitUntilReadable([end.raw], until: .now + Program.defaultLimit))?.isEmpty == false
            else {
                return
            }
        }
    }

    /// Sends a signal to all of them.
    func signal(_ number: Int32) { for (pid, _) in there { kill(pid, number) } }

    /// Waits until all have ended: those that were told to end, or whose display has gone, need a moment.
    ///
    /// - Returns: the command lines of those that still run.
    public func afterTheirEnd(within limit: Duration = Program.defaultLimit) async -> [String] {
        let deadline = ContinuousClock.now + limit
        while let (pid, command) = there.first {
            // One that has just ended needs no waiting.
            guard let end = try? ProcessEnd(of: pid) else { continue }
            let hasEnded = await withCheckedContinuation { continuation in
                startThread(named: "left-process") {
                    let ready = try? waitUntilReadable([end.raw], until: deadline)
                    continuation.resume(returning: ready?.isEmpty == false)
                }
            }
            if !hasEnded { return [command] + there.map(\.command).filter { $0 != command } }
        }
        return []
    }

    private var there: [(pid: Int32, command: String)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.compactMap { pid in
            guard let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline"), !line.isEmpty,
                let environment = FileManager.default.contents(atPath: "/proc/\(pid)/environ"),
                isOne(line, environment)
            else { return nil }
            return (pid, String(decoding: line, as: UTF8.self).replacing("\0", with: " "))
        }
    }
}
