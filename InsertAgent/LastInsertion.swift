import Desktop
import DictationShared
import DictationSystem

/// An inserted text, for the space before the next one, for undo and for edits.
struct LastInsertion: Equatable, Sendable {
    let id: DictationID
    let window: WindowInfo
    /// All that was typed, with the spaces around it.
    private(set) var text: String
    /// How many characters of the dictation were there before.
    let countBefore: Int
    /// How many characters were put before the dictation's own.
    private(set) var leadCount: Int
    /// How many characters of the dictation were typed.
    private(set) var bodyCount: Int
    /// The selected text that it has replaced: an undo restores it.
    let replaced: String?
    /// Whether all of it was pasted, so that the application cannot have handled it as keys.
    private(set) var isPasted: Bool
    private(set) var end: ContinuousClock.Instant
    /// The text of the dictation before each edit, oldest first; empty if it was not edited.
    var formerTexts: [String] = []

    init(
        id: DictationID, window: WindowInfo, framed: FramedText, typed: Int, countBefore: Int,
        replaced: String? = nil, isPasted: Bool = false, end: ContinuousClock.Instant = .now
    ) {
        self.id = id
        self.window = window
        text = String(framed.whole.prefix(typed))
        self.countBefore = countBefore
        leadCount = min(framed.before.count, typed)
        bodyCount = framed.bodyCount(of: typed)
        self.replaced = replaced
        self.isPasted = isPasted
        self.end = end
    }

    /// How many characters of the dictation are left after this many BackSpaces.
    func count(afterUndoing backspaces: Int) -> Int {
        countBefore + min(max(text.count - backspaces - leadCount, 0), bodyCount)
    }

    /// Some of its end was removed.
    mutating func removeLast(_ count: Int) {
        bodyCount = self.count(afterUndoing: count) - countBefore
        text.removeLast(min(count, text.count))
        leadCount = min(leadCount, text.count)
    }

    /// Adds what was typed directly after it from the same dictation.
    ///
    /// - Returns: whether it belongs there.
    mutating func append(_ next: LastInsertion) -> Bool {
        guard next.id == id, next.replaced == nil, next.window.isSameWindow(as: window),
            next.countBefore == countBefore + bodyCount,
            text.count == leadCount + bodyCount, next.leadCount == 0 || bodyCount == 0
        else { return false }
        text += next.text
        isPasted = isPasted && next.isPasted
        formerTexts = []
        leadCount += next.leadCount
        bodyCount += next.bodyCount
        end = next.end
        return true
    }
}

/// The texts that were inserted directly one after the other, with nothing between them, and nothing since.
///
/// It is in memory only: after a restart it is unknown what has happened in the window.
struct InsertionHistory: Sendable {
    /// How many can be undone, one after another.
    static let depth = 32

    private(set) var insertions: [LastInsertion] = []
    /// The insertion after the last one that an edit has removed completely. It can be restored.
    private(set) var erased: LastInsertion?
    /// Watches the window since the last change there; nil if it could not be watched.
    private(set) var watch: (any TouchWatching)?

    var last: LastInsertion? { insertions.last }

    /// Whether nothing was typed or clicked there since, as far as that is seen.
    func isUntouched(in window: WindowInfo) -> Bool {
        window.isSameWindow(as: (erased ?? last)?.window) && watch?.isTouched() == false
    }

    /// - Parameters:
    ///   - isBehind: whether it came directly after the last one.
    ///   - watch: from its end on.
    mutating func add(_ insertion: LastInsertion, isBehind: Bool, watch: (any TouchWatching)?) {
        self.watch = watch
        erased = nil
        guard isBehind else {
            insertions = [insertion]
            return
        }
        if let place = insertions.indices.last, insertions[place].append(insertion) { return }
        insertions.append(insertion)
        if insertions.count > Self.depth { insertions.removeFirst() }
    }

    /// Some of the last one's end was removed; if it was all, the one before is the last.
    mutating func removeLast(_ count: Int, watch: (any TouchWatching)?) {
        guard let place = insertions.indices.last else { return }
        erased = nil
        insertions[place].removeLast(count)
        if insertions[place].text.isEmpty, insertions[place].bodyCount == 0 { insertions.removeLast() }
        self.watch = insertions.isEmpty ? nil : watch
    }

    /// An edit has removed the last one completely.
    mutating func noteErased(_ insertion: LastInsertion, watch: (any TouchWatching)?) {
        (erased, self.watch) = (insertion, watch)
    }

    /// The last one was edited, or an edit of it was undone.
    ///
    /// - Parameter texts: see ``LastInsertion/formerTexts``.
    mutating func noteEdited(_ id: DictationID, formerTexts texts: [String]) {
        guard let place = insertions.indices.last, insertions[place].id == id else { return }
        insertions[place].formerTexts = texts.suffix(Self.depth)
    }

    mutating func clear() { self = InsertionHistory() }
}
