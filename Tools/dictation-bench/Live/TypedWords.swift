import DictationShared

/// The words in a window of a text that is typed while somebody speaks, with the times at which they came.
struct TypedWords {
    private(set) var text = ""
    /// When each of its words came, in seconds.
    private var instants: [Double] = []
    /// How many words were removed, whole or in part.
    private(set) var removedWords = 0

    /// - Parameter mayRevise: whether typed words may be mended; otherwise the next words are joined to them.
    mutating func take(_ new: String, at instant: Double, mayRevise: Bool) {
        if mayRevise { remove(LiveRevision(of: text, to: new)) }
        text = LiveJoin(text, new).text
        while instants.count < text.wordCount { instants.append(instant) }
    }

    /// The recording is over: leaves what stays of it in the whole text.
    mutating func end(with whole: String, mayRevise: Bool) {
        guard mayRevise else { return }
        remove(LiveRevision(of: text, to: whole))
        // The rest of a cut word comes later.
        if !whole.hasPrefix(text) || whole.dropFirst(text.count).first?.isWhitespace == false {
            text = text.droppingLastWord
            instants = Array(instants.prefix(text.wordCount))
        }
    }

    private mutating func remove(_ revision: LiveRevision) {
        removedWords += revision.removed.wordCount
        text = String(text.prefix(revision.kept))
        // A word that is cut is typed later.
        let whole = revision.removed.first?.isWhitespace == false ? text.droppingLastWord : text
        instants = Array(instants.prefix(whole.wordCount))
    }

    /// From the ends of the words, in seconds, to the instants at which they came, in ms.
    func delays(after ends: [Double]) -> [Double] { zip(instants, ends).map { ($0 - $1) * 1_000 } }
}

extension String {
    var wordCount: Int { split(whereSeparator: \.isWhitespace).count }

    fileprivate var droppingLastWord: String {
        lastIndex(where: \.isWhitespace).map { String(self[..<$0]) } ?? ""
    }
}
