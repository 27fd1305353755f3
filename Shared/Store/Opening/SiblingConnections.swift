import Foundation
import Synchronization

/// The connections that this process has to the store of one group.
///
/// SQLite keeps one open -shm file for all connections of a process to one database. A connection that is opened while
/// another one still has a removed -shm file would get that, together with the new -wal file: it would neither see nor be
/// seen by other processes, and write pages into the wrong places. So all connections whose files are no longer in
/// place are closed before one is opened.
final class SiblingConnections: Sendable {
    private static let byFolder = Mutex<[String: SiblingConnections]>([:])

    private struct Weak {
        weak var connection: StoreConnection?
    }

    private let open = Mutex<[Weak]>([])

    static func of(_ group: AppGroup) -> SiblingConnections {
        byFolder.withLock { all in
            let path = group.folder.path
            let siblings = all[path] ?? SiblingConnections()
            all[path] = siblings
            return siblings
        }
    }

    /// Opens a connection. To be called by nobody who is using one of this group: it may have to be closed.
    ///
    /// Those who lose their connection find it closed at its next use, which is ``StoreFault/replaced``.
    func opening(_ open: () throws -> StoreConnection) throws -> StoreConnection {
        try self.open.withLock { siblings in
            siblings.removeAll { $0.connection == nil }
            for sibling in siblings.compactMap(\.connection) where !sibling.isInPlace() { sibling.close() }
            let new = try open()
            siblings.append(Weak(connection: new))
            return new
        }
    }
}
