import Desktop

/// One text on its way into a field. It goes in pieces, and the field is read after each piece before the
/// next one goes.
///
/// The field is named with each piece, so that nothing can go to another one if the focus moves.
struct InsertionRun {
    let field: TextField
    let pace: Duration
    /// Why the field may not be written to any more; asks the program.
    let reasonToStop: () throws -> TypingOutcome.StopReason?

    /// In characters: at most that many are there and do not count after a kill.
    static let piece = 32

    /// How far a text got.
    struct Result {
        var count = 0
        /// Whether the field has shown each character as it is.
        var isConfirmed = true
        /// Nil if all of it is there.
        var stop: TypingOutcome.StopReason?
        /// The piece whose arrival in the field is not yet known.
        var open: (text: String, count: Int, place: TextField.Place)?
    }

    /// - Parameters:
    ///   - characters: each as it is put into the field; empty if it is left out.
    ///   - progress: called after each piece.
    func type(_ characters: [String], progress: (Result) throws -> Void) throws -> Result {
        var result = Result()
        if let reason = try reasonToStop() { return Result(stop: reason) }
        try field.removeSelection()
        while result.count < characters.count {
            if let reason = try reasonToStop() {
                result.stop = reason
                break
            }
            let piece = characters[result.count...].prefix(Self.piece)
            if let reason = try insert(piece, &result) {
                result.stop = reason
                break
            }
            result.count += piece.count
            try progress(result)
            if result.count < characters.count { rest(forPace: pace) }
        }
        return result
    }

    private func insert(
        _ piece: ArraySlice<String>, _ result: inout Result
    ) throws -> TypingOutcome.StopReason? {
        let text = piece.joined()
        if text.isEmpty { return nil }
        guard let place = try field.place() else { return .notResponding }
        switch try field.insert(text, at: place) {
        case .shown: return nil
        case .grown:
            result.isConfirmed = false
            return nil
        case .unchanged: return .notTaken
        case .cut(let start):
            result.count += piece.indices.count { start.hasPrefix(piece[...$0].joined()) }
            return .notTaken
        // The program may still have it in its queue.
        case .different, nil:
            result.open = (text, piece.count, place)
            return .unsure
        }
    }
}
