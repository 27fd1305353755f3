import Foundation
import GRDB

extension StateStore {
    /// Whether removed dictations may have left traces in the store's files.
    public func hasTraces() throws -> Bool { try read(Self.hasTraces) }

    private static func hasTraces(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT traces > 0 FROM store_revision") == true
    }

    /// Bytes in use of a database that is written again whenever its oldest dictations go: some thousands of
    /// dictations, about ten milliseconds, for which others may have to wait. In a larger one deleted data is
    /// still overwritten, and its last traces are removed at the next start of host-agent, or when the user
    /// forgets something.
    public static let soonScrubbed = 2 << 20

    /// Rewrites the database with only its current content, and empties its -wal file.
    ///
    /// `secure_delete` alone leaves traces: SQLite overwrites what is deleted, but not the copies that it
    /// leaves when it moves rows from page to page. Other processes can read during that time; writers wait,
    /// for some milliseconds per thousand dictations.
    ///
    /// - Parameter largest: bytes in use; a database that has more keeps its traces until a call that allows it.
    /// - Throws: ``StoreError/tracesLeft(path:)`` if another process kept reading an older state;
    ///   ``StoreError``.
    public func scrub(largest: Int = .max) throws {
        let path = group.database.path
        guard try hasTraces(), try largest == .max || bytesInUse() <= largest else { return }
        try exclusively { db in
            // The traces may have gone while this process queued.
            guard try Self.hasTraces(db) else { return }
            try db.execute(sql: "VACUUM")
            do {
                _ = try db.checkpoint(.truncate)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                throw StoreError.tracesLeft(path: path + DatabaseFile.log.suffix)
            }
            try db.execute(sql: "UPDATE store_revision SET traces = 0")
        }
    }

    /// How much writing it again would write: without the pages of removed dictations.
    private func bytesInUse() throws -> Int {
        try read { db in
            let values = try ["page_count", "freelist_count", "page_size"].map {
                try Int.fetchOne(db, sql: "PRAGMA \($0)") ?? 0
            }
            return (values[0] - values[1]) * values[2]
        }
    }
}
