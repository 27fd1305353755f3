import Desktop
import DictationShared
import DictationSystem

/// The last inserted text, for the space before the next one and for undo.
///
/// It is in memory only: after a restart nobody can say what has happened in the window since.
struct LastInsertion: Sendable {
    let id: DictationID
    let window: WindowInfo
    /// All that was typed, with the spaces around it.
    let text: String
    /// How many characters of the dictation were there before.
    let countBefore: Int
    let framed: FramedText
    let end: ContinuousClock.Instant
    /// Nil if it could not be watched.
    let watch: (any TouchWatching)?

    /// The text before the caret, if it can be known: nothing was typed or clicked there since.
    ///
    /// - Parameter seconds: what was longer ago does not count.
    func isBeforeCaret(in window: WindowInfo, within seconds: Int) -> Bool {
        window.id == self.window.id && end.duration(to: .now) <= .seconds(seconds)
            && watch?.isTouched() == false
    }

    /// How many characters of the dictation are left when so many of the typed ones were undone.
    func count(afterUndoing backspaces: Int) -> Int {
        countBefore + framed.bodyCount(of: text.count - backspaces)
    }
}
