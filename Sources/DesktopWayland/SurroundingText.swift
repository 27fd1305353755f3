/// The text around the caret as a text field reports it: at most 4,000 bytes of it, cut at either end.
struct SurroundingText: Equatable, Sendable {
    /// Up to the caret, or to the beginning of the selection, in UTF-8. Bytes, because an equal text in another form is
    /// another text here.
    let before: [UInt8]
    let hasSelection: Bool

    init(before: String, hasSelection: Bool = false) {
        self.before = Array(before.utf8)
        self.hasSelection = hasSelection
    }

    /// - Parameters:
    ///   - text: its ends may be parts of a character.
    ///   - cursor: a byte in `text`.
    ///   - anchor: the other end of the selection; the same as `cursor` without one.
    init(text: some Sequence<UInt8>, cursor: Int, anchor: Int) {
        before = Array(text.prefix(max(0, min(cursor, anchor))))
        hasSelection = cursor != anchor
    }

    /// From this many bytes on, its beginning may be cut off.
    static let cutLength = 1000

    /// The field's text after a piece was given to it.
    enum Reading: Equatable {
        /// The same as before.
        case unchanged
        /// The piece, after the earlier text.
        case arrived
        /// Anything else.
        case different
    }

    /// - Parameter shown: what the field shows now.
    func reading(of shown: SurroundingText, after piece: String) -> Reading {
        let expected = before + Array(piece.utf8)
        if shown.before == expected { return .arrived }
        if shown.before == before { return .unchanged }
        // Less of the text before may be shown now: GTK 4 shows the line alone when text has come.
        let isTail = shown.before.count >= piece.utf8.count && expected.ends(with: shown.before)
        return isTail && !before.ends(with: shown.before) ? .arrived : .different
    }

    /// Whether the field looks different when a piece has arrived, even if it shows no more bytes than now.
    func tells(_ piece: String) -> Bool {
        piece.isEmpty || before.count < Self.cutLength
            || (before + Array(piece.utf8)).suffix(before.count) != before[...]
    }

    /// Whether a text is certainly directly before the caret.
    func shows(_ text: String) -> Bool { isBeforeCaret(text) == true }

    /// Whether a text is right before the caret; nil if only its end is shown: GTK shows the line alone.
    func isBeforeCaret(_ text: String) -> Bool? {
        let bytes = Array(text.utf8)
        if hasSelection || bytes.isEmpty { return false }
        if before.ends(with: bytes) { return true }
        return before.count < bytes.count && bytes.ends(with: before) ? nil : false
    }

    /// How many bytes before the caret are gone since an earlier reading; nil if the rest has changed, too.
    ///
    /// - Parameter limit: how many bytes may go.
    func bytesGone(since former: SurroundingText, atMost limit: Int) -> Int? {
        if former.before.starts(with: before) {
            let gone = former.before.count - before.count
            return gone <= limit ? gone : nil
        }
        guard limit > 0 else { return nil }
        return (1...limit).first { gone in
            let rest = former.before.dropLast(gone)
            // More of the text before may be shown now: GTK 4 shows the line, or three words if the line has
            // fewer.
            if !rest.isEmpty, before.count > rest.count, before.ends(with: Array(rest)) { return true }
            // Another part of a long text is shown now: everything that may still go, and what is before that.
            guard former.before.count >= Self.cutLength else { return false }
            let shown = min(rest.count, before.count)
            return shown > limit - gone && rest.suffix(shown) == before.suffix(shown)
        }
    }

    /// How much of a text is given to the field next.
    ///
    /// - Parameters:
    ///   - characters: the text; one that is left out is empty.
    ///   - limit: in characters.
    /// - Returns: how many characters; nil if the field would look the same after any beginning of the text.
    func piece(of characters: ArraySlice<String>, limit: Int) -> Int? {
        (1...limit).reversed().first { count in
            count <= characters.count && tells(characters.prefix(count).joined())
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with tail: [UInt8]) -> Bool { suffix(tail.count) == tail[...] }
}
