import Foundation
import GRDB

/// Takes dictations over from a damaged store into a fresh one.
///
/// Simple and safe: the damaged file is only read, each row is read by itself, from both ends towards the damage,
/// and a row counts only if the fresh store's schema and its decoder accept it.
enum StoreSalvage {
    /// More rows than that between two damaged places are not tried one by one.
    private static let largestGap: Int64 = 100_000

    /// - Returns: the damaged store, its story told to the end.
    static func take(
        over damaged: DamagedStore, into store: DatabasePool, after revision: Revision
    ) throws -> DamagedStore {
        let rows = damaged.isForeign ? [] : (try? read(damaged.path)) ?? []
        var taken = 0
        try store.write { db in
            let columns = try db.columns(in: "dictation").map(\.name)
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            let insert = try db.makeStatement(
                sql: "INSERT INTO dictation (\(columns.joined(separator: ", "))) VALUES (\(marks))")
            var last = max(0, min(revision, .max / 2))
            for row in rows {
                last += 1
                var values = columns.map { row[$0] ?? .null }
                for (index, name) in columns.enumerated() where name == "revision" {
                    values[index] = last.databaseValue
                }
                do {
                    try db.inSavepoint {
                        try insert.execute(arguments: StatementArguments(values))
                        return try isSound(db.lastInsertedRowID, db) ? .commit : .rollback
                    }
                } catch is DatabaseError {
                    // The schema refuses it: it is part of the damage.
                }
            }
            try db.execute(sql: "UPDATE counter SET revision = ?", arguments: [last])
            taken = try Int.fetchOne(db, sql: "SELECT count(*) FROM dictation") ?? 0
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

    /// Whether a row has the types that the decoder relies on: damage may have changed them.
    private static func isSound(_ rowID: Int64, _ db: Database) throws -> Bool {
        let row = try Row.fetchOne(
            db, sql: "SELECT \(DictationRow.columns) FROM dictation WHERE spoken = ?", arguments: [rowID])
        guard let row else { return false }
        let declared = try Dictionary(
            db.columns(in: "dictation").map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        for (name, value) in row {
            switch (value.storage, declared[name]) {
            case (.null, _), (.int64, "INTEGER"), (.string, "TEXT"): continue
            default: return false
            }
        }
        return (try? DictationRow.decode(row)) != nil && DictationID(row["id"] as String) != nil
    }

    /// The rows of `dictation` that can be read, in the order in which they were spoken.
    private static func read(_ path: String) throws -> [[String: DatabaseValue]] {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { db in
            // SQLite then reads what is there of a file that is shorter than its header says.
            try db.execute(sql: "PRAGMA writable_schema = ON")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        return try queue.unsafeRead { db in
            let columns = try db.columns(in: "dictation").map(\.name)
            guard columns.contains("spoken") else { return [] }
            let select = "SELECT \(columns.joined(separator: ", ")) FROM dictation"
            func fetch(_ sql: String, _ arguments: StatementArguments = []) -> [[String: DatabaseValue]] {
                var rows: [[String: DatabaseValue]] = []
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
            func number(_ row: [String: DatabaseValue]?) -> Int64? {
                row?["spoken"].flatMap(Int64.fromDatabaseValue)
            }
            let forward = fetch("\(select) NOT INDEXED ORDER BY spoken")
            let first = number(forward.last) ?? 0
            let backward = fetch(
                "\(select) NOT INDEXED WHERE spoken > ? ORDER BY spoken DESC", [first]
            ).reversed()
            guard let last = number(backward.first), last - first > 1, last - first <= largestGap else {
                return forward + backward
            }
            let between = (first + 1..<last).flatMap { fetch("\(select) NOT INDEXED WHERE spoken = ?", [$0]) }
            return forward + between + backward
        }
    }
}
