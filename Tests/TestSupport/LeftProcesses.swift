import DictationSystem
import Foundation

/// The processes that have inherited a variable of the environment, however far they have gone from the one that had it
/// first: what a program has started, and what that has started.
public struct LeftProcesses: Sendable {
    private let entry: String

    /// - Parameter value: one that no other test gives to this variable.
    public init(withVariable name: String, value: String) { entry = "\(name)=\(value)" }

    /// Waits until all have ended: those that were told to end, or whose display has gone, need a moment.
    ///
    /// - Returns: the command lines of those that live on.
    public func afterTheirEnd(within limit: Duration = .seconds(30)) async -> [String] {
        let deadline = ContinuousClock.now + limit
        while let (pid, command) = there.first {
            // One that has just ended needs no waiting.
            guard let end = try? ProcessEnd(of: pid) else { continue }
            let left = Int32(max(.zero, ContinuousClock.now.duration(to: deadline)) / .milliseconds(1))
            let hasEnded = await withCheckedContinuation { continuation in
                startThread(named: "left-process") {
                    let ready = try? waitUntilReadable([end.raw], timeout: left)
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
            guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/environ"),
                data.split(separator: 0).contains(where: { $0.elementsEqual(entry.utf8) }),
                let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline"), !line.isEmpty
            else { return nil }
            return (pid, String(decoding: line, as: UTF8.self).replacing("\0", with: " "))
        }
    }
}
