import Desktop
import DictationShared
import DictationSystem

/// A text on its way into a window.
struct Delivery: Sendable {
    let state: DictationState
    let window: WindowInfo
    let style: InsertionStyle
    let framed: FramedText

    /// How many characters of the dictation are there when so many of the whole are typed.
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

    static func dictation(in record: String) -> DictationID? {
        record.split(separator: " ").last.flatMap { DictationID(String($0)) }
    }
}
