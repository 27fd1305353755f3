import Foundation
import Testing

@testable import DictationShared

@Suite("Housekeeping")
struct TidyingTests {
    @Test("makes no store again whose folder is gone; the next text does")
    func missing() throws {
        let test = try TestGroup()
        let store = try test.store()
        let text = try store.add(text: "one", locale: "en-US")
        try store.apply(.discarded, to: text.id)
        try FileManager.default.removeItem(at: test.group.folder)
        let gone = StoreError.vanished(path: test.group.folder.path)
        #expect(throws: gone) { try store.makeSignatures() }
        #expect(throws: gone) { try store.applyRetention(Retention(count: 0, days: nil)) }
        #expect(throws: gone) { try store.expire() }
        #expect(!FileManager.default.fileExists(atPath: test.group.folder.path))
        _ = try store.add(text: "two", locale: "en-US")
        #expect(try store.history(limit: 9).map(\.cleanedText) == ["two"])
    }

    @Test("nor if the folder is removed while the history is trimmed")
    func vanishing() throws {
        let test = try TestGroup()
        let store = try test.store()
        for text in ["one", "two"] {
            let state = try store.add(text: text, locale: "en-US")
            try store.apply(.discarded, to: state.id)
        }
        let folder = test.group.folder
        #expect(throws: StoreError.vanished(path: folder.path)) {
            try store.applyRetention(Retention(count: 0, days: nil)) {
                try? FileManager.default.removeItem(at: folder)
                return true
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    /// What a log keeps until it is restarted: the salts in its header.
    private func salts(_ group: AppGroup) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: group.database.path + "-wal")).subdata(in: 16..<24)
    }

    @Test("the commit after a checkpoint does not restart the log: that waits for the disk")
    func log() throws {
        let test = try TestGroup()
        let store = try test.store()
        try store.apply(.discarded, to: try store.add(text: "one", locale: "en-US").id)
        let first = try salts(test.group)
        try store.checkpoint()
        let second = try salts(test.group)
        #expect(second != first, "or nothing is tested")
        let spoken = try store.begin(target: nil, engine: "test", locale: "en-US")
        #expect(try salts(test.group) == second)
        // The middle of a dictation is a bad time for it.
        try store.checkpoint()
        #expect(try salts(test.group) == second)
        try store.apply(.recordingStarted, to: spoken.id)
        #expect(try salts(test.group) != second)
    }
}
