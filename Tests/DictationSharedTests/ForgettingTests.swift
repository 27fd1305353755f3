import DictationShared
import DictationSystem
import Foundation
import TestSupport
import Testing

@Suite("Forgetting")
struct ForgettingTests {
    /// Words that no other dictation has.
    private static func secret(_ index: Int) -> String { "zebra\(index)quagga" }

    /// An inserted dictation with partial results, a text and a recording, and the secret in all of them.
    @discardableResult
    private static func dictate(
        _ index: Int, _ store: StateStore, isPrivate: Bool = false, at date: Date = Date()
    ) throws -> DictationState {
        let target = WindowInfo(id: 1, windowClass: "x", title: "Letter to \(secret(index))", pid: 1)
        var state = try store.begin(
            target: target, engine: "test", locale: "en-US", isPrivate: isPrivate, at: date)
        let group = store.group
        try Data("RIFF \(secret(index))".utf8).write(to: group.audio(of: state.id))
        try Data("RIFF \(secret(index))".utf8).write(
            to: group.audioFolder.appendingPathComponent("\(state.id).delivered.wav"))
        for count in 1...8 {
            let words = String(repeating: "\(secret(index)) and so on ", count: count)
            state = try store.apply(.partial(words), to: state.id)
        }
        let raw = String(repeating: "\(secret(index)) um and so on ", count: index % 11 + 1)
        state = try store.apply(
            .recognized(.init(rawText: raw, cleanedText: raw.replacing("um ", with: ""))), to: state.id,
            at: date)
        _ = try store.claimNext(by: claimant, patience: .infinity, at: date)
        return try store.apply(.inserted(milliseconds: 3), to: state.id)
    }

    /// The secrets that are in any file of the group.
    private static func traces(_ group: AppGroup, of indexes: some Sequence<Int>) async throws -> Set<Int> {
        let script =
            "grep --recursive --text --only-matching --no-filename -E 'zebra[0-9]+' \"$0\" || test $? = 1"
        let found = try await Program.run("sh", ["-c", script, group.folder.path])
        return Set(found.split(separator: "\n").compactMap { Int($0.dropFirst("zebra".count)) })
            .intersection(indexes)
    }

    @Test("leaves no word in any file: not of one, not of many, not of all")
    func noTraces() async throws {
        let test = try TestGroup()
        let store = try test.store()
        let count = 90
        // Enough for several pages, and for SQLite to move rows between them.
        let states = try (0..<count).map { try Self.dictate($0, store) }
        #expect(try await Self.traces(test.group, of: 0..<count).count == count)
        let other = try test.store()
        try store.forget(.one(states[17].id))
        #expect(try await Self.traces(test.group, of: [17]).isEmpty)
        let many = (0..<count).filter { $0 % 9 == 0 }
        for index in many { try store.forget(.one(states[index].id)) }
        #expect(try await Self.traces(test.group, of: many).isEmpty)
        // The dictations that stay are all there, for other processes as well.
        let left = (0..<count).filter { $0 % 9 != 0 && $0 != 17 }
        #expect(try other.history(limit: .max).map(\.id) == left.reversed().map { states[$0].id })
        #expect(try await Self.traces(test.group, of: left).count == left.count)
        #expect(try store.forget(.all).ids.count == left.count)
        #expect(try await Self.traces(test.group, of: 0..<count).isEmpty)
        #expect(try other.history(limit: .max).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: test.group.audioFolder.path).isEmpty)
    }

