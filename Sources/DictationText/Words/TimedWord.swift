/// A recognized word, and when it was spoken.
public struct TimedWord: Sendable, Equatable {
    public let text: String
    /// Seconds from the beginning of the recording.
    public let start: Double
    public let end: Double

    public init(text: String, start: Double, end: Double) {
        self.text = text
        self.start = start
        self.end = end
    }

    /// The silence after each word, for each of the words in its text.
    static func pauses(_ words: [TimedWord]) -> [Float] {
        var pauses: [Float] = []
        for (place, word) in words.enumerated() {
            let parts = word.text.split(separator: " ").count
            guard parts > 0 else { continue }
            pauses += repeatElement(0, count: parts - 1)
            pauses.append(place + 1 < words.count ? Float(max(0, words[place + 1].start - word.end)) : 0)
        }
        return pauses
    }
}
