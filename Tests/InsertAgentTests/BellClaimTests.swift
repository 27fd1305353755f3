import DictationSettings
import DictationShared
import Foundation
import Logging
import TestSupport
import Testing

@testable import InsertAgent

@Suite("What the bell may mean")
struct BellClaimTests {
    private let folder: TemporaryFolder
    private let store: StateStore

    init() throws {
        folder = try TemporaryFolder("bell")
        store = try StateStore(group: AppGroup(folder: URL(fileURLWithPath: folder.file("group"))))
    }

    private func claim(settings: String = "") throws -> BellClaim {
        try folder.write(settings, to: "config.toml")
        let settings = try LiveSettings(
            file: SettingsFile(path: folder.file("config.toml")), logger: Logger(label: "test"))
        return BellClaim(store: store, settings: settings)
    }

    @Test("a text is claimed at once, but never before what the user has asked for")
    func asked() throws {
        let bell = try claim()
        let early = try store.add(text: "Early.", locale: "en-US")
        #expect(bell.claim() == nil, "nothing was read yet")
        bell.note(try store.changes(since: 0))
        #expect(bell.claim()?.id == early.id)
        try store.apply(.inserted(milliseconds: 1), to: early.id)
        let seen = try store.revision()
        bell.note(try store.changes(since: seen - 1))
        _ = try store.submit(.undo)
        let late = try store.add(text: "Late.", locale: "en-US")
        #expect(bell.claim() == nil)
        #expect(try store.dictation(late.id)?.delivery == .pending)
        bell.note(try store.changes(since: seen))
        #expect(bell.claim()?.id == late.id)
    }

    @Test("a text that may have to wait for its window is not claimed at once")
    func origin() throws {
        let bell = try claim(settings: "[insert]\npolicy = \"origin\"\n")
        bell.note(try store.changes(since: 0))
        _ = try store.add(text: "Text.", locale: "en-US")
        #expect(bell.claim() == nil)
    }

    @Test("a text, unless one is being spoken; nothing before the store was read for the first time")
    func course() throws {
        var expectation = BellExpectation()
        var seen: Revision = 0
        func mayBeText() throws -> Bool {
            let changes = try store.changes(since: seen)
            seen = changes.revision
            expectation.note(changes)
            return expectation.revisionBeforeText == seen
        }
        #expect(expectation.revisionBeforeText == nil)
        let first = try store.begin(target: nil, engine: "test", locale: "en-US").id
        #expect(try !mayBeText())
        try store.apply(.recordingStarted, to: first)
        #expect(try !mayBeText())
        try store.apply(.partial("one"), to: first)
        #expect(try !mayBeText())
        try store.apply(.processingStarted(recording: 1_000), to: first)
        #expect(try mayBeText())
        // The next one begins while this one is recognised.
        let second = try store.begin(target: nil, engine: "test", locale: "en-US").id
        #expect(try !mayBeText())
        try store.apply(.recognised(.init(rawText: "one", cleanedText: "One.")), to: first)
        #expect(try !mayBeText())
        try store.apply(.cancelled, to: second)
        #expect(try mayBeText())
        let third = try store.begin(target: nil, engine: "test", locale: "en-US").id
        #expect(try !mayBeText())
        try store.apply(.cancelled, to: third)
        try store.forget(.one(third))
        #expect(try mayBeText())
    }
}
