import DictationSystem
import Foundation
import Synchronization

/// Held for life by the one running agent of a role.
public final class RoleLock: Sendable {
    public struct Taken: Error, Equatable, Sendable, CustomStringConvertible {
        public let role: AgentRole
        /// The process ID of the running agent; nil if it is unknown.
        public let pid: Int32?

        public var description: String {
            "\(role.rawValue) is already running for this app group"
                + (pid.map { " (process \($0)). Stop it first: kill \($0)" } ?? ".")
        }
    }

    public let role: AgentRole
    private let group: AppGroup
    private let lock: Mutex<FileLock>

    /// Takes the role.
    ///
    /// - Throws: ``Taken`` if another process has it, ``SystemError``.
    public convenience init(_ role: AgentRole, in group: AppGroup) throws {
        self.init(role, group, try Self.take(role, in: group))
    }

    private init(_ role: AgentRole, _ group: AppGroup, _ lock: FileLock) {
        self.role = role
        self.group = group
        self.lock = Mutex(lock)
    }

    /// Takes the role as soon as it is free.
    ///
    /// - Returns: a stream of the lock, which then ends. A thread sleeps in the kernel's queue until then; if
    ///   the stream is dropped, it releases the role at once.
    public static func whenFree(
        _ role: AgentRole, in group: AppGroup
    ) -> AsyncThrowingStream<RoleLock, any Error> {
        let (stream, continuation) = AsyncThrowingStream<RoleLock, any Error>.makeStream()
        startThread(named: role.rawValue) {
            do {
                continuation.yield(RoleLock(role, group, try waitForLock(of: role, in: group)))
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return stream
    }

    private static func waitForLock(of role: AgentRole, in group: AppGroup) throws -> FileLock {
        while true {
            let lock = try FileLock(path: group.lock(of: role).path)
            try lock.lock()
            // The former holder may have switched to a new file, as ``renew()`` does.
            guard lock.isInPlace() else { continue }
            noteHolder(in: lock)
            return lock
        }
    }

    /// Takes the role again if the lock's file was removed, or the whole folder was: others see only the file
    /// that is there now.
    ///
    /// - Throws: ``Taken`` if another process has it by now, ``SystemError``.
    public func renew() throws {
        try lock.withLock { lock in
            if !lock.isInPlace() { lock = try Self.take(role, in: group) }
        }
    }

    private static func take(_ role: AgentRole, in group: AppGroup) throws -> FileLock {
        let lock = try FileLock(path: group.lock(of: role).path)
        guard try lock.tryLock() else { throw Taken(role: role, pid: pid(in: lock.note())) }
        noteHolder(in: lock)
        return lock
    }

    private static func noteHolder(in lock: FileLock) {
        lock.setNote("\(ProcessInfo.processInfo.processIdentifier)\n")
    }

    /// The process that holds a role at this moment, as far as it can be named; nil if no process does.
    public static func holder(of role: AgentRole, in group: AppGroup) throws -> Holder? {
        guard let lock = try FileLock.existing(path: group.lock(of: role).path), try lock.isHeldElsewhere()
        else { return nil }
        return Holder(pid: pid(in: lock.note()))
    }

    public struct Holder: Equatable, Sendable {
        public let pid: Int32?
    }

    private static func pid(in note: String) -> Int32? {
        Int32(note.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
