import Desktop

/// A piece of a text that was given to a field, and that the field did not show in time: its application hangs or is stopped,
/// or the focus has moved. The application reads it later, or drops it.
struct OpenPiece: Equatable, Sendable {
    /// The window's number.
    let window: UInt64
    let text: String
    /// The text that the field showed before.
    let before: SurroundingText
    /// Its text, and how much of that is there when the field has read the piece.
    let record: TypingRecord?
}

/// Finds out whether pieces arrived that are no longer waited for. A window has one at most: nothing
/// follows it.
struct OpenPieces: Sendable {
    private var open: [UInt64: OpenPiece] = [:]
    private var lateRead: [TypingRecord] = []
    /// How many of ``lateRead`` were returned already.
    private var taken = 0
    /// The window whose field has to answer for its piece; nil if the seat is not kept for that.
    var watched: UInt64?

    subscript(window: UInt64) -> OpenPiece? { open[window] }

    mutating func add(_ piece: OpenPiece) { open[piece.window] = piece }

    /// - Parameters:
    ///   - shown: the text that the field of the window shows now.
    ///   - isFirst: this is the answer to a question that was asked after the piece: the application has
    ///     handled the piece.
    /// - Returns: whether the piece is known to be read now.
    mutating func settle(_ window: UInt64, shown: SurroundingText, isFirst: Bool) -> Bool {
        guard let piece = open[window] else { return false }
        switch piece.before.reading(of: shown, after: piece.text) {
        case .unchanged:
            if isFirst { open[window] = nil }
            return false
        case .arrived: break
        case .different:
            open[window] = nil
            // The user has continued to type. If the beginning is cut off, this is undecidable.
            let expected = piece.before.before + Array(piece.text.utf8)
            guard shown.before.count < SurroundingText.cutLength, shown.before.starts(with: expected) else {
                return false
            }
        }
        open[window] = nil
        if let record = piece.record { lateRead.append(record) }
        return true
    }

    /// Closed windows report nothing.
    mutating func forgetWindows(except isThere: (UInt64) -> Bool) { open = open.filter { isThere($0.key) } }

    /// The same text is inserted again, elsewhere: its earlier pieces no longer count.
    mutating func forget(_ record: TypingRecord?, except window: UInt64) {
        guard let record else { return }
        open = open.filter { $0.key == window || $0.value.record?.subject != record.subject }
    }

    /// Whether a piece of this text is open in the window, or was read since and is not counted yet: from
    /// `record` on, it would come twice.
    func hold(_ record: TypingRecord?, in window: UInt64) -> Bool {
        guard let record else { return false }
        return open[window]?.record?.subject == record.subject
            || lateRead.contains { $0.subject == record.subject && $0.scalars > record.scalars }
    }

    mutating func take() -> [TypingRecord] {
        taken = lateRead.count
        return lateRead
    }

    mutating func forgetTaken() {
        lateRead.removeFirst(taken)
        taken = 0
    }
}
