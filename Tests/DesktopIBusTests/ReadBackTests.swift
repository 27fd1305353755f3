import Desktop
import Testing

@testable import DesktopIBus

@Suite("The text that an application shows")
struct ReadBackTests {
    /// The text before the caret, the given text, the text that the application shows, and whether that
    /// confirms it.
    struct Case: Sendable {
        let before: String?
        let given: String
        let told: String
        var anchor: Int?
        let isConfirmed: Bool
    }

    private static let cases = [
        Case(before: nil, given: "Hello", told: "Hello", isConfirmed: true),
        Case(before: nil, given: "Hello", told: "Before. Hello", isConfirmed: true),
        Case(before: nil, given: "Hello", told: "Hell", isConfirmed: false),
        Case(before: "", given: "one\ntwo", told: "two", isConfirmed: true),
        Case(before: "", given: "one\ntwo", told: "one\ntwo", isConfirmed: true),
        Case(before: "abc", given: "de", told: "abcde", isConfirmed: true),
        Case(before: "abc", given: "de", told: "bcde", isConfirmed: true),
        Case(before: "abc", given: "de", told: "abc", isConfirmed: false),
        Case(before: "abc", given: "de", told: "abcd", isConfirmed: false),
        // The same characters again: ending with them proves nothing.
        Case(before: "aaaa", given: "aa", told: "aaaa", isConfirmed: false),
        Case(before: "aaaa", given: "aa", told: "aaaaaa", isConfirmed: true),
        // Another text, and dots in place of a password.
        Case(before: "", given: "teh", told: "the", isConfirmed: false),
        Case(before: "", given: "word", told: "••••", isConfirmed: false),
        Case(before: "a\n", given: "\n", told: "", isConfirmed: true),
    ]

    @Test("it confirms a text that is before the caret, after the one that was there", arguments: cases)
    func confirm(example: Case) {
        var readBack = ReadBack()
        if let before = example.before {
            readBack.take(.init(before, cursor: before.unicodeScalars.count, anchor: 1_000))
        }
        readBack.expect(example.given)
        #expect(!readBack.hasNews && !readBack.isConfirmed)
        let end = example.told.unicodeScalars.count
        readBack.take(.init(example.told + " after", cursor: end, anchor: end))
        #expect(readBack.hasNews && readBack.isConfirmed == example.isConfirmed)
    }

    @Test("the caret may be given in UTF-16 units")
    func units() {
        var readBack = ReadBack()
        readBack.take(.init("😀 after", cursor: 2, anchor: 2))
        readBack.expect("👍!")
        readBack.take(.init("😀👍! after", cursor: 5, anchor: 5))
        #expect(readBack.isConfirmed)
    }

    @Test("the caret may be given in bytes")
    func bytes() {
        var readBack = ReadBack()
        readBack.take(.init("äé “after”", cursor: 4, anchor: 4))
        readBack.expect("日本!")
        readBack.take(.init("äé日本! “after”", cursor: 11, anchor: 11))
        #expect(readBack.isConfirmed)
    }

    @Test("news of an earlier state confirms nothing, and the next one does")
    func late() {
        var readBack = ReadBack()
        readBack.expect("b")
        readBack.take(.init("a", cursor: 1, anchor: 1))
        #expect(!readBack.isConfirmed)
        readBack.take(.init("ab", cursor: 2, anchor: 2))
        #expect(readBack.isConfirmed)
    }

    @Test("nothing is awaited if the line before the caret looks the same afterward")
    func sameLine() {
        var readBack = ReadBack()
        #expect(readBack.wouldShow("text") && !readBack.wouldShow("text\n"))
        readBack.take(.init("", cursor: 0, anchor: 0))
        #expect(!readBack.wouldShow("\n") && readBack.wouldShow("a\nb"))
        readBack.take(.init("b", cursor: 1, anchor: 1))
        #expect(!readBack.wouldShow("\nb"))
    }

    @Test("a text is cut between characters, and what needs keys is not cut at all")
    func pieces() throws {
        let family = "👨‍👩‍👧‍👦"
        let text = String(repeating: family, count: 33) + "\ttab"
        let pieces = try #require(CommitPiece.pieces(of: text, options: .init()))
        #expect(pieces.map(\.end) == [32, 37])
        #expect(pieces.map(\.text).joined() == String(repeating: family, count: 33) + " tab")
        #expect(CommitPiece.pieces(of: "a\nb", options: .init(newline: .space))?.first?.text == "a b")
        #expect(CommitPiece.pieces(of: "a\nb", options: .init(newline: .shiftReturn)) == nil)
        #expect(CommitPiece.pieces(of: "", options: .init()) == [])
    }
}
