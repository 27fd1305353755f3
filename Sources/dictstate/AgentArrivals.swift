import DictationShared
import DictationSystem
import Foundation

/// Waits for agents that start: each writes its process ID into its lock's file.
final class AgentArrivals {
    private let events: FileEvents
    private let group: AppGroup
    private var watched: Set<AgentRole> = []

    /// - Throws: ``SystemError``
    init(in group: AppGroup) throws {
        self.group = group
        events = try FileEvents()
        // If no agent ever ran, the first one makes the file.
        try events.watch(group.folder.path, for: [.entryCreated, .entryMovedIn])
        watchFiles()
    }

    /// For ``waitUntilReadable(_:timeout:)``.
    var raw: [Int32] { [events.raw] }

    func clear() {
        let happened = events.take()
        // A file that was removed and made again is another one.
        for role in AgentRole.allCases where happened.contains(where: { $0.name == role.lockFile }) {
            watched.remove(role)
        }
        watchFiles()
    }

    private func watchFiles() {
        for role in AgentRole.allCases where !watched.contains(role) {
            do {
                try events.watch(group.lock(of: role).path, for: [.modified])
                watched.insert(role)
            } catch {
                // It does not exist yet; the folder reports its creation.
            }
        }
    }
}
