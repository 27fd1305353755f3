import CLinux
import DictationShared
import Foundation
import TestSupport
import Testing

@Suite("A store that is opened to look")
struct LookingTests {
    @Test("it waits for no lock, and leaves every file as it is")
    func changesNothing() throws {
        let test = try TestGroup()
        let writer = try test.store()
        let id = try writer.addReady("seen").id
        let lock = try FileLock(path: test.group.storeLock.path)
        try lock.lock()
        let before = try Self.files(test)
        do {
            let store = try StateStore(group: test.group, for: .looking)
            #expect(try store.dictation(id)?.cleanedText == "seen")
            #expect(try store.revision() == writer.revision())
        }
        #expect(try Self.files(test) == before)
        lock.unlock()
    }

    @Test("the first write opens it wholly, and what was read before stays true")
    func writes() throws {
        let test = try TestGroup()
        let writer = try test.store()
        let id = try writer.addReady("one").id
        let store = try StateStore(group: test.group, for: .looking)
        let generation = store.generation
        _ = try store.apply(.discarded, to: id)
        #expect(try writer.dictation(id)?.delivery == .discarded)
        #expect(store.generation == generation)
        // The path for frequent reads behaves the same.
        let looking = try StateStore(group: test.group, for: .looking)
        let begun = try writer.begin(target: nil, engine: "test", locale: "en-US")
        _ = try looking.apply(.recordingStarted, to: begun.id)
        #expect(try writer.dictation(begun.id)?.status == .recording)
    }

    @Test("a store that is not there yet is made")
    func missing() throws {
        let test = try TestGroup()
        let store = try StateStore(group: test.group, for: .looking)
        #expect(try store.revision() == 0)
        #expect(try store.history(limit: 1).isEmpty)
        let id = try store.addReady("first").id
        #expect(try test.store().dictation(id) != nil)
    }

    @Test("it sees what others commit, also after a checkpoint")
    func follows() throws {
        let test = try TestGroup()
        let store = try StateStore(group: test.group, for: .looking)
        let looking = try StateStore(group: test.group, for: .looking)
        for number in 1...20 { _ = try store.addReady("text \(number)") }
        #expect(try looking.history(limit: 1).first?.cleanedText == "text 20")
        try store.checkpoint()
        _ = try store.addReady("after")
        #expect(try looking.history(limit: 1).first?.cleanedText == "after")
    }

    @Test(
        "on a disk that can only be read, what was dictated can be seen; a write says why it cannot be",
        .enabled(if: SmallDisk.isPermitted, "mounting a small disk needs root"))
    func readOnlyDisk() throws {
        let disk = try SmallDisk(megabytes: 8)
        let group = try AppGroup(folder: disk.folder("group"))
        let id = try StateStore(group: group).addReady("written before").id
        try disk.remount("ro")
        let store = try StateStore(group: try AppGroup(folder: group.folder), for: .looking)
        #expect(try store.dictation(id)?.cleanedText == "written before")
        #expect(try RoleLock.holder(of: .host, in: group) == nil)
        #expect {
            _ = try store.apply(.discarded, to: id)
        } throws: { error in
            if case StoreError.readOnly = error { true } else { false }
        }
        #expect(try store.dictation(id)?.cleanedText == "written before")
    }

    /// The contents of a group's files, and when they were changed.
    private static func files(_ test: TestGroup) throws -> [String: String] {
        let manager = FileManager.default
        return try manager.contentsOfDirectory(atPath: test.group.folder.path).reduce(into: [:]) {
            let path = test.group.folder.appendingPathComponent($1).path
            let attributes = try manager.attributesOfItem(atPath: path)
            let isIndex = path.hasSuffix("-shm")
            // Readers mark in the index how far they read.
            $0[$1] =
                "\(attributes[.modificationDate].map { isIndex ? "" : "\($0)" } ?? "") "
                + "\(attributes[.size] ?? 0)"
        }
    }
}
