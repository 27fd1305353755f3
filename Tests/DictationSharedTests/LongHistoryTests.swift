import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import DictationShared

/// A history of any length is searched and trimmed as a short one is.
@Suite("A long history")
struct LongHistoryTests {
    private static let words = [
        "meet", "meeting", "café", "CAFE", "Zürich", "zurich", "the", "to", "Привет", "мир", "C++", "e-mail",
        "don't",
        "naïve", "I", "東京", "ﬁne", "Straße", "x", "🙂", "re\u{301}sume\u{301}", "résumé",
    ]

    private static func store(
        _ count: Int, _ generator: inout SeededGenerator
    ) throws -> (TestGroup, StateStore) {
        let test = try TestGroup()
        let store = try test.store()
        let begin = Date(timeIntervalSince1970: 1_700_000_000)
        try store.add(
            (0..<count).map { number in
                let length = Int.random(in: 0...9, using: &generator)
                let text = (0..<length).map { _ in words.randomElement(using: &generator) ?? "" }
                    .joined(separator: " ")
                return .init(
                    date: begin.addingTimeInterval(Double(number)), rawText: text,
                    cleanedText: text.replacing("meet", with: "met"), timings: Timings(recording: 1))
            })
        return (test, store)
    }

    /// The dictations that FTS5 finds in all texts, the newest first.
    private static func reference(_ query: String, in all: [DictationState]) throws -> [DictationID] {
        let index = try TextIndex()
        guard let expression = try index.understand(query).expression else { return [] }
        let ids = Dictionary(uniqueKeysWithValues: all.map { ($0.spoken, $0.id) })
        return try index.search(expression, in: all, limit: .max).compactMap { ids[$0.number] }
    }

    @Test("gives the same as an index of all texts, for any query, with signatures and without")
    func sameAsWholeIndex() throws {
        var generator = SeededGenerator(seed: 11)
        let (test, store) = try Self.store(400, &generator)
        defer { withExtendedLifetime(test) {} }
        let forms = [
            "%1 %2", "%1*", "\"%1 %2\"", "%1 OR %2", "%1 NOT %2", "(%1 AND %2)", "%1 AND %2*", "mee*%1",
            "%1 *",
        ]
        var found = 0
        for isSigned in [false, true] {
            if isSigned { while try store.makeSignatures() > 0 {} }
            let texts = try store.history(limit: .max)
            for form in forms {
                for _ in 0..<20 {
                    let query = form.replacing("%1", with: Self.words.randomElement(using: &generator) ?? "")
                        .replacing("%2", with: Self.words.randomElement(using: &generator) ?? "")
                    let wanted = try Self.reference(query, in: texts)
                    found += wanted.count
                    let all = try store.history(HistoryQuery(words: query, limit: .max)).map(\.dictation.id)
                    #expect(all == wanted, "\(query)")
                    let some = try store.history(HistoryQuery(words: query, limit: 3)).map(\.dictation.id)
                    #expect(some == Array(wanted.prefix(3)), "\(query)")
                }
            }
        }
        #expect(found > 1_000)
    }

    @Test("a word that no text has is looked for without reading the texts")
    func readsFew() throws {
        var generator = SeededGenerator(seed: 12)
        let (test, store) = try Self.store(2_000, &generator)
        defer { withExtendedLifetime(test) {} }
        while try store.makeSignatures() > 0 {}
        func candidates(_ word: String) throws -> Int {
            let signature = try TextIndex().understand(word).signature
            return try store.read {
                try StateStore.candidates(for: signature, before: .max, limit: .max, $0)
            }.count
        }
        #expect(try candidates("xylophone") < 20)
        #expect(try candidates("xyl*") < 100)
        #expect(try candidates("meeting") < 1_000)
        #expect(try candidates("meeting OR xylophone") == 2_000)
    }

    @Test("a text that changes when its signature is made is found by its new words only")
    func changedText() throws {
        let test = try TestGroup()
        let store = try test.store()
        let id = try store.begin(target: nil, engine: "test", locale: "en-US").id
        try store.apply(.failed(DictationFailure(code: .hostDied, message: "x", kept: "sound")), to: id)
        #expect(try store.makeSignatures() == 1)
        #expect(try store.makeSignatures() == 0)
        try store.apply(
            .recognized(.init(rawText: "found later", cleanedText: "Found later.", held: .recovered)), to: id)
        for _ in 0..<2 {
            #expect(try store.history(HistoryQuery(words: "later", limit: 9)).count == 1)
            try store.makeSignatures()
        }
        #expect(try store.forget(.one(id)).ids == [id])
        #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM signature") } == 0)
    }

    @Test("is trimmed in slices, between which another process writes")
    func slices() throws {
        var generator = SeededGenerator(seed: 13)
        let (test, store) = try Self.store(3_000, &generator)
        let other = try test.store()
        var slices = 0
        let removed = try store.applyRetention(Retention(count: 100, days: nil)) {
            slices += 1
            // It would wait forever for a lock that is held.
            _ = try other.submit(.record(.cancel))
            return true
        }
        #expect(removed.count == 2_900)
        #expect(slices > 10)
        #expect(try store.history(limit: .max).count == 100)
        // A reader that was there all the time is notified of each.
        #expect(try store.changes(since: 1).removed.count == 2_900)
        try store.expire(at: Date(timeIntervalSinceNow: 700))
        #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM removal") } == 0)
        #expect(try store.changes(since: 1).isComplete)
    }

    @Test("trimming ends when a dictation begins, and continues the next time")
    func interrupted() throws {
        var generator = SeededGenerator(seed: 14)
        let (test, store) = try Self.store(1_000, &generator)
        defer { withExtendedLifetime(test) {} }
        var asked = 0
        let first = try store.applyRetention(Retention(count: 10, days: nil)) {
            asked += 1
            return asked < 4
        }
        #expect((1..<990).contains(first.count))
        let second = try store.applyRetention(Retention(count: 10, days: nil))
        #expect(first.count + second.count == 990)
    }

    @Test("a dictation is found by the end of its identifier")
    func ends() throws {
        var generator = SeededGenerator(seed: 15)
        let (test, store) = try Self.store(300, &generator)
        defer { withExtendedLifetime(test) {} }
        for state in try store.history(limit: 20) {
            let id = state.id.description
            for length in [4, 8, 13, 36] {
                #expect(try store.dictations(endingIn: String(id.suffix(length))).contains(state.id))
            }
            #expect(try store.dictations(endingIn: String(id.suffix(12))) == [state.id])
            #expect(try store.dictations(endingIn: String(id.suffix(3))).isEmpty)
        }
        #expect(try store.dictations(endingIn: "zzzzzzzz").isEmpty)
    }

    @Test("a slice is as large as its time allows")
    func sliceSize() {
        var slice = SliceSize()
        let first = slice.rows
        slice.adapt(to: .microseconds(10))
        #expect(slice.rows == first * 2)
        for _ in 0..<20 { slice.adapt(to: SliceSize.goal * 4) }
        #expect(slice.rows == 1)
        for _ in 0..<20 { slice.adapt(to: .zero) }
        #expect(slice.rows == 256)
    }
}
