import Desktop

/// One text on its way through the input method: in pieces. The text field shows each before the next one goes.
struct CommitRun {
    let connection: WaylandConnection
    let method: InputMethod
    let pace: Duration
    /// How long the field may take to show a piece.
    let limit: Duration
    /// Why the window may not be typed into; asks the compositor.
    let reasonToStop: () throws -> TypingOutcome.StopReason?

    /// In characters. If the focus moves, or the typist is killed, at most one piece is there that does not count.
    private static let piece = 32

    /// How far a text got.
    struct Result {
        var count = 0
        /// Whether the field has shown each character as it is.
        var isConfirmed = true
        /// Nil if all of it was given, and if the field cannot tell whether more arrives.
        var stop: TypingOutcome.StopReason?
        /// The piece after `count` that the field got, and has not shown in time.
        var open: (text: String, count: Int, before: SurroundingText)?
    }

    /// - Parameter progress: called after each piece, with what the field has shown.
    func type(_ characters: [String], progress: (Result) throws -> Void) throws -> Result {
        var result = Result()
        while result.count < characters.count {
            if let reason = try reasonToStop() {
                result.stop = reason
                break
            }
            guard method.state.isActive, let known = method.state.surrounding else {
                result.stop = .fieldLeft
                break
            }
            guard let count = known.piece(of: characters[result.count...], limit: Self.piece) else { break }
            let piece = characters[result.count...].prefix(count).joined()
            if !piece.isEmpty {
                method.commit(piece)
                let (reading, before) = try reading(of: piece, known)
                switch reading {
                case .arrived: break
                case .different: result.isConfirmed = false
                case .unchanged:
                    result.open = (piece, count, before)
                    result.stop = try reasonToStop() ?? (method.state.isActive ? .notResponding : .fieldLeft)
                    return result
                }
            }
            result.count += count
            try progress(result)
            if result.count < characters.count { rest(forPace: pace) }
        }
        return result
    }

    /// Waits until the field shows a piece.
    ///
    /// - Returns: `unchanged` if it does not show it in time, or is left; and what it showed before the piece.
    private func reading(
        of piece: String, _ before: SurroundingText
    ) throws -> (SurroundingText.Reading, SurroundingText) {
        var known = before
        var reading = SurroundingText.Reading.unchanged
        let method = method
        _ = try connection.wait(within: limit) {
            guard method.state.isActive, let shown = method.state.surrounding else { return true }
            reading = known.reading(of: shown, after: piece)
            // A key of the user's came before the piece.
            if reading == .different, !method.state.isOurChange {
                known = shown
                reading = .unchanged
            }
            return reading != .unchanged
        }
        return (reading, known)
    }
}
