import Desktop
import Foundation
import GRDB
import Synchronization
import Testing

@testable import DictationShared

/// Stores as older versions of this program left them.
@Suite("A store of an older version")
struct MigrationTests {
    /// Makes a store by the first `version` migrations alone, with a row for each kind of dictation.
    private static func make(version: Int, in group: AppGroup) throws {
        let queue = try DatabaseQueue(path: group.database.path)
        let migrator = StoreSchema.migrator
        try migrator.migrate(queue, upTo: migrator.migrations[version - 1])
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: "PRAGMA application_id = \(AppGroupConstants.databaseApplicationID)")
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        try queue.write { db in
            let unfinished = version < 7 ? "live" : "unfinished_dictation"
            let rows: [(status: String, delivery: String?, count: Int)] = [
                ("ready", "inserted", 5), ("ready", "held", 2), ("ready", "claimed", 1),
                ("recording", nil, 0),
            ]
            for (index, row) in rows.enumerated() {
                let number = index + 1
                try db.execute(
                    sql: """
                        INSERT INTO dictation (spoken, id, revision, timestamp, status, delivery,
                            delivery_detail, ready_at, raw_text, cleaned_text, inserted_count, engine, locale,
                            recording_ms)
                        VALUES (?, ?, ?, ?, ?, ?, ?, 1700000000000, 'hello', 'Hello.', ?, 'test', 'en-US', 7)
                        """,
                    arguments: [
                        number, id(number).description, number * 10, 1_700_000_000_000 + number, row.status,
                        row.delivery, row.delivery == "held" ? "no-focus" : "a/1/2", row.count,
                    ])
                if version > 1, row.delivery == "claimed" || row.status == "recording" {
                    try db.execute(
                        sql: """
                            INSERT INTO \(unfinished) (spoken, revision, inserted_count, partial_text)
                                VALUES (?, ?, ?, 'partial words')
                            """,
                        arguments: [number, number * 10, row.count])
                }
            }
            if try db.tableExists("signature") {
                try db.execute(
                    sql: """
                        INSERT INTO signature (spoken)
                            SELECT spoken FROM dictation WHERE spoken NOT IN (SELECT spoken FROM \(unfinished))
                        """)
            }
            if version == 1 {
                try db.execute(sql: "UPDATE counter SET revision = 40")
                try db.execute(sql: "UPDATE dictation SET partial_text = 'partial words' WHERE spoken > 2")
            } else if version < 7 {
                try db.execute(sql: "UPDATE live SET revision = 40 WHERE spoken <= 0")
            } else {
                try db.execute(sql: "UPDATE store_revision SET newest = 40, finished = 40")
            }
        }
        try queue.close()
    }

    private static func id(_ number: Int) -> DictationID {
        DictationID(trusted: "0198c0de-0000-7000-8000-00000000000\(number)")
    }

    @Test("is opened as it is, and continues", arguments: 1..<Int(StoreSchema.version))
    func migrated(version: Int) throws {
        let test = try TestGroup()
        try Self.make(version: version, in: test.group)
        let notices = Mutex<[StoreNotice]>([])
        let store = try StateStore(group: test.group) { notice in notices.withLock { $0.append(notice) } }
        #expect(notices.withLock { $0.isEmpty })
        #expect(try store.revision() == 40)
        let states = try store.changes(since: 0).dictations
        #expect(states.map(\.id) == (1...4).map(Self.id))
        #expect(
            states.map(\.phase) == [
                .ready(.inserted), .ready(.held(.noFocus)), .ready(.claimed(by: Claimant("a/1/2"))),
                .recording,
            ])
        #expect(states.map(\.insertedCount) == [5, 2, 1, 0])
        #expect(states.map(\.revision) == [10, 20, 30, 40])
        #expect(states.map(\.partialText) == ["", "", "partial words", "partial words"])
        #expect(
            states.allSatisfy { $0.cleanedText == "Hello." && $0.timings.recording == 7 && !$0.isPrivate })
        #expect(states.allSatisfy { $0.route == nil })
        let route = InsertionRoute(.keys, isConfirmed: true)
        try store.apply(.routed(route), to: Self.id(3))
        #expect(try store.dictation(Self.id(3))?.route == route)
        try store.apply(.inserted(milliseconds: 1), to: Self.id(3))
        #expect(try store.changes(since: 40).dictations.map(\.id) == [Self.id(3)])
        // The features of the newest version work on the old rows.
        #expect(try store.history(HistoryQuery(words: "hello", limit: 9)).count == 4)
        #expect(try store.forget(.one(Self.id(1))).ids == [Self.id(1)])
        #expect(try store.changes(since: 42).removed == [Self.id(1)])
        #expect(states.allSatisfy { $0.growth == nil && $0.wrongCommits == 0 })
        let grown = try store.apply(.grown("Hello. And"), to: Self.id(4))
        #expect(grown.growth == .open && grown.remainder == "Hello. And")
        #expect(try store.dictation(Self.id(4)) == grown)
        try store.apply(.processingStarted(recording: 1), to: Self.id(4))
        try store.apply(.claimed(by: Claimant("a/1/2")), to: Self.id(4))
        try store.apply(.paused(10), to: Self.id(4))
        let revised = try store.apply(.regrown("Hello, and"), to: Self.id(4))
        #expect(revised.revisedText == "Hello, and")
        #expect(try store.dictation(Self.id(4)) == revised)
    }
}
