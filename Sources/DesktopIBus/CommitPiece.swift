import Desktop

/// A part of a text that is given to IBus at a time.
struct CommitPiece: Equatable, Sendable {
    let text: String
    /// How many characters of the whole text are there with it.
    let end: Int

    /// Characters. If the focus moves, or this process is killed, at most so many are uncertain. Each piece takes 0.3 ms
    /// where nobody confirms it, and 0.5 to 2 ms where the application does.
    static let size = 32

    /// - Returns: nil where the text needs keys that are not text.
    static func pieces(of text: String, options: TypingOptions) -> [CommitPiece]? {
        let characters = Array(text)
        var pieces: [CommitPiece] = []
        for start in stride(from: 0, to: characters.count, by: size) {
            let end = min(start + size, characters.count)
            guard let plain = options.plain(String(characters[start..<end])) else { return nil }
            pieces.append(CommitPiece(text: plain, end: end))
        }
        return pieces
    }
}
