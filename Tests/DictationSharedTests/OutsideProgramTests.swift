import Foundation
import TestSupport
import Testing

@testable import DictationShared

/// A real program that opens the database, reads and closes it, while this process works on the store.
@Suite("An outside program looks at the store", .timeLimit(.minutes(2)))
struct OutsideProgramTests {
    private static let ourselves = ProcessInfo.processInfo.processIdentifier

    @Test("a second connection, or a second look at the header, drops no lock of this process")
    func locks() throws {
        let test = try TestGroup()
        let store = try test.store()
        #expect(try test.group.isLocked(by: Self.ourselves))
        let besides = StateStore(besides: store)
        _ = try besides.revision()
        #expect(try test.group.isLocked(by: Self.ourselves))
        let looking = try StateStore(group: test.group, for: .looking)
        #expect(try looking.revision() == store.revision())
        #expect(try test.group.isLocked(by: Self.ourselves))
        withExtendedLifetime((store, besides, looking)) {}
    }

    @Test("its look removes no file, and all goes on")
    func look() async throws {
        let test = try TestGroup()
        let store = try test.store()
        let besides = StateStore(besides: store)
        let before = try store.addReady("one")
        _ = try besides.revision()
        let log = test.group.logNumber
        #expect(try await ForeignReader.look(at: test.group) == 1)
        #expect(test.group.logNumber == log)
        let after = try store.addReady("two")
        #expect(try besides.changes(since: before.revision).dictations.map(\.id) == [after.id])
        #expect(try await ForeignReader.look(at: test.group) == 2)
    }

    @Test("the -wal and -shm files are removed all the same: no connection goes on with the old ones")
    func removed() async throws {
        let test = try TestGroup()
        let store = try test.store()
        let besides = StateStore(besides: store)
        _ = try store.addReady("one")
        _ = try besides.revision()
        for suffix in ["-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: test.group.database.path + suffix)
        }
        // The next write opens this connection again, while the other one still has the removed files.
        #expect(throws: StoreError.self) { try store.lookAgain() }
        let after = try store.addReady("two")
        #expect(try await ForeignReader.look(at: test.group) == 2)
        #expect(try besides.dictation(after.id)?.cleanedText == "two")
        _ = try besides.addReady("three")
        #expect(try await ForeignReader.look(at: test.group) == 3)
        #expect(DamagedStore.all(in: test.group).isEmpty)
    }
}