    @Test("the words of a search are in no file either")
    func search() async throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try Self.dictate(1, store)
        #expect(try store.history(.init(words: "zebra1*", limit: 5)).map(\.dictation.id) == [state.id])
        try store.forget(.one(state.id))
        #expect(try await Self.traces(test.group, of: [1]).isEmpty)
        #expect(try store.history(.init(words: "zebra1*", limit: 5)).isEmpty)
    }

    @Test("leaves no word of a written command that was answered, which may quote any dictation")
    func writtenCommand() async throws {
        let test = try TestGroup()
        let store = try test.store()
        func write(_ index: Int) throws -> Intent {
            let words = "replace \(Self.secret(index)) with Tuesday"
            let intent = try store.submit(.edit(.init(words: words), spokenIn: nil))
            try store.answer(intent.id, .refused("“\(Self.secret(index))” is not in the last inserted text"))
            return intent
        }
        let one = try Self.dictate(1, store)
        let refused = try write(2)
        try store.forget(.one(one.id))
        #expect(try await Self.traces(test.group, of: [1, 2]).isEmpty)
        #expect(try store.intent(refused.id)?.phase == .refused(""))
        // If no dictation goes with it.
        _ = try write(3)
        #expect(try store.forget(.before(Date())).ids.isEmpty)
        #expect(try await Self.traces(test.group, of: [3]).isEmpty)
        _ = try write(4)
        #expect(try store.forget(.all).ids.isEmpty)
        #expect(try await Self.traces(test.group, of: [4]).isEmpty)
        // An unanswered one is carried out unchanged.
        let open = try store.submit(.edit(.init(words: "undo that"), spokenIn: nil))
        try store.forget(.all)
        #expect(try store.intent(open.id)?.action == .edit(.init(words: "undo that"), spokenIn: nil))
    }

    @Test("before a time leaves what began then or later")
    func before() throws {
        let test = try TestGroup()
        let store = try test.store()
        let noon = Date(timeIntervalSince1970: 1_700_000_000)
        try Self.dictate(1, store, at: noon.addingTimeInterval(-1))
        let later = try Self.dictate(2, store, at: noon)
        #expect(try store.forget(.before(noon)).ids.count == 1)
        #expect(try store.history(limit: 9).map(\.id) == [later.id])
    }

    @Test("is refused for what an agent works on; a dead agent's is forgotten")
    func refused() throws {
        let test = try TestGroup()
        let store = try test.store()
        let recorded = try store.begin(target: nil, engine: "test", locale: "en-US")
        var host: RoleLock? = try RoleLock(.host, in: test.group)
        #expect(throws: ForgetRefused(id: recorded.id, work: .recording)) {
            try store.forget(.one(recorded.id))
        }
        try store.apply(.processingStarted(recording: 1), to: recorded.id)
        #expect(throws: ForgetRefused(id: recorded.id, work: .recognizing)) {
            try store.forget(.one(recorded.id))
        }
        try store.apply(.recognized(.init(rawText: "a", cleanedText: "A.")), to: recorded.id)
        var inserter: RoleLock? = try RoleLock(.inserter, in: test.group)
        _ = try store.claimNext(by: claimant, patience: 60)
        let held = try store.addReady("held")
        let all = try store.forget(.all)
        #expect(all.refused == [ForgetRefused(id: recorded.id, work: .typing)])
        #expect(all.ids == [held.id])
        #expect(all.undelivered == 1)
        #expect(host != nil && inserter != nil)
        host = nil
        inserter = nil
        #expect(try store.forget(.one(recorded.id)).ids == [recorded.id])
        #expect(throws: StoreError.noSuchDictation(recorded.id)) { try store.forget(.one(recorded.id)) }
    }

    @Test(
        "what is typed while it is spoken stays until its typist is done, whatever has become of the recording"
    )
    func typedWhileSpoken() throws {
        let endings: [[DictationTransition]] = [
            [], [.processingStarted(recording: 1), .recognized(.init(rawText: "a b", cleanedText: "A b."))],
            [.cancelled],
        ]
        for ending in endings {
            let test = try TestGroup()
            let store = try test.store()
            let id = try store.begin(target: nil, engine: "test", locale: "en-US").id
            try store.apply(.recordingStarted, to: id)
            try store.apply(.grown("A b"), to: id)
            let inserter = try RoleLock(.inserter, in: test.group)
            #expect(try store.claimNext(by: claimant, patience: 60)?.isGrowthClaimed == true)
            // No host runs: only the typist is at work.
            for transition in ending { try store.apply(transition, to: id) }
            #expect(throws: ForgetRefused(id: id, work: .typing)) { try store.forget(.one(id)) }
            #expect(try store.forget(.all).refused == [ForgetRefused(id: id, work: .typing)])
            try store.apply(.paused(3), to: id)
            #expect(try store.forget(.one(id)).ids == [id])
            withExtendedLifetime(inserter) {}
        }
    }

    @Test("readers are notified, and one that was away for too long must start again")
    func feed() throws {
        let test = try TestGroup()
        let store = try test.store()
        let states = try (0..<3).map { try Self.dictate($0, store) }
        let seen = try store.revision()
        try store.forget(.one(states[1].id))
        let changes = try store.changes(since: seen)
        #expect(changes.removed == [states[1].id])
        #expect(changes.dictations.isEmpty && !changes.isComplete)
        #expect(try store.changes(since: changes.revision).removed.isEmpty)
        // From revision 0 on there is nothing to forget.
        #expect(try store.changes(since: 0).isComplete)
        #expect(try store.changes(since: 0).removed.isEmpty)
        try store.expire(at: Date(timeIntervalSinceNow: 3_600))
        let late = try store.changes(since: seen)
        #expect(late.isComplete && late.removed.isEmpty)
        #expect(late.dictations.map(\.id) == [states[0].id, states[2].id])
        #expect(try !store.changes(since: changes.revision).isComplete, "who has heard of it goes on")
        let text = String(decoding: try Data(contentsOf: test.group.database), as: UTF8.self)
        #expect(text.contains(states[0].id.description))
        try store.forget(.one(states[0].id))
        try store.expire(at: Date(timeIntervalSinceNow: 3_600))
        try store.forget(.one(states[2].id))
        let rest = String(decoding: try Data(contentsOf: test.group.database), as: UTF8.self)
        #expect(!rest.contains(states[0].id.description), "word of a removal is not kept for ever")
    }

    @Test("a watcher learns of many at once by starting again", .timeLimit(.minutes(2)))
    func watcher() async throws {
        let test = try TestGroup()
        let store = try test.store()
        for index in 0..<120 { _ = try store.addReady("\(index)") }
        var changes = StateWatcher.changes(of: try test.store(), since: try store.revision())
            .makeAsyncIterator()
        let added = try store.add(text: "last", locale: "und")
        #expect(try await changes.next()?.dictations.map(\.id) == [added.id])
        try store.forget(.all)
        let all = try await changes.next()
        #expect(all?.isComplete == true)
        #expect(all?.dictations.isEmpty == true)
    }

    @Test("answered intents do not pile up, and open ones stay")
    func intents() throws {
        let test = try TestGroup()
        let store = try test.store()
        let answered = try store.submit(.record(.start()), timeToLive: 10_000_000)
        let open = try store.submit(.record(.stop()), timeToLive: 10_000_000)
        try store.answer(answered.id, .done("recording", dictation: nil))
        try store.expire(at: Date(timeIntervalSinceNow: 60))
        #expect(try store.intent(answered.id) != nil)
        try store.expire(at: Date(timeIntervalSinceNow: 3_600))
        #expect(try store.intent(answered.id) == nil)
        #expect(try store.intent(open.id)?.phase == .pending)
    }
}

