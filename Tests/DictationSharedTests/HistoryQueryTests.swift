import DictationShared
import Foundation
import Testing

@Suite("Searching the history")
struct HistoryQueryTests {
    private static let texts = [
        "Meet the café owner at noon.", "The meeting was moved to Friday.", "I can't open the e-mail.",
        "Zürich and Genève are far.", "NOT a word about C++ or AND gates.", "Привет, мир.", "",
    ]

    /// The texts that a query finds.
    private static func find(_ words: String, limit: Int = 100) throws -> [String] {
        let test = try TestGroup()
        let store = try test.store()
        for text in texts {
            let state = try store.begin(target: nil, engine: "test", locale: "en-US")
            try store.apply(.recognized(.init(rawText: "um " + text, cleanedText: text)), to: state.id)
        }
        return try store.history(HistoryQuery(words: words, limit: limit)).map(\.dictation.cleanedText)
    }

    @Test(
        "finds words in any case, with or without accents; newest first",
        arguments: [
            ("cafe", [0]), ("CAFÉ", [0]), ("zurich geneve", [3]), ("geneve cafe", []), ("meet*", [1, 0]),
            ("meet", [0]), ("\"meeting was\"", [1]), ("\"was meeting\"", []), ("friday OR noon", [1, 0]),
            ("the NOT meeting", [2, 0]), ("мир", [5]), ("ПРИВЕТ", [5]), ("um far", [3]),
        ])
    func words(words: String, expected: [Int]) throws {
        #expect(try Self.find(words) == expected.map { Self.texts[$0] })
    }

    @Test(
        "takes what is no query as words, and never fails",
        arguments: [
            ("can't", [2]), ("e-mail", [2]), ("c++", [4]), ("AND gates", [4]), ("(meeting", [1]),
            ("\"meeting", [1]), ("friday.", [1]), ("owner:", [0]), ("meeting -friday", [1]),
            ("caf* owner:", [0]),
            ("'; DROP TABLE dictation; --", []), ("*", []), ("\"", []), ("…", []), ("", []), ("^", []),
            ("NEAR(", []), ("cleaned : raw", []), ("a\tb", []),
        ])
    func noQuery(words: String, expected: [Int]) throws {
        #expect(try Self.find(words) == expected.map { Self.texts[$0] })
    }

    @Test("a zero is no end")
    func zero() throws {
        #expect(try Self.find("noon\u{0}friday").isEmpty)
    }

    @Test("shows the place that was found")
    func excerpt() throws {
        let test = try TestGroup()
        let store = try test.store()
        let long = String(repeating: "and so on ", count: 50)
        _ = try store.addReady(long + "the needle is here " + long)
        let match = try #require(try store.history(HistoryQuery(words: "NEEDLE", limit: 1)).first)
        let pieces = try #require(match.excerpt?.pieces)
        #expect(pieces.count == 3 && pieces[1] == "needle")
        #expect(pieces[0].hasPrefix("…") && pieces[2].hasSuffix("…"))
        #expect(pieces.joined().count < 200)
    }

    @Test("is limited by number and by time")
    func limits() throws {
        let test = try TestGroup()
        let store = try test.store()
        let noon = Date(timeIntervalSince1970: 1_700_000_000)
        let ids = try (0..<5).map { try store.addReady("word", at: noon.addingTimeInterval(Double($0))).id }
        func find(_ query: HistoryQuery) throws -> [DictationID] {
            try store.history(query).map(\.dictation.id)
        }
        for words in [nil, "word"] {
            #expect(try find(.init(words: words, limit: 2)) == [ids[4], ids[3]])
            let from = noon.addingTimeInterval(1)
            let to = noon.addingTimeInterval(3)
            #expect(try find(.init(words: words, since: from, before: to, limit: 9)) == [ids[2], ids[1]])
        }
    }
}
