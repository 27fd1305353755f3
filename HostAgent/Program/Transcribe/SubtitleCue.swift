import Foundation

/// The lines that are shown below the picture at one time.
struct SubtitleCue: Equatable, Sendable {
    /// Seconds.
    var start: Double
    var end: Double
    /// One or two.
    var lines: [String]

    // Netflix's Timed Text Style Guide has these: two lines of 42 characters, and 7 s for them.
    static let lineLength = 42
    static let longest = 7.0
    /// A sentence begins a new cue when the one before it was shown for this long.
    static let shortest = 1.0

    /// - Returns: in order; none is longer than the limits, unless a single word is.
    static func cues(of transcript: FileTranscript) -> [SubtitleCue] {
        transcript.segments.flatMap { segment in
            var cues: [SubtitleCue] = []
            var words: [Word] = []
            for word in Word.all(of: segment) {
                if let first = words.first, let last = words.last {
                    let text = joined(words + [word])
                    let isFull = word.end - first.start > longest || lines(of: text) == nil
                    let endsSentence =
                        last.text.last.map { ".!?…。！？".contains($0) } ?? false
                        && last.end - first.start >= shortest
                    if isFull || endsSentence {
                        cues.append(SubtitleCue(words))
                        words = []
                    }
                }
                words.append(word)
            }
            return words.isEmpty ? cues : cues + [SubtitleCue(words)]
        }
    }

    private init(_ words: [Word]) {
        let text = Self.joined(words)
        self.init(
            start: words.first?.start ?? 0, end: words.last?.end ?? 0, lines: Self.lines(of: text) ?? [text])
    }

    init(start: Double, end: Double, lines: [String]) {
        (self.start, self.end, self.lines) = (start, end, lines)
    }

    /// The text in one line, or in two of about the same length; nil if it needs more.
    private static func lines(of text: String) -> [String]? {
        if text.count <= lineLength { return [text] }
        let words = text.split(separator: " ")
        let halves = (1..<max(1, words.count)).map {
            (words[..<$0].joined(separator: " "), words[$0...].joined(separator: " "))
        }
        return halves.filter { max($0.0.count, $0.1.count) <= lineLength }
            .min { abs($0.0.count - $0.1.count) < abs($1.0.count - $1.1.count) }
            .map { [$0.0, $0.1] }
    }

    private static func joined(_ words: [Word]) -> String {
        words.enumerated().map { ($0.offset == 0 || $0.element.isGlued ? "" : " ") + $0.element.text }
            .joined()
    }
}

extension SubtitleCue {
    /// A word with its times; in writing without spaces, a piece of a line.
    struct Word: Equatable {
        var text: String
        var start: Double
        var end: Double
        /// Whether no space comes before it.
        var isGlued = false

        /// The engine's times if it has one for each word of the text; otherwise times by the share of
        /// characters.
        static func all(of segment: FileTranscript.Segment) -> [Word] {
            let texts = segment.text.split(whereSeparator: \.isWhitespace).map(String.init)
            if texts == segment.words.map(\.text) {
                return segment.words.map { Word(text: $0.text, start: $0.start, end: $0.end) }
            }
            let pieces = texts.flatMap(pieces)
            let all = Double(max(1, pieces.reduce(0) { $0 + $1.text.count }))
            let length = max(0, segment.end - segment.start)
            var done = 0
            return pieces.map { piece in
                let start = segment.start + length * Double(done) / all
                done += piece.text.count
                return Word(
                    text: piece.text, start: start, end: segment.start + length * Double(done) / all,
                    isGlued: piece.isGlued)
            }
        }

        private static func pieces(of word: String) -> [(text: String, isGlued: Bool)] {
            guard word.count > lineLength else { return [(word, false)] }
            let size = lineLength / 2
            let characters = Array(word)
            return stride(from: 0, to: characters.count, by: size).map { start in
                (String(characters[start..<min(start + size, characters.count)]), start > 0)
            }
        }
    }
}
