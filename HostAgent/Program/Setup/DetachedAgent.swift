import DictationShared
import DictationSystem
import Foundation
import Glibc

/// Starts an agent that outlives this program and its terminal, and waits until it works, as a service manager does
/// (sd_notify(3)).
enum DetachedAgent {
    /// Seconds. An agent that loads nothing else is ready in some tens of milliseconds.
    private static let limit = 30

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
        let notified = try listen(at: address)
        let program = ChildProcess.thisProgram.deletingLastPathComponent().appending(path: role.rawValue)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // A session of its own: the end of this terminal is not its end.
        process.arguments = ["setsid", program.path]
        process.environment = ProcessInfo.processInfo.environment.merging(["NOTIFY_SOCKET": address]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let log = folder.appending(path: "log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: log)
        let ended = try WakeUp()
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        let ready = try waitUntilReadable([notified.raw, ended.raw], timeout: Int32(limit * 1_000))
        if ready.contains(notified.raw) { return nil }
        if ready.isEmpty { return "it is not ready after \(limit) s" }
        let words = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return words.split(separator: "\n").last.map(String.init) ?? "exit code \(process.terminationStatus)"
    }

    private static func listen(at path: String) throws -> Descriptor {
        let descriptor = try Descriptor.opening("make a socket") {
            socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError("bind \(path)", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        try withUnsafePointer(to: &address) { pointer in
            _ = try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try retryingInterrupted("bind \(path)") {
                    bind(descriptor.raw, address, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        return descriptor
    }
}
