import Foundation
import GRDB

/// Copies everything readable from a damaged store into a new one.
///
/// Simple and safe: the damaged file is only read, each row is read by itself, from both ends toward the
/// damage, and a row counts only if the new store's schema and the decoder accept it. A store of an older
/// version is copied unchanged, and then migrated.
enum StoreSalvage {
    /// More rows than that between two damaged places are not tried one by one.
    private static let largestGap: Int64 = 100_000

    private typealias Values = [String: DatabaseValue]

    /// - Parameters:
    ///   - store: has no tables yet, and has all of them afterward.
    ///   - revision: the newest one that readers may have seen.
    /// - Returns: the damaged store, its story told to the end.
    static func take(
        over damaged: DamagedStore, into store: DatabaseQueue, after revision: Revision
    ) throws -> DamagedStore {
        var found: [(table: String, rows: [Values])] = []
        if !damaged.isForeign, let old = try? Source(damaged.path), let last = try? old.lastMigration() {
            try StoreSchema.migrator.migrate(store, upTo: last)
            found = StoreSchema.salvaged.map { ($0, old.rows(of: $0)) }
            try store.write { db in
                for (table, rows) in found where try db.tableExists(table) {
                    try insert(rows, into: table, db)
                }
            }
        }
        try StoreSchema.migrator.migrate(store)
        let taken = try store.write { db in
            for id in try String.fetchAll(db, sql: "SELECT id FROM dictation") where !isSound(id, db) {
                try db.execute(sql: "DELETE FROM dictation WHERE id = ?", arguments: [id])
            }
            // Half of the numbers are left, should the bell have been damaged as well.
            try StoreSchema.mend(db, revision: max(0, min(revision, .max / 2)))
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM dictation") ?? 0
        }
        var result = damaged
        if !damaged.isForeign {
            result.story +=
                taken == 0
                ? "; nothing could be read from it"
                : "; \(taken) dictation\(taken == 1 ? " was" : "s were") taken over from it"
        }
        return result
    }

    private static func insert(_ rows: [Values], into table: String, _ db: Database) throws {
        let types = try Dictionary(
            db.columns(in: table).map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        for row in rows {
            // Damage may have changed what a column holds, and the decoder relies on it.
            let columns = row.filter { types[$0.key] != nil }
            guard columns.allSatisfy({ isOfType(types[$0.key], $0.value) }) else { continue }
            let names = columns.keys.sorted()
            let marks = names.map { _ in "?" }.joined(separator: ", ")
            do {
                try db.execute(
                    sql:
                        "INSERT OR REPLACE INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))",
                    arguments: StatementArguments(names.map { columns[$0] ?? .null }))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                // The schema refuses it: it is part of the damage.
            }
        }
    }

    private static func isOfType(_ declared: String?, _ value: DatabaseValue) -> Bool {
        switch (value.storage, declared) {
        case (.null, _), (.int64, "INTEGER"), (.string, "TEXT"), (.double, "REAL"), (.blob, "BLOB"): true
        default: false
        }
    }

    private static func isSound(_ id: String, _ db: Database) -> Bool {
        guard let id = DictationID(id) else { return false }
        return (try? StateStore.dictation(id, db)) != nil
    }

    /// The damaged file.
    private struct Source {
        private let queue: DatabaseQueue

        init(_ path: String) throws {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.prepareDatabase { db in
                // SQLite then reads the existing part of a file that is shorter than its header says.
                try db.execute(sql: "PRAGMA writable_schema = ON")
            }
            queue = try DatabaseQueue(path: path, configuration: configuration)
        }

        /// The newest migration that it had and this version knows; nil if it had none.
        func lastMigration() throws -> String? {
            let applied = try queue.read {
                Set(try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations"))
            }
            return StoreSchema.migrator.migrations.last(where: applied.contains)
        }

        /// The rows that can be read, in the order of their numbers; none if there is no such table. That is
        /// not checked: GRDB assumes that the list of the tables is complete, and ends the process if it is
        /// not.
        func rows(of table: String) -> [Values] {
            queue.unsafeRead { db in
                let select = "SELECT rowid AS salvaged_number, * FROM \(table) NOT INDEXED"
                let forward = fetch("\(select) ORDER BY rowid", [], db)
                let first = number(forward.last) ?? Int64.min
                let backward = fetch("\(select) WHERE rowid > ? ORDER BY rowid DESC", [first], db).reversed()
                guard let last = number(backward.first), first > .min, last - first > 1,
                    last - first <= largestGap
                else { return forward + backward }
                let between = (first + 1..<last).flatMap { fetch("\(select) WHERE rowid = ?", [$0], db) }
                return forward + between + backward
            }
        }

        private func fetch(_ sql: String, _ arguments: StatementArguments, _ db: Database) -> [Values] {
            var rows: [Values] = []
            do {
                let cursor = try Row.fetchCursor(db, sql: sql, arguments: arguments)
                while let row = try cursor.next() {
                    rows.append(Dictionary(row.map { ($0, $1) }, uniquingKeysWith: { first, _ in first }))
                }
            } catch {
                // Here the damage begins.
            }
            return rows
        }

        private func number(_ row: Values?) -> Int64? {
            row?["salvaged_number"].flatMap(Int64.fromDatabaseValue)
        }
    }
}
