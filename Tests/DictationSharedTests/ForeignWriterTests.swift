import DictationShared
import Foundation
import TestSupport
import Testing

/// A real program that has a write transaction open, for longer than SQLite waits.
@Suite("A store that another program keeps locked", .timeLimit(.minutes(2)))
struct ForeignWriterTests {
    @Test("a change is kept and reported, and written once the program lets go; reading continues")
    func kept() async throws {
        let test = try TestGroup()
        let (notices, telling) = AsyncStream<StoreNotice>.makeStream()
        var told = notices.makeAsyncIterator()
        let store = try StateStore(group: test.group, onNotice: { telling.yield($0) })
        let keeper = DictationKeeper(store: store)
        let id = DictationID()
        try keeper.begin(id, target: nil, engine: "test", locale: "en-US")
        let writer = try await ForeignWriter.start(on: test.group)
        try keeper.apply(.recordingStarted, to: id)
        let text = DictationTransition.recognized(.init(rawText: "hello", cleanedText: "Hello."))
        #expect(try keeper.apply(text, to: id).delivery == .pending)
        #expect(keeper.waiting == 1)
        let trouble = StoreError.busy(path: test.group.database.path)
        #expect(await told.next() == .trouble(trouble))
        #expect(try store.dictation(id)?.status == .starting)
        #expect(throws: trouble) { try store.add(text: "more", locale: "en-US") }
        await writer.letGo()
        for try await changes in StateWatcher.changes(of: store, since: 0) {
            if changes.dictations.first?.cleanedText == "Hello." { break }
        }
        #expect(await told.next() == .recovered(from: trouble))
        #expect(try store.claimNext(by: claimant, patience: 60)?.id == id)
    }
}
