/// Cuts a recording into pieces to be recognised one by one: each stretch of speech with some sound around it, and
/// the silence between them left out.
///
/// ```
/// recording  ....hello there........how are you..
/// speech         |---------|        |----------|
/// pieces       |-------------|    |--------------|
/// ```
///
/// A pure value; positions are counted in samples.
struct StretchCutter: Equatable {
    struct Piece: Equatable {
        var start: Int
        var samples: [Float]
        var end: Int { start + samples.count }
    }

    /// Sound before and after speech that is decoded with it: a soft consonant is heard late, and models want to
    /// hear a beginning.
    private static let before = SpeechAudio.sampleRate * 3 / 10
    private static let after = SpeechAudio.sampleRate * 2 / 10
    /// Whisper hears 30 s and no more; others need the more memory the longer it is.
    static let longest = SpeechAudio.sampleRate * 20

    /// What is not cut yet, and where it begins.
    private var buffer: [Float] = []
    private var start = 0
    private var end: Int { start + buffer.count }

    /// Takes the next sound.
    ///
    /// - Parameters:
    ///   - speech: the stretches that have ended.
    ///   - isSpeaking: whether another one has begun; where none has, sound that is of no use any more is let go.
    mutating func add(_ samples: [Float], speech: [Range<Int>], isSpeaking: Bool) -> [Piece] {
        buffer += samples
        var pieces = speech.compactMap { cut($0) }
        if isSpeaking {
            if buffer.count >= Self.longest { pieces += [take(to: end)] }
        } else {
            // Speech is noticed late: as much as comes before it stays.
            drop(to: end - Self.before - Self.after)
        }
        return pieces
    }

    /// What has not ended yet, while somebody speaks; silence elsewhere.
    var unfinished: Piece { Piece(start: start, samples: buffer) }

    /// What is left when the sound has ended.
    mutating func finish(speech: [Range<Int>]) -> [Piece] {
        defer { self = StretchCutter() }
        return speech.compactMap { cut($0) }
    }

    private mutating func cut(_ range: Range<Int>) -> Piece? {
        drop(to: range.lowerBound - Self.before)
        let last = min(range.upperBound + Self.after, end)
        return last > start ? take(to: last) : nil
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
