import DictationShared
import DictationSystem
import Foundation
import Glibc

/// Starts an agent that outlives this program and its terminal, and waits until it works, as a service manager does
/// (sd_notify(3)).
enum DetachedAgent {
    /// Seconds. An agent that loads nothing else is ready in some tens of milliseconds.
    private static let limit = 30

    /// Where the logs are. Each start of an agent begins its log again.
    static var logFolder: URL {
        URL(filePath: UserFolder.state.path() + "/voicedictation", directoryHint: .isDirectory)
    }

    private static func logFile(of role: AgentRole) -> URL {
        logFolder.appending(path: "\(role.rawValue).log")
    }

    /// Empties a log, or makes it. It has titles of windows in it: nobody else may read it, whatever its mode was.
    ///
    /// - Throws: ``SystemError``, also for a symbolic link.
    static func beginLog(at path: String) throws -> Descriptor {
        let log = try Descriptor.opening("open \(path)") {
            open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        try retryingInterrupted("change the mode of \(path)") { fchmod(log.raw, 0o600) }
        return log
    }

    /// - Returns: the reason why it does not run; nil if it runs.
    static func start(_ role: AgentRole) async -> String? {
        await withCheckedContinuation { continuation in
            startThread(named: "agent-start") {
                do {
                    continuation.resume(returning: try run(role))
                } catch {
                    continuation.resume(returning: "\(error)")
                }
            }
        }
    }

    private static func run(_ role: AgentRole) throws -> String? {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "voicedictation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let address = folder.appending(path: "notify").path
        let notified = try UnixAddress(address).bind(.datagram)
        let program = ChildProcess.thisProgram.deletingLastPathComponent().appending(path: role.rawValue)
        let log = logFile(of: role).path(percentEncoded: false)
        try FileManager.default.createDirectory(
            at: logFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let errors = try beginLog(at: log)
        let agent = try StartedProcess(
            program.path,
            environment: ProcessInfo.processInfo.environment.merging(["NOTIFY_SOCKET": address]) { $1 },
            errors: .descriptor(errors), leading: .session)
        let end = try ProcessEnd(of: agent.id)
        let ready = try waitUntilReadable([notified.raw, end.raw], until: .now + .seconds(limit))
        if ready.contains(notified.raw) { return nil }
        if ready.isEmpty { return "it is not ready after \(limit) s" }
        let words = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return words.split(separator: "\n").last.map(String.init) ?? "it ended (\(agent.reap()))"
    }
}
