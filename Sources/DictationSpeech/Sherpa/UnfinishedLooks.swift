/// When a model that hears segments as a whole may decode one that has not ended, to show words while somebody speaks.
///
/// ```
/// a fast model (30 ms a second of sound)   looks at 0.5, 1.0, 1.5, 2.0, 2.6 … s
/// a slow one (1 s a second of sound)       not before the segment has ended
/// ```
///
/// Anyone who releases the key during such a decoding waits for it. So no more than a tenth of the time is spent in it, and
/// none may take longer than is noticed. A pure value; lengths are counted in samples.
struct UnfinishedLooks: Equatable {
    /// Words that come twice a second are seen to come at once; before half a second there is none.
    private static let least = SpeechAudio.sampleRate / 2
    /// Ten times as much new sound as the last decoding took.
    private static let spared = 10.0
    /// Longer than this nobody is to wait for something that is only shown: seconds.
    private static let longest = 0.3

    /// Seconds that a second of sound takes, by the last decoding; nil before the first one.
    private var cost: Double?
    private var next = least

    /// The segment has ended, or there is none.
    mutating func nextSegment() { next = Self.least }

    /// Whether a segment of this length is to be decoded now.
    func isDue(at length: Int) -> Bool {
        length >= next && isBrief(length)
    }

    /// Whether so much sound is decoded before anybody notices.
    func isBrief(_ length: Int) -> Bool { cost.map { $0 * Self.seconds(length) <= Self.longest } ?? false }

    /// A decoding of so much sound has taken so long.
    mutating func took(_ duration: Duration, for length: Int) {
        guard length > 0 else { return }
        let taken = duration / .seconds(1)
        cost = taken / Self.seconds(length)
        next = length + max(Self.least, Int(taken * Self.spared * Double(SpeechAudio.sampleRate)))
    }

    private static func seconds(_ length: Int) -> Double { Double(length) / Double(SpeechAudio.sampleRate) }
}
