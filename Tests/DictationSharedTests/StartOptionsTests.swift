import Foundation
import GRDB
import Testing

@testable import DictationShared

@Suite("The options of a dictation")
struct StartOptionsTests {
    private static let german = StartOptions(
        hotkey: "shift+F9", locale: "de-DE", engine: "sherpa-onnx", model: "big", style: "mail",
        profile: "letters", isPrivate: true, isLive: true)

    @Test(
        "travel in the intents that begin a dictation",
        arguments: [
            Intent.Action.record(.start()), .record(.start(german)), .record(.toggle()),
            .record(.toggle(StartOptions(locale: "de-DE"))), .record(.start(StartOptions(isPrivate: true))),
            .record(.start(StartOptions(isLive: true))), .key(isDown: true, german), .key(isDown: true),
            .record(.toggle(StartOptions(transform: .spoken))),
            .key(isDown: true, StartOptions(hotkey: "F8", transform: .fixed("make this shorter"))),
            .key(isDown: false), .record(.stop(isHeld: true)), .record(.stop()), .record(.cancel),
        ])
    func intents(action: Intent.Action) throws {
        let test = try TestGroup()
        let store = try test.store()
        let intent = try store.submit(action)
        #expect(try store.intent(intent.id)?.action == action)
        #expect(try store.takeIntents(for: .host).map(\.action) == [action])
    }

    @Test(
        "an intent with options has a name that an older agent leaves alone, and one without has its old name",
        arguments: [
            (Intent.Action.record(.start()), "start"), (.record(.start(german)), "start-with"),
            (.record(.toggle()), "toggle"), (.record(.toggle(german)), "toggle-with"),
            (.key(isDown: true), "press"), (.key(isDown: true, german), "press-with"),
        ])
    func names(action: Intent.Action, name: String) { #expect(action.name == name) }

    @Test(
        "intents of an older version are read as they were meant",
        arguments: [
            ("start", Intent.RecordingRequest.start()),
            ("start-private", .start(StartOptions(isPrivate: true))),
            ("start-live", .start(StartOptions(isLive: true))),
            ("start-private-live", .start(StartOptions(isPrivate: true, isLive: true))),
            ("toggle-private", .toggle(StartOptions(isPrivate: true))),
            ("stop-and-hold", .stop(isHeld: true)), ("stop", .stop()),
        ])
    func older(name: String, request: Intent.RecordingRequest) throws {
        let test = try TestGroup()
        let store = try test.store()
        let intent = try store.submit(.record(.cancel))
        let queue = try DatabaseQueue(path: test.group.database.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: "UPDATE intent SET action = ? WHERE id = ?", arguments: [name, intent.id])
        }
        try queue.close()
        #expect(try store.intent(intent.id)?.action == .record(request))
    }

    @Test("a field that this version does not know is left out, and a missing one says nothing")
    func fields() throws {
        let json = #"{"locale":"de-DE","color":"blue"}"#
        let read = try JSONDecoder().decode(StartOptions.self, from: Data(json.utf8))
        #expect(read == StartOptions(locale: "de-DE"))
        let written = try JSONDecoder().decode(
            StartOptions.self, from: JSONEncoder().encode(Self.german))
        #expect(written == Self.german)
    }

    @Test("options that are given take precedence over those of the key")
    func over() {
        let named = StartOptions(hotkey: "shift+F9", style: "chat")
        let key = StartOptions(locale: "de-DE", style: "mail", isPrivate: true)
        #expect(
            named.over(key)
                == StartOptions(hotkey: "shift+F9", locale: "de-DE", style: "chat", isPrivate: true))
        #expect(named.over(key).summary == "de-DE, chat, private")
        #expect(StartOptions(hotkey: "shift+F9").summary.isEmpty)
    }

    @Test("stay with the dictation, and so does the model that it waits for until it has its text")
    func state() throws {
        let test = try TestGroup()
        let store = try test.store()
        let id = DictationID()
        let begun = try store.begin(
            id, target: nil, engine: "sherpa-onnx", locale: "de-DE", options: Self.german)
        #expect(begun.options == Self.german && begun.loadingModel == nil)
        try store.apply(.loading("sherpa-onnx, big"), to: id)
        #expect(try store.dictation(id)?.loadingModel == "sherpa-onnx, big")
        try store.apply(.recordingStarted, to: id)
        #expect(try store.unfinished().first?.loadingModel == "sherpa-onnx, big")
        try store.apply(.loading(nil), to: id)
        #expect(try store.dictation(id)?.loadingModel == nil)
        try store.apply(.loading("sherpa-onnx, big"), to: id)
        let ready = try store.apply(.recognized(.init(rawText: "hallo", cleanedText: "Hallo.")), to: id)
        #expect(ready.loadingModel == nil && ready.options == Self.german)
        #expect(try store.dictation(id) == ready)
        #expect(throws: TransitionRefused.self) { try store.apply(.loading("big"), to: id) }
    }

    @Test("a dictation that the disk did not take is written with its options later")
    func kept() throws {
        let test = try TestGroup()
        let store = try test.store()
        let id = DictationID()
        let keeper = DictationKeeper(store: store)
        try keeper.begin(id, target: nil, engine: "test", locale: "de-DE", options: Self.german)
        #expect(try store.dictation(id)?.options == Self.german)
        // The row was deleted: the keeper writes it again completely.
        let queue = try DatabaseQueue(path: test.group.database.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "DELETE FROM unfinished_dictation; DELETE FROM dictation")
        }
        try queue.close()
        try keeper.apply(.recordingStarted, to: id)
        #expect(try store.dictation(id)?.options == Self.german)
    }
}
