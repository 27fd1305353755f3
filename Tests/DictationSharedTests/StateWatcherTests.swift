import DictationShared
import Foundation
import Testing

@Suite("The watcher")
struct StateWatcherTests {
    @Test("hands over what is there, then each commit of another connection", .timeLimit(.minutes(2)))
    func follows() async throws {
        let test = try TestGroup()
        let writer = try test.store()
        let before = try writer.addReady("before")
        var changes = StateWatcher.changes(of: try test.store(), since: 0).makeAsyncIterator()
        #expect(try await changes.next()?.dictations.map(\.id) == [before.id])
        for index in 0..<200 {
            let state = try writer.add(text: "\(index)", locale: "en-US")
            let next = try await changes.next()
            #expect(next?.dictations.map(\.id) == [state.id])
        }
    }

    @Test("never misses the newest state in a burst", .timeLimit(.minutes(2)))
    func burst() async throws {
        let test = try TestGroup()
        let writer = try test.store()
        let state = try writer.begin(target: nil, engine: "test", locale: "en-US")
        let changes = StateWatcher.changes(of: try test.store(), since: 0)
        let writing = Task.detached {
            for index in 1...2_000 { try writer.apply(.partial("\(index)"), to: state.id) }
        }
        var last: Revision = 0
        for try await change in changes {
            #expect(change.revision > last, "revisions only grow")
            last = change.revision
            if change.dictations.last?.partialText == "2000" { break }
        }
        try await writing.value
    }

    @Test("continues with the restored store when the folder vanishes", .timeLimit(.minutes(2)))
    func vanished() async throws {
        let test = try TestGroup()
        let store = try test.store()
        var changes = StateWatcher.changes(of: store, since: 0).makeAsyncIterator()
        _ = try store.addReady("before")
        while try await changes.next()?.dictations.last?.status != .ready {}
        try FileManager.default.removeItem(at: test.folder)
        let after = try store.add(text: "after", locale: "en-US")
        #expect(try await changes.next()?.dictations.map(\.id) == [after.id], "a store of its own")
        let elsewhere = test.folder.appendingPathExtension("moved")
        defer { try? FileManager.default.removeItem(at: elsewhere) }
        try FileManager.default.moveItem(at: test.folder, to: elsewhere)
        try FileManager.default.moveItem(at: elsewhere, to: test.folder)
        let last = try test.store().add(text: "moved away and back", locale: "en-US")
        while try await changes.next()?.dictations.contains(where: { $0.id == last.id }) != true {}
    }
}