@Suite("Retention")
struct RetentionTests {
    /// One dictation for each of the states in which it can stay, the oldest first.
    private static func everyKind(_ store: StateStore, at date: Date) throws -> [String: DictationID] {
        let ready = DictationTransition.recognized(.init(rawText: "a", cleanedText: "A."))
        let kept = DictationFailure(stored: "x", message: "x", kept: "the recording")
        let ways: [(String, [DictationTransition])] = [
            ("inserted", [ready, .claimed(by: claimant), .inserted(milliseconds: 1)]),
            ("discarded", [ready, .discarded]), ("cancelled", [.cancelled]), ("failed", [.failed(.noSpeech)]),
            ("failed, sound kept", [.failed(kept)]), ("held", [ready, .held(.stale)]), ("pending", [ready]),
            ("claimed", [ready, .claimed(by: claimant)]), ("recording", [.recordingStarted]),
        ]
        var ids: [String: DictationID] = [:]
        for (name, way) in ways {
            let state = try store.begin(target: nil, engine: "test", locale: "en-US", at: date)
            for step in way { try store.apply(step, to: state.id) }
            ids[name] = state.id
        }
        return ids
    }

    private static let undone: Set = ["failed, sound kept", "held", "pending", "claimed", "recording"]

    @Test(
        "removes what is done and nothing else",
        arguments: [Retention(count: 0, days: nil), Retention(count: nil, days: 10)])
    func onlyDone(retention: Retention) throws {
        let test = try TestGroup()
        let store = try test.store()
        let ids = try Self.everyKind(store, at: Date(timeIntervalSinceNow: -11 * 86_400))
        let removed = try store.applyRetention(retention)
        #expect(Set(removed) == Set(ids.filter { !Self.undone.contains($0.key) }.values))
        #expect(Set(try store.history(limit: .max).map(\.id)) == Set(Self.undone.compactMap { ids[$0] }))
        #expect(try store.applyRetention(retention).isEmpty)
    }

    @Test("keeps the newest, and the young ones; those from the future too")
    func newest() throws {
        let test = try TestGroup()
        let store = try test.store()
        let ages = [40.0, 30, 20, 10, -5]
        let ids = try ages.map { days in
            let date = Date(timeIntervalSinceNow: -days * 86_400)
            return try store.apply(.discarded, to: try store.addReady("\(days)", at: date).id).id
        }
        #expect(try store.applyRetention(Retention(count: nil, days: nil)).isEmpty)
        #expect(try store.applyRetention(Retention(count: 4, days: nil)) == [ids[0]])
        #expect(Set(try store.applyRetention(Retention(count: 4, days: 15))) == [ids[1], ids[2]])
        #expect(try store.history(limit: .max).map(\.id) == [ids[4], ids[3]])
    }

    @Test("private ones go when they are done, held ones only then")
    func privateOnes() throws {
        let test = try TestGroup()
        let store = try test.store()
        let open = try store.add(text: "open", locale: "und")
        let closed = try store.add(text: "zebra quagga", locale: "und", isPrivate: true)
        for _ in 0..<2 {
            let state = try #require(try store.claimNext(by: claimant, patience: 60))
            try store.apply(state.isPrivate ? .held(.noFocus) : .inserted(milliseconds: 1), to: state.id)
        }
        #expect(try store.removeFinishedPrivate().isEmpty)
        #expect(try store.dictation(closed.id)?.isPrivate == true)
        try store.apply(.discarded, to: closed.id)
        #expect(try store.removeFinishedPrivate() == [closed.id])
        #expect(try store.hasTraces())
        try store.scrub()
        #expect(try !store.hasTraces())
        #expect(try store.history(limit: .max).map(\.id) == [open.id])
        for suffix in ["", "-wal"] {
            let path = test.group.database.path + suffix
            #expect(
                !String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
                    .contains("quagga"))
        }
    }
}
