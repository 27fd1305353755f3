import DictationShared
import Foundation
import TestSupport
import Testing

@testable import DictationHost

@Suite("The news for an agent")
struct NewsTests {
    private let folder: TemporaryFolder
    private let store: StateStore

    init() throws {
        folder = try TemporaryFolder("news")
        store = try Self.open(folder.file("group"))
    }

    private static func open(_ path: String) throws -> StateStore {
        try StateStore(group: AppGroup(folder: URL(fileURLWithPath: path)))
    }

    private func add(_ text: String, to store: StateStore) throws {
        _ = try store.add(text: text, locale: "en-US")
    }

    @Test("is everything after the start, also before the first read, and nothing older")
    func first() throws {
        try add("Past.", to: store)
        var news = News(since: try store.revision())
        try add("Meanwhile.", to: store)
        #expect(news.take(from: try store.changes(since: 0)).map(\.cleanedText) == ["Meanwhile."])
        let seen = try store.revision()
        try add("Later.", to: store)
        #expect(news.take(from: try store.changes(since: seen)).map(\.cleanedText) == ["Later."])
    }

    @Test("begins with an empty store as well")
    func empty() throws {
        var news = News(since: try store.revision())
        try add("First.", to: store)
        #expect(news.take(from: try store.changes(since: 0)).map(\.cleanedText) == ["First."])
    }

    @Test("begins with the first read if the store could not be read before")
    func unreadable() throws {
        try add("Past.", to: store)
        var news = News(since: nil)
        let changes = try store.changes(since: 0)
        #expect(news.take(from: changes).isEmpty)
        try add("Later.", to: store)
        #expect(
            news.take(from: try store.changes(since: changes.revision)).map(\.cleanedText) == ["Later."])
    }

    @Test("is everything in a store that was made again")
    func anew() throws {
        for text in ["One.", "Two.", "Three."] { try add(text, to: store) }
        var news = News(since: try store.revision())
        let other = try Self.open(folder.file("other"))
        try add("After.", to: other)
        #expect(news.take(from: try other.changes(since: 0)).map(\.cleanedText) == ["After."])
    }
}
