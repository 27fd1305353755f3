import Desktop
import Testing

@testable import DesktopWayland

@Suite("Pieces that a field did not show in time")
struct OpenPiecesTests {
    private static let record = TypingRecord(text: "agent one", scalars: 7)

    private static func pieces(before: String = "Dear") -> OpenPieces {
        var pieces = OpenPieces()
        pieces.add(
            OpenPiece(window: 1, text: " Ann", before: SurroundingText(before: before), record: record))
        return pieces
    }

    struct Case: CustomTestStringConvertible {
        let shown: String
        let isFirst: Bool
        let isRead: Bool
        let isOpen: Bool
        var testDescription: String { "\(shown), \(isFirst ? "first answer" : "a change")" }
    }

    @Test(
        "the text that a field shows later tells whether a piece arrived",
        arguments: [
            Case(shown: "Dear Ann", isFirst: false, isRead: true, isOpen: false),
            Case(shown: "Dear Ann", isFirst: true, isRead: true, isOpen: false),
            // The user typed on.
            Case(shown: "Dear Ann, th", isFirst: false, isRead: true, isOpen: false),
            // It may still come, or it was dropped.
            Case(shown: "Dear", isFirst: false, isRead: false, isOpen: true),
            Case(shown: "Dear", isFirst: true, isRead: false, isOpen: false),
            // Undecidable.
            Case(shown: "Dear Bob", isFirst: false, isRead: false, isOpen: false),
            Case(shown: "", isFirst: true, isRead: false, isOpen: false),
        ])
    func settled(_ row: Case) {
        var pieces = Self.pieces()
        #expect(
            pieces.settle(1, shown: SurroundingText(before: row.shown), isFirst: row.isFirst) == row.isRead)
        #expect((pieces[1] != nil) == row.isOpen)
        #expect(pieces.take() == (row.isRead ? [Self.record] : []))
        pieces.forgetTaken()
        #expect(pieces.take().isEmpty)
    }

    @Test("a text is held back if it would come twice")
    func heldBack() {
        let rest = TypingRecord(text: "agent one", scalars: 3)
        var pieces = Self.pieces()
        #expect(pieces.hold(rest, in: 1))
        #expect(!pieces.hold(rest, in: 2))
        #expect(!pieces.hold(TypingRecord(text: "agent two", scalars: 0), in: 1))
        _ = pieces.settle(1, shown: SurroundingText(before: "Dear Ann"), isFirst: true)
        // Pieces that were read late have to be counted first.
        #expect(pieces.hold(rest, in: 1) && pieces.hold(rest, in: 2))
        #expect(!pieces.hold(Self.record, in: 1))
    }

    @Test("a piece is forgotten with its window, and if its text goes elsewhere")
    func forgotten() {
        var pieces = Self.pieces()
        pieces.forget(TypingRecord(text: "later one", scalars: 0), except: 1)
        #expect(pieces[1] != nil)
        pieces.forget(TypingRecord(text: "later one", scalars: 0), except: 2)
        #expect(pieces[1] == nil)
        pieces = Self.pieces()
        pieces.forgetWindows { $0 == 1 }
        #expect(pieces[1] != nil)
        pieces.forgetWindows { _ in false }
        #expect(pieces[1] == nil)
    }
}
