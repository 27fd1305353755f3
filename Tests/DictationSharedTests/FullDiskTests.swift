import DictationShared
import Foundation
import TestSupport
import Testing

/// A real disk that is full: a small tmpfs.
@Suite("A full disk", .enabled(if: SmallDisk.isPermitted, "mounting a small disk needs root"))
struct FullDiskTests {
    @Test("the text that was just spoken is still written, from what was put by")
    func reserve() throws {
        let disk = try SmallDisk(megabytes: 8)
        let store = try StateStore(group: AppGroup(folder: disk.folder("group")))
        try store.checkpoint()
        let state = try store.begin(target: nil, engine: "test", locale: "en-US")
        try disk.fill()
        let text = String(repeating: "All work and no play. ", count: 500)
        try store.apply(.recognized(.init(rawText: text, cleanedText: text)), to: state.id)
        #expect(try store.dictation(state.id)?.cleanedText == text)
        #expect(store.trouble == nil)
    }

    @Test("a change that cannot be written is kept, and written once there is room", .timeLimit(.minutes(2)))
    func kept() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let (notices, telling) = AsyncStream<StoreNotice>.makeStream()
        var told = notices.makeAsyncIterator()
        let group = try AppGroup(folder: disk.folder("group"))
        let store = try StateStore(group: group, onNotice: { telling.yield($0) })
        let keeper = DictationKeeper(store: store)
        let id = DictationID()
        try keeper.begin(id, target: nil, engine: "test", locale: "en-US")
        try disk.fill()
        let text = String(repeating: "All work and no play. ", count: 5_000)
        try keeper.apply(.partial(text), to: id)
        try keeper.apply(.recognized(.init(rawText: text, cleanedText: text)), to: id)
        #expect(keeper.waiting == 1)
        #expect(await told.next() == .trouble(.diskFull(path: group.database.path)))
        #expect(try store.history(limit: 1).first?.status == .starting, "reading goes on")
        try disk.free()
        for try await changes in StateWatcher.changes(of: store, since: 0) {
            if changes.dictations.first?.cleanedText == text { break }
        }
        #expect(await told.next() == .recovered(from: .diskFull(path: group.database.path)))
    }

    @Test("a read-only disk is reported, and what is in the store can still be read")
    func readOnly() throws {
        let disk = try SmallDisk(megabytes: 8)
        let group = try AppGroup(folder: disk.folder("group"))
        let id = try StateStore(group: group).addReady("written before").id
        try disk.remount("ro")
        do {
            _ = try StateStore(group: group).addReady("more")
            Issue.record("it was written")
        } catch let error as StoreError {
            guard case .readOnly = error else { throw error }
            #expect(error.description.contains("can only be read"))
        }
        try disk.remount("rw")
        #expect(try StateStore(group: group).dictation(id)?.cleanedText == "written before")
    }
}
