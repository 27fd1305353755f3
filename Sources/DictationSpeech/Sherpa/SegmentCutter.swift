/// Cuts a recording into pieces to be recognized one by one: each segment of speech with some sound around it, and
/// the silence between them left out.
///
/// ```
/// recording  ....hello there........how are you..
/// speech         |---------|        |----------|
/// pieces       |-------------|    |--------------|
/// ```
///
/// Speech without a pause is cut where it is quietest, which is between two words, before a piece gets too long:
///
/// ```
/// recording  it was printed in Mainz by a goldsmith and his …
/// pieces     |------------------------||----------------
/// ```
///
/// A pure value; positions are counted in samples.
struct SegmentCutter: Equatable {
    struct Piece: Equatable {
        var start: Int
        var samples: [Float]
        /// The speech continues after it: no pause has ended it.
        var isCutInSpeech = false
        var end: Int { start + samples.count }
    }

    /// Sound before and after speech that is decoded with it: a soft consonant is heard late, and models want to
    /// hear a beginning.
    private static let before = SpeechAudio.sampleRate * 3 / 10
    private static let after = SpeechAudio.sampleRate * 2 / 10
    /// A piece is never longer. Whisper hears at most 30 s, Moonshine repeats itself or skips words in longer
    /// pieces, and the last piece is what the user waits for after the release.
    static let longest = SpeechAudio.sampleRate * 17
    /// Speech of this length is ended by silero's model in any dip of a tenth of a second, which may lie
    /// inside a word.
    static let longestSpeech = SpeechAudio.sampleRate * 50
    /// A piece that is cut in speech has at least this length: models hear worse without context. In 20 recordings of 25
    /// to 57 s without pauses, 6 % of the words were wrong with cuts after 20 s exactly, and 1 % with cuts at the quietest
    /// place between 8 and 17 s; overlapping pieces, joined where their words agree, had 3 to 6 %.
    private static let shortestCut = SpeechAudio.sampleRate * 8
    /// As long as the gap between two words spoken in one breath. 50 to 100 ms found equally good places.
    private static let gap = 8
    /// How finely the quietest place is searched: 10 ms.
    private static let frame = SpeechAudio.sampleRate / 100

    /// The sound that is not cut yet, and where it begins.
    private var buffer: [Float] = []
    private var start = 0
    private var end: Int { start + buffer.count }

    /// Adds the next sound.
    ///
    /// - Parameters:
    ///   - speech: the segments that have ended.
    ///   - isSpeaking: whether another one has begun; if not, sound that is no longer needed is dropped.
    mutating func add(_ samples: [Float], speech: [Range<Int>], isSpeaking: Bool) -> [Piece] {
        buffer += samples
        var pieces = speech.compactMap { cut($0, mayLieInSpeech: $0.count >= Self.longestSpeech) }
        if isSpeaking {
            while buffer.count >= Self.longest {
                pieces.append(takeInSpeech(between: start + Self.shortestCut, and: start + Self.longest))
            }
        } else {
            // Speech is noticed late: as much as comes before it stays.
            drop(to: end - Self.before - Self.after)
        }
        return pieces
    }

    /// The segment that has not ended yet, while somebody speaks; silence otherwise.
    var unfinished: Piece { Piece(start: start, samples: buffer) }

    /// The pieces that are left when the sound has ended.
    mutating func finish(speech: [Range<Int>]) -> [Piece] {
        defer { self = SegmentCutter() }
        return speech.compactMap { cut($0, mayLieInSpeech: false) }
    }

    private mutating func cut(_ range: Range<Int>, mayLieInSpeech: Bool) -> Piece? {
        drop(to: range.lowerBound - Self.before)
        let last = min(range.upperBound + Self.after, end)
        guard last > start else { return nil }
        guard mayLieInSpeech else { return take(to: last) }
        return take(to: quietest(between: max(start, range.upperBound - Self.before), and: last))
    }

    /// Cuts at the quietest place between two positions; the second one has been heard.
    private mutating func takeInSpeech(between first: Int, and last: Int) -> Piece {
        var piece = take(to: quietest(between: first, and: last))
        piece.isCutInSpeech = true
        return piece
    }

    /// The middle of the quietest gap.
    private func quietest(between first: Int, and last: Int) -> Int {
        let powers = stride(from: first, to: last - Self.frame + 1, by: Self.frame).map { position in
            buffer[(position - start)..<(position - start + Self.frame)].reduce(Float(0)) { $0 + $1 * $1 }
        }
        let sums = (0..<max(0, powers.count - Self.gap + 1)).map {
            powers[$0..<$0 + Self.gap].reduce(0, +)
        }
        guard let least = sums.indices.min(by: { sums[$0] < sums[$1] }) else { return last }
        return first + (least + Self.gap / 2) * Self.frame
    }

    private mutating func take(to position: Int) -> Piece {
        let piece = Piece(start: start, samples: Array(buffer[..<(position - start)]))
        drop(to: position)
        return piece
    }

    private mutating func drop(to position: Int) {
        let count = min(max(0, position - start), buffer.count)
        buffer.removeFirst(count)
        start += count
    }
}
