import DictationSystem
import Foundation
import Synchronization

/// Held for life by the one running agent of a role.
public final class RoleLock: Sendable {
    public struct Taken: Error, Equatable, Sendable, CustomStringConvertible {
        public let role: AgentRole
        /// Of the agent that runs; nil if it did not say.
        public let pid: Int32?

        public var description: String {
            "\(role.rawValue) is already running for this app group"
                + (pid.map { " (process \($0)). Stop it first: kill \($0)" } ?? ".")
        }
    }

    private let role: AgentRole
    private let group: AppGroup
    private let lock: Mutex<FileLock>

    /// Takes the role.
    ///
    /// - Throws: ``Taken`` if another process has it, ``SystemError``.
    public init(_ role: AgentRole, in group: AppGroup) throws {
        self.role = role
        self.group = group
        lock = Mutex(try Self.take(role, in: group))
    }

    /// Takes the role again where the lock's file was removed, or the whole folder was: others see only the file
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
        lock.setNote("\(ProcessInfo.processInfo.processIdentifier)\n")
        return lock
    }

    /// The process that holds a role at this moment, as far as it can be named; nil if nobody does.
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
