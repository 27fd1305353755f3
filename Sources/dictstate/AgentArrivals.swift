import DictationShared
import DictationSystem
import Foundation

/// Agents that start, as something to wait for: each writes its number into its lock's file.
final class AgentArrivals {
    private let events: FileEvents

    /// - Throws: ``SystemError``
    init(in group: AppGroup) throws {
        events = try FileEvents()
        for role in AgentRole.allCases {
            // Asking makes the file, where no agent ever ran.
            _ = try RoleLock.holder(of: role, in: group)
            try events.watch(group.lock(of: role).path, for: [.modified])
        }
    }

    /// What to give to ``waitUntilReadable(_:timeout:)``.
    var raw: [Int32] { [events.raw] }

    func clear() { _ = events.take() }
}
