import Foundation

/// The seam between two segments of speech with a short pause between them, or none if speech was cut because
/// it got too long. A model that hears each segment alone mistakes a part of a sentence for a whole one; the
/// words that it hears across the pause are more reliable.
///
/// ```
/// alone    "It was printed in Mainz." | "By a goldsmith."
/// across   "printed in Mainz by a"
/// mended   "It was printed in Mainz"  | "by a goldsmith."
/// ```
///
/// A pause may end a sentence, a cut does not: after a cut only a period that is heard across it counts.
///
/// A pure value. Words are never changed, only the marks before the pause and the capital after it.
struct SegmentSeam: Equatable {
    /// The words recognized before the pause.
    private(set) var left: Recognition
    /// Its last sound, and where that ends.
    private let tail: [Float]
    private let end: Int
    private let isCutInSpeech: Bool
    /// The words heard across the pause; nil until the sound across it was decoded.
    private(set) var heard: String?

    /// Enough to show how a sentence continues. In 42 recordings with inserted pauses of 0.3 s, 10 of 41
    /// wrong periods stay; with 1.5 and 1 s 13, with a second more before the pause 8.
    private static let before = SpeechAudio.sampleRate * 2
    private static let after = SpeechAudio.sampleRate * 12 / 10
    /// Sound left out between two pieces; another half second is cut around them. After longer pauses
    /// sentences end more often than not, and a model that hears across them mistakes them for shorter ones.
    private static let longestGap = SpeechAudio.sampleRate / 5

    private static let stops: Set<Character> = [".", "?", "!", "…"]
    fileprivate static let marks = stops.union([",", ";", ":"])

    /// - Returns: nil if there is nothing to mend: no mark at the end.
    init?(_ recognition: Recognition, of piece: SegmentCutter.Piece) {
        guard let last = recognition.text.last, piece.isCutInSpeech || Self.marks.contains(last) else {
            return nil
        }
        left = recognition
        isCutInSpeech = piece.isCutInSpeech
        tail = Array(piece.samples.suffix(Self.before))
        end = piece.end
    }

    /// Whether a piece that begins there comes after a short pause.
    func isJoined(byPieceFrom start: Int) -> Bool { start - end <= Self.longestGap }

    /// The sound from before the pause to after it; nil if it was heard already, or too little has come yet.
    ///
    /// - Parameter isEnded: whether the piece has ended.
    func sound(into piece: SegmentCutter.Piece, isEnded: Bool) -> SegmentCutter.Piece? {
        guard heard == nil, isJoined(byPieceFrom: piece.start) else { return nil }
        guard isEnded || piece.samples.count >= Self.after else { return nil }
        return SegmentCutter.Piece(start: end - tail.count, samples: tail + piece.samples.prefix(Self.after))
    }

    mutating func hear(_ text: String) { heard = text }

    /// The words before the last one, which no seam changes; they are no longer held. Nil if there are none.
    mutating func takeCertain() -> Recognition? { left.takeWordsBeforeLast() }

    /// Corrects both sides by the words that were heard across the pause.
    mutating func mend(_ right: inout Recognition, of piece: SegmentCutter.Piece) {
        guard isJoined(byPieceFrom: piece.start),
            let last = left.text.split(separator: " ").last.map(String.init),
            let first = right.text.split(separator: " ").first.map(String.init)
        else { return }
        guard let (before, after) = heard.flatMap({ Self.pair(last, first, in: $0) }) else {
            return isCutInSpeech ? join(last, first, in: &right) : ()
        }
        let isEnd = Self.endsWithStop(before)
        if isEnd {
            // A sentence really ends there: a model that heard only its end may have missed that.
            guard isCutInSpeech, !Self.endsWithStop(last) else { return }
            left.replaceLastWord(last, by: last.word + before.marksBehind)
            right.replaceFirstWord(first, by: first.with(initialOf: after))
        } else {
            if Self.endsWithStop(last) { left.replaceLastWord(last, by: last.word + before.marksBehind) }
            if after.first?.isLowercase == true {
                right.replaceFirstWord(first, by: first.withSmallInitial)
            }
        }
    }

    /// Both sides as they are shown while the right one has not ended.
    func text(with right: String, of piece: SegmentCutter.Piece) -> String {
        var (seam, mended) = (self, Recognition(text: right, range: 0..<0))
        seam.mend(&mended, of: piece)
        return [seam.left.text, mended.text].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The only hint how the words belong together is that there is no pause between them.
    private mutating func join(_ last: String, _ first: String, in right: inout Recognition) {
        if Self.endsWithStop(last) { left.replaceLastWord(last, by: last.word) }
        let letters = first.prefix { $0.isLetter }
        // "I" and "NASA" have their capitals everywhere.
        guard letters != "I", !letters.dropFirst().contains(where: \.isUppercase) else { return }
        right.replaceFirstWord(first, by: first.withSmallInitial)
    }

    private static func endsWithStop(_ word: String) -> Bool { word.last.map(stops.contains) ?? false }

    /// The two words as they were heard one after the other; nil if they were not, or more than once.
    private static func pair(_ last: String, _ first: String, in heard: String) -> (String, String)? {
        let words = heard.split(separator: " ").map(String.init)
        let wanted = (last.bareWord, first.bareWord)
        guard !wanted.0.isEmpty, !wanted.1.isEmpty else { return nil }
        let pairs = zip(words, words.dropFirst()).filter { ($0.bareWord, $1.bareWord) == wanted }
        return pairs.count == 1 ? pairs.first : nil
    }
}

extension String {
    /// Its letters and digits alone, in lower case.
    fileprivate var bareWord: String { lowercased().filter { $0.isLetter || $0.isNumber } }

    fileprivate var withSmallInitial: String { prefix(1).lowercased() + dropFirst() }

    fileprivate func with(initialOf other: String) -> String {
        other.first?.isUppercase == true ? prefix(1).uppercased() + dropFirst() : self
    }

    /// Without the marks after it.
    fileprivate var word: String { String(dropLast(marksBehind.count)) }
    fileprivate var marksBehind: String {
        String(reversed().prefix { SegmentSeam.marks.contains($0) }.reversed())
    }
}

extension Recognition {
    /// If the engine has no times, each part gets time in proportion to its letters.
    fileprivate mutating func takeWordsBeforeLast() -> Recognition? {
        guard let space = text.lastIndex(of: " ") else { return nil }
        var before = self
        before.text = String(text[..<space])
        text = String(text[space...].dropFirst())
        let isTimed = words.count > 1 && words.last?.text == text
        (before.words, words) = isTimed ? (words.dropLast(), words.suffix(1)) : ([], [])
        let share = Double(before.text.count) / Double(before.text.count + text.count)
        let length = range.upperBound - range.lowerBound
        let end = words.first?.range.lowerBound ?? range.lowerBound + length * share
        before.range = range.lowerBound..<max(range.lowerBound, end)
        range = before.range.upperBound..<max(before.range.upperBound, range.upperBound)
        (before.alternatives, alternatives) = ([], [])
        return before
    }

    fileprivate mutating func replaceLastWord(_ word: String, by new: String) {
        guard text.hasSuffix(word) else { return }
        text = text.dropLast(word.count) + new
        if words.last?.text == word { words[words.count - 1].text = new }
    }

    fileprivate mutating func replaceFirstWord(_ word: String, by new: String) {
        guard text.hasPrefix(word) else { return }
        text = new + text.dropFirst(word.count)
        if words.first?.text == word { words[0].text = new }
    }
}
