import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import DictationShared

/// A store's files can be anything: each test turns them into something other than a store, and checks the
/// result.
@Suite("A damaged or foreign store")
struct DamageTests {
    /// A closed store with `count` dictations, all of them in the database file: closing moves them there.
    static func filled(_ test: TestGroup, count: Int) throws -> [DictationID] {
        let ids = try write(count, to: test)
        for suffix in ["-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: test.group.database.path + suffix)
        }
        return ids
    }

    private static func write(_ count: Int, to test: TestGroup) throws -> [DictationID] {
        let store = try test.store()
        return try (0..<count).map { try store.addReady("Text number \($0) with some more words.").id }
    }

    static func open(_ test: TestGroup) throws -> (store: StateStore, notices: Notices) {
        let notices = Notices()
        return (try StateStore(group: test.group, onNotice: { notices.add($0) }), notices)
    }

    static let replacements: [(String, @Sendable (URL) throws -> Void)] = [
        ("a letter", { try Data("this is a letter to my aunt, not a database".utf8).write(to: $0) }),
        ("garbage", { try Data((0..<100_000).map { _ in UInt8.random(in: 0...255) }).write(to: $0) }),
        ("zeroes", { try Data(count: 65_536).write(to: $0) }),
        ("a folder", { try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false) }),
        (
            "a symbolic link",
            {
                try FileManager.default.createSymbolicLink(
                    at: $0, withDestinationURL: URL(fileURLWithPath: "/etc/passwd"))
            }
        ),
        ("a header and no more", { try Data("SQLite format 3\0".utf8).write(to: $0) }),
    ]

    @Test(
        "a file that is no database is moved aside as it is, and a fresh store is made",
        arguments: replacements.indices)
    func noDatabase(index: Int) throws {
        let test = try TestGroup()
        let path = test.group.database
        try Self.replacements[index].1(path)
        let before = try? Data(contentsOf: path)
        let (store, notices) = try Self.open(test)
        let id = try store.addReady("fresh").id
        #expect(try test.store().dictation(id)?.cleanedText == "fresh")
        let damaged = try #require(notices.movedAside.first)
        #expect(damaged.path.hasPrefix(path.path + ".damaged-"))
        #expect((try? Data(contentsOf: URL(fileURLWithPath: damaged.path))) == before)
        #expect(DamagedStore.all(in: test.group).map(\.path) == [damaged.path])
        #expect(
            try FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions] as? Int == 0o600)
    }

    @Test("another program's database is moved aside with its -wal file, unchanged to the byte")
    func foreignDatabase() async throws {
        let test = try TestGroup()
        let path = test.group.database.path
        // Left without closing, so that what matters is in the -wal file.
        _ = try await Program.run(
            "python3",
            [
                "-c",
                """
                import sqlite3, os
                db = sqlite3.connect('\(path)')
                db.execute('PRAGMA journal_mode = WAL')
                db.execute('CREATE TABLE mail (text)')
                db.execute("INSERT INTO mail VALUES ('hello')")
                db.commit()
                os._exit(0)
                """,
            ])
        let before = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) }
        let (store, notices) = try Self.open(test)
        #expect(try store.history(limit: 1).isEmpty)
        let damaged = try #require(notices.movedAside.first)
        let after = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: damaged.path + $0)) }
        #expect(before == after)
        #expect(damaged.story.contains("another program"))
    }

    @Test("zeroes in the middle: what is before and after them is copied, in the order of speaking")
    func zeroesInTheMiddle() throws {
        let test = try TestGroup()
        let ids = try Self.filled(test, count: 400)
        let size = try Data(contentsOf: test.group.database).count
        // A tenth of the pages: some of the table, some of its indexes.
        let file = try FileHandle(forWritingTo: test.group.database)
        try file.seek(toOffset: UInt64(size / 2 / 4096 * 4096))
        try file.write(contentsOf: Data(count: size / 10 / 4096 * 4096))
        try file.close()
        let (store, notices) = try Self.open(test)
        let found = try store.history(limit: .max).map(\.id).reversed()
        #expect(
            try #require(notices.movedAside.first).story.contains("\(found.count) dictations were taken over")
        )
        #expect(found.count > 300 && found.count < 400)
        #expect(Array(found) == ids.filter(Set(found).contains))
        // All that is read is read without a fault from now on.
        #expect(try test.store().changes(since: 0).dictations.count == found.count)
    }

    @Test("a list of the tables with a hole in it: what the tables hold is taken over")
    func holeInTheSchema() throws {
        let test = try TestGroup()
        let ids = try Self.filled(test, count: 20)
        let queue = try DatabaseQueue(path: test.group.database.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    INSERT INTO sqlite_master VALUES (NULL, NULL, NULL, NULL, NULL);
                    """)
        }
        try queue.close()
        let (store, notices) = try Self.open(test)
        #expect(notices.movedAside.count == 1)
        #expect(try store.changes(since: 0).dictations.map(\.id) == ids)
    }

    @Test("a file that ends too early is damage, and its beginning is taken over")
    func truncated() throws {
        let test = try TestGroup()
        let ids = try Self.filled(test, count: 400)
        let size = try Data(contentsOf: test.group.database).count
        try FileHandle(forWritingTo: test.group.database).truncate(atOffset: UInt64(size / 2))
        let (store, notices) = try Self.open(test)
        let found = try Set(store.history(limit: .max).map(\.id))
        #expect(!found.isEmpty && found.isSubset(of: ids))
        #expect(notices.movedAside.count == 1)
        try store.apply(.discarded, to: try store.addReady("it can be written").id)
    }

    @Test("damage that shows while the store is in use is repaired without opening it again by hand")
    func whileRunning() throws {
        let test = try TestGroup()
        let (store, notices) = try Self.open(test)
        let ids = try (0..<200).map { try store.addReady("Text number \($0).").id }
        try store.checkpoint()
        // A process that has the pages in its cache does not see it; this one reads it from the disk.
        let size = try Data(contentsOf: test.group.database).count
        let file = try FileHandle(forWritingTo: test.group.database)
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data((4096..<size).map { _ in UInt8.random(in: 0...255) }))
        try file.close()
        let other = try test.store()
        _ = try other.history(limit: .max)
        // The first one finds its files replaced with its next write, and continues with the new ones.
        let added = try store.addReady("after the damage")
        #expect(try other.dictation(added.id)?.cleanedText == "after the damage")
        #expect(try store.history(limit: .max).contains { $0.id == added.id })
        #expect(DamagedStore.all(in: test.group).count == 1, "it is moved aside once")
        #expect(try !store.history(limit: .max).contains { !(ids + [added.id]).contains($0.id) })
        _ = notices
    }

    /// How far a repair had come when its process died; each step follows on those before it.
    enum Cut: CaseIterable { case bellEnded, databaseMoved, allMoved, begun, halfTakenOver }

    @Test(
        "a repair that was cut off is finished by the next one, and nothing of it is lost",
        arguments: Cut.allCases)
    func cutOff(cut: Cut) async throws {
        let test = try TestGroup()
        let other = try test.store()
        let ids = try (0..<20).map { try other.addReady("Text number \($0).").id }
        let path = test.group.database.path
        let old = path + ".damaged-2026-11-21T16-05-00"
        // The mark at the end of a bell, as the repairing process has set it.
        let bell = try FileHandle(forWritingTo: test.group.revision)
        try bell.seek(toOffset: 8)
        try bell.write(contentsOf: [0])
        for suffix in ["", "-wal", "-shm"] where cut != .bellEnded && (suffix == "" || cut != .databaseMoved)
        {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: old + suffix)
        }
        if [.begun, .halfTakenOver].contains(cut) {
            let statements = cut == .begun ? "" : "CREATE TABLE grdb_migrations (identifier TEXT);"
            _ = try await Program.run(
                "python3",
                [
                    "-c",
                    """
                    import sqlite3
                    db = sqlite3.connect('\(path)')
                    db.executescript('PRAGMA application_id = 0x56446374; PRAGMA journal_mode = WAL; \(statements)')
                    """,
                ])
        }
        let (store, notices) = try Self.open(test)
        #expect(try store.history(limit: .max).map(\.id).reversed() == ids)
        if cut == .bellEnded {
            #expect(notices.movedAside.isEmpty)
        } else {
            let damaged = try #require(notices.movedAside.first)
            #expect(damaged.path == old && damaged.story.contains("20 dictations were taken over"))
            #expect(DamagedStore.all(in: test.group) == [damaged])
        }
        // A process that had the old files open follows, and nothing more is written to them.
        let added = try other.addReady("after the repair").id
        #expect(try store.dictation(added)?.cleanedText == "after the repair")
    }

    @Test(
        "files are moved only when nobody is in the middle of opening them, and not opened while they are moved"
    )
    func movingLock() async throws {
        let test = try TestGroup()
        let id = try Self.filled(test, count: 1)[0]
        let damaged = try Data(contentsOf: test.group.database).prefix(5000)
        let (waits, isWaiting) = AsyncStream.makeStream(of: Void.self)
        let opening = try #require(try FilesLock(sharing: test.group))
        // Many may open them together.
        let another = try #require(try FilesLock(sharing: test.group))
        another.leave()
        try damaged.write(to: test.group.database)
        let group = test.group
        async let moved = withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    returning: Result {
                        try StateStore(group: group) { notice in
                            if case .waitsForLock = notice { isWaiting.yield() }
                        }
                    })
                isWaiting.finish()
            }
        }
        for await _ in waits { break }
        #expect(DamagedStore.all(in: group).isEmpty)
        opening.leave()
        let store = try await moved.get()
        #expect(DamagedStore.all(in: group).count == 1)
        let moving = try FilesLock(movingFilesOf: group) { _ in }
        #expect(try FilesLock(sharing: group) == nil)
        #expect(StoreConnection(lookingAt: group) == nil)
        moving.leave()
        #expect(StoreConnection(lookingAt: group) != nil)
        _ = (store, id)
    }

    @Test("a reader waits while another process puts a fresh store in place")
    func whileRepaired() async throws {
        let test = try TestGroup()
        let (waits, isWaiting) = AsyncStream.makeStream(of: Void.self)
        let store = try StateStore(group: test.group) { notice in
            if case .waitsForLock = notice { isWaiting.yield() }
        }
        let id = try store.addReady("Still there.").id
        let lock = try FileLock(path: test.group.storeLock.path)
        try lock.lock()
        let database = test.group.database
        let aside = test.folder.appending(path: "aside")
        try FileManager.default.moveItem(at: database, to: aside)
        async let found = withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Result { try store.history(limit: 10).map(\.id) })
                isWaiting.finish()
            }
        }
        for await _ in waits { break }
        try FileManager.default.moveItem(at: aside, to: database)
        lock.unlock()
        #expect(try await found.get() == [id])
    }

    @Test("a missing -shm file is created again, a missing database next to its -wal file is reported")
    func missingCompanions() throws {
        let test = try TestGroup()
        let ids = try Self.write(3, to: test)
        try FileManager.default.removeItem(atPath: test.group.database.path + "-shm")
        #expect(try test.store().history(limit: 10).count == ids.count)
        try FileManager.default.removeItem(at: test.group.database)
        // Closing the store before had moved everything into the database; a -wal with frames is needed.
        try Data(count: 8192).write(to: URL(fileURLWithPath: test.group.database.path + "-wal"))
        let (store, notices) = try Self.open(test)
        #expect(try store.history(limit: 10).isEmpty)
        let damaged = try #require(notices.movedAside.first)
        #expect(FileManager.default.fileExists(atPath: damaged.path + "-wal"))
        #expect(DamagedStore.all(in: test.group).count == 1)
    }

    @Test("the -wal file of another database is moved aside alone; the store keeps what it had")
    func foreignLog() async throws {
        let test = try TestGroup()
        let ids = try Self.filled(test, count: 3)
        let folder = try TemporaryFolder("foreign-log")
        let path = folder.file("other.sqlite")
        _ = try await Program.run(
            "python3",
            [
                "-c",
                """
                import sqlite3, os
                db = sqlite3.connect('\(path)')
                db.execute('PRAGMA journal_mode = WAL')
                db.execute('CREATE TABLE mail (text)')
                db.commit()
                os._exit(0)
                """,
            ])
        let wal = URL(fileURLWithPath: test.group.database.path + "-wal")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: path + "-wal"), to: wal)
        let (store, notices) = try Self.open(test)
        #expect(try store.history(limit: 10).map(\.id).reversed() == ids)
        #expect(notices.movedAside.map(\.path).allSatisfy { $0.hasSuffix("-wal") })
        #expect(DamagedStore.all(in: test.group).count == 1)
    }

    @Test(
        "a store of a newer version is refused, and not one byte of its files changes",
        arguments: [true, false])
    func newerVersion(inLog: Bool) async throws {
        let test = try TestGroup()
        _ = try Self.filled(test, count: 3)
        let path = test.group.database.path
        _ = try await Program.run(
            "python3",
            [
                "-c",
                """
                import sqlite3, os
                db = sqlite3.connect('\(path)')
                db.execute('PRAGMA user_version = 4711')
                db.execute("INSERT INTO grdb_migrations VALUES ('9: of the future')")
                db.commit()
                \(inLog ? "" : "db.execute('PRAGMA wal_checkpoint(TRUNCATE)')")
                os._exit(0)
                """,
            ])
        let names = ["", "-wal", "-shm"]
        let before = try names.map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) }
        #expect(throws: StoreError.newerSchema(path: path)) { try test.store() }
        #expect(before == (try names.map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) }))
        #expect(DamagedStore.all(in: test.group).isEmpty)
    }

    @Test("two stores that are moved aside in the same second keep both")
    func twice() throws {
        let test = try TestGroup()
        for text in ["one", "two", "three"] {
            try Data("\(text) is no database".utf8).write(to: test.group.database)
            _ = try test.store()
        }
        let kept = try DamagedStore.all(in: test.group).map {
            try String(contentsOfFile: $0.path, encoding: .utf8)
        }
        #expect(Set(kept) == ["one is no database", "two is no database", "three is no database"])
    }

    @Test("revisions continue after the damage, so that readers of the old store see the new one's changes")
    func revisionsGoOn() throws {
        let test = try TestGroup()
        _ = try Self.filled(test, count: 50)
        let last = try test.store().revision()
        try Data("garbage".utf8).write(to: test.group.database)
        #expect(try test.store().revision() >= last)
    }
}

/// The notices of a store.
final class Notices: Sendable {
    private let all = Mutex<[StoreNotice]>([])
    func add(_ notice: StoreNotice) { all.withLock { $0.append(notice) } }
    var list: [StoreNotice] { all.withLock { $0 } }
    var movedAside: [DamagedStore] {
        list.compactMap { if case .movedAside(let store) = $0 { store } else { nil } }
    }
}
