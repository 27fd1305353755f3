import Desktop
import DictationSettings
import DictationShared
import DictationSystem
import DictationText
import Testing

@testable import DictationInsertion

@Suite("The last insertion")
struct LastInsertionTests {
    private let window = WindowInfo(id: 7, windowClass: "editor", title: "Letter", pid: nil)
    private let id = DictationID()

    private func insertion(
        _ body: String, after previous: String? = nil, typed: Int? = nil, before: Int = 0,
        id: DictationID? = nil
    ) -> LastInsertion {
        var style = InsertionStyle(for: window, insert: .init(), profiles: [])
        style.trailingSpace = false
        let framed = FramedText(body, after: previous, style: style)
        return LastInsertion(
            id: id ?? self.id, window: window, framed: framed, typed: typed ?? framed.whole.count,
            countBefore: before)
    }

    private struct Watch: TouchWatching {
        let seesKeys = true
        var touched = false
        func isTouched() -> Bool { touched }
    }

    @Test("counts the characters that are left of the dictation, for any text around it")
    func counts() {
        let one = insertion("Hello.", after: "Before")
        #expect(one.text == " Hello." && one.leadCount == 1 && one.bodyCount == 6)
        #expect(one.count(afterUndoing: 0) == 6)
        #expect(one.count(afterUndoing: 2) == 4)
        #expect(one.count(afterUndoing: 7) == 0)
        var rest = insertion("lo.", before: 3)
        #expect(rest.count(afterUndoing: 1) == 5)
        rest.removeLast(2)
        #expect(rest.text == "l" && rest.bodyCount == 1 && rest.countBefore == 3)
    }

    @Test("the rest of a text joins its beginning, and another one does not")
    func joins() {
        var one = insertion("Hello.", typed: 3)
        let hasJoined = one.append(insertion("lo.", before: 3))
        #expect(hasJoined && one.text == "Hello." && one.bodyCount == 6 && one.countBefore == 0)
        let strangers = [insertion("Hi.", id: DictationID()), insertion("lo.", before: 3)]
        for stranger in strangers {
            let hasJoined = one.append(stranger)
            #expect(!hasJoined)
        }
    }

    @Test("a history ends if something came in between")
    func history() {
        var history = InsertionHistory()
        history.add(insertion("One."), isBehind: false, watch: Watch())
        history.add(insertion("Two.", after: "One.", id: DictationID()), isBehind: true, watch: Watch())
        #expect(history.insertions.map(\.text) == ["One.", " Two."])
        #expect(history.isUntouched(in: window))
        history.removeLast(5, watch: Watch(touched: true))
        #expect(history.last?.text == "One." && !history.isUntouched(in: window))
        history.add(insertion("Three.", id: DictationID()), isBehind: false, watch: nil)
        #expect(history.insertions.map(\.text) == ["Three."] && !history.isUntouched(in: window))
        for _ in 0..<100 {
            history.add(insertion("More.", id: DictationID()), isBehind: true, watch: Watch())
        }
        #expect(history.insertions.count == InsertionHistory.depth && InsertionHistory.depth >= 10)
    }

    @Test("remembers what was edited, until something follows it")
    func edited() {
        var history = InsertionHistory()
        history.add(insertion("One."), isBehind: false, watch: Watch())
        history.noteEdited(DictationID(), formerTexts: ["another"])
        #expect(history.last?.formerTexts == [])
        history.noteEdited(id, formerTexts: (0..<100).map { "\($0)" })
        #expect(history.last?.formerTexts.count == InsertionHistory.depth)
        #expect(history.last?.formerTexts.last == "99")
        history.add(insertion(" More.", before: 4), isBehind: true, watch: Watch())
        #expect(history.last?.text == "One. More." && history.last?.formerTexts == [])
        let last = insertion("Two.", after: "One.", id: DictationID())
        history.noteErased(last, watch: Watch())
        #expect(history.erased == last && history.isUntouched(in: window))
        history.removeLast(1, watch: Watch())
        #expect(history.erased == nil)
        history.noteErased(last, watch: Watch())
        history.add(insertion("Three.", id: DictationID()), isBehind: true, watch: Watch())
        #expect(history.erased == nil)
    }

    @Test("a revision keeps what is the same at the beginning")
    func revision() throws {
        let last = insertion("We meet on Monday.", after: "Hi.")
        let revision = try TextRevision(of: last, cleaned: "We meet on Monday.") {
            text throws(TextEdit.Refusal) in text.replacing("Monday", with: "Tuesday")
        }
        #expect(revision.kept == 11 && revision.removed == "Monday." && !revision.isRemoval)
        #expect(revision.text == "We meet on Tuesday.")
        let rest = insertion("on Monday.", before: 8)
        let removal = try TextRevision(of: rest, cleaned: "We meet on Monday.") {
            _ throws(TextEdit.Refusal) in ""
        }
        #expect(removal.kept == 8 && removal.removed == "on Monday." && removal.isRemoval)
        #expect(throws: TextEdit.Refusal.nothingToChange) {
            try TextRevision(of: last, cleaned: "We meet on Monday.") {
                _ throws(TextEdit.Refusal) in throw .nothingToChange
            }
        }
    }

    @Test("the note of a removal says what is left, and no other note does")
    func note() {
        let last = insertion("lo.", after: nil, before: 3)
        var record = Delivery.undoRecord(of: last, by: .current)
        #expect(Delivery.undone(in: record) == nil && Delivery.dictation(in: record.text) == nil)
        record = TypingRecord(text: record.text, scalars: 2)
        #expect(Delivery.undone(in: record)?.id == id && Delivery.undone(in: record)?.count == 4)
        let typed = TypingRecord(text: Delivery.record(of: id, by: .current), scalars: 2)
        #expect(Delivery.undone(in: typed) == nil)
    }
}
