import Desktop

/// A part of a text that is given to IBus at a time.
struct CommitPiece: Equatable, Sendable {
    let text: String
    /// How many characters of the whole text have arrived with it.
    let end: Int

    /// Characters. If the focus moves, or this process is killed, at most that many are uncertain. Each piece is a
    /// round trip to the daemon, and one to the application if that confirms.
    static let size = 32

    /// - Returns: nil if the text needs keys that are not text.
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
