import DictationShared
import Foundation
import Testing

@Suite("Dictations of a dead host")
struct DeadHostTests {
    private func begin(_ store: StateStore, _ way: [DictationTransition]) throws -> DictationID {
        let id = try store.begin(target: nil, engine: "test", locale: "en-US").id
        for step in way { try store.apply(step, to: id) }
        return id
    }

    @Test("are ended once, by the one who looks first, and say what was kept")
    func once() async throws {
        let test = try TestGroup()
        let store = try test.store()
        let (lost, kept) = (
            try begin(store, []), try begin(store, [.recordingStarted, .processingStarted(recording: 900)])
        )
        try Data("sound".utf8).write(to: store.group.audio(of: kept))
        let ended = try await withThrowingTaskGroup(of: [DictationState].self) { group in
            let shared = test.group
            for _ in 0..<8 { group.addTask { try StateStore(group: shared).resolveDeadHost() } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(ended.map(\.id).sorted() == [lost, kept].sorted())
        #expect(try store.dictation(lost)?.error == .hostDied(hasSound: false))
        #expect(try store.dictation(kept)?.error == .hostDied(hasSound: true))
        #expect(try store.unfinished().isEmpty, "nothing later waits for them")
    }

    @Test("concern only the host while a host runs")
    func living() throws {
        let test = try TestGroup()
        let store = try test.store()
        let id = try begin(store, [.recordingStarted])
        let lock = try RoleLock(.host, in: store.group)
        #expect(try store.resolveDeadHost().isEmpty)
        let ours = try store.begin(target: nil, engine: "test", locale: "en-US").id
        #expect(try store.resolveEarlierHost(sparing: { [ours] }).map(\.id) == [id])
        #expect(try store.dictation(ours)?.status == .starting)
        withExtendedLifetime(lock) {}
    }

    @Test("texts that are ready are left alone")
    func ready() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try store.addReady("Hello.")
        #expect(try store.resolveDeadHost().isEmpty)
        #expect(try store.dictation(state.id) == state)
    }

    @Test("a recording without a row gets one, with the time at which it was spoken")
    func adopted() throws {
        let test = try TestGroup()
        let store = try test.store()
        let id = DictationID(date: Date(timeIntervalSince1970: 1_700_000_000))
        let state = try #require(try store.adoptRecording(id, engine: "test", locale: "en-US"))
        #expect(state.timestamp == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(state.error?.knownCode == .hostDied)
        #expect(try store.unfinished().isEmpty)
        #expect(try store.adoptRecording(id, engine: "test", locale: "en-US") == nil)
    }
}
