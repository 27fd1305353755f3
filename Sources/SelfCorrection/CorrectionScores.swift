/// The scores of candidates, so that none is computed twice.
///
/// A text is read again until nothing more is found, and by then little of it changes. A candidate with the same words
/// around it has the same score; see ``CorrectionWindows``.
package struct CorrectionScores: Sendable {
    private struct Entry {
        var key: UInt64 = 0
        var score: Float = 0
    }

    /// Each at the place that its key tells. A new score may overwrite another one, which is then computed again.
    private var entries: [Entry] = []
    /// In a long question there are about three candidates for each word.
    private static let placesPerWord = 4
    /// Half a megabyte: more would push the weights of the model out of the processor's cache.
    private static let mostPlaces = 1 << 15

    package init() {}

    /// Makes room for a sentence. Scores that are known stay only if there is enough already.
    mutating func reserve(words: Int) {
        var places = 64
        while places < words * Self.placesPerWord, places < Self.mostPlaces { places *= 2 }
        guard places > entries.count else { return }
        entries = [Entry](repeating: Entry(), count: places)
    }

    /// - Parameter key: nil if the score depends on more than a key can tell.
    mutating func score(for key: UInt64?, compute: () -> Float) -> Float {
        guard let key, !entries.isEmpty else { return compute() }
        let place = Int(truncatingIfNeeded: key) & (entries.count - 1)
        if entries[place].key == key { return entries[place].score }
        let score = compute()
        entries[place] = Entry(key: key, score: score)
        return score
    }
}
