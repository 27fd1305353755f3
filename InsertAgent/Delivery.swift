import Desktop
import DictationShared
import DictationSystem

/// A text on its way into a window.
struct Delivery: Sendable {
    let state: DictationState
    let window: WindowInfo
    let style: InsertionStyle
    let framed: FramedText
    /// The selected text that it replaces; nil if it is inserted at the caret.
    var replaced: String?

    /// How many characters of the dictation are there when `typed` characters of the whole are.
    func count(of typed: Int) -> Int {
        let count = framed.bodyCount(of: typed)
        if state.tornScalars == 0 { return state.insertedCount + count }
        // The rest of a torn character is one in itself, or joins the next.
        return state.characters(in: state.typedScalars + framed.body.prefix(count).unicodeScalars.count)
            .count
    }

    /// - Parameter typed: how many characters of the whole are there already.
    func record(after typed: Int = 0) -> TypingRecord {
        // The characters put before the text are not counted.
        TypingRecord(
            text: Self.record(of: state.id, by: .current),
            scalars: state.typedScalars - framed.before.unicodeScalars.count
                + framed.whole.prefix(typed).unicodeScalars.count)
    }

    /// The name under which the backend notes a text: that of one claim of it (``TypingRecord/subject``).
    static func record(of id: DictationID, by claimant: Claimant) -> String { "\(claimant) \(id)" }

    /// The name under which the backend notes the removal of an insertion. It has all figures that are needed
    /// to count the characters that are left.
    static func undoRecord(of insertion: LastInsertion, by claimant: Claimant) -> TypingRecord {
        let numbers = [
            insertion.text.count - insertion.leadCount, insertion.bodyCount, insertion.countBefore,
        ]
        return TypingRecord(
            text: "\(claimant) undo/\(numbers.map(String.init).joined(separator: "/"))/\(insertion.id)",
            scalars: 0)
    }

    /// The dictation in the note of a removal, and how many of its characters are left.
    ///
    /// - Returns: nil if the note is not about a removal, or nothing was removed.
    static func undone(in record: TypingRecord) -> (id: DictationID, count: Int)? {
        let parts = record.name.split(separator: "/")
        guard parts.count == 5, parts[0] == "undo", record.scalars > 0,
            let id = DictationID(String(parts[4])),
            let own = Int(parts[1]), let body = Int(parts[2]), let before = Int(parts[3])
        else { return nil }
        return (id, before + min(max(own - record.scalars, 0), body))
    }

    static func dictation(in record: String) -> DictationID? {
        record.split(separator: " ").last.flatMap { DictationID(String($0)) }
    }
}
