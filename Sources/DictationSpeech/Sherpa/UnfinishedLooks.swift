/// When a model that hears segments as a whole may decode one that has not ended, to show words while somebody speaks.
///
/// ```
/// a fast model (30 ms a second of sound)   looks at 0.5, 1.0, 1.5, 2.0, 2.6 … s
/// a slow one (1 s a second of sound)       not before the segment has ended
/// ```
///
/// A user who releases the key during such a decoding waits for it. So only a part of the time is spent in
/// it, and none may take longer than is noticed. A pure value; lengths are counted in samples.
struct UnfinishedLooks: Equatable {
    /// How often, and at what cost.
    struct Limits: Equatable {
        /// Sound before the first decoding, in seconds.
        let first: Double
        /// New sound between two decodings, in seconds.
        let least: Double
        /// New sound before the next decoding, as a multiple of the time of the last one.
        let spared: Double
        /// Seconds that a decoding may take.
        let longest: Double

        /// Words that come twice a second seem to come at once. At most a tenth of the time is spent.
        static let shown = Limits(first: 0.5, least: 0.5, spared: 10, longest: 0.3)
        /// Words that are typed while they are spoken are waited for. In less than a second of sound models hear words that
        /// nobody has said.
        static let typed = Limits(first: 1, least: 0.3, spared: 2, longest: 0.6)
    }

    private let limits: Limits
    /// Seconds that a second of sound takes, by the last decoding; nil before the first one.
    private var cost: Double?
    private var next: Int

    init(_ limits: Limits = .shown) {
        self.limits = limits
        next = Self.samples(limits.first)
    }

    /// The same machine, with other limits, at the beginning of a segment.
    func with(_ limits: Limits) -> UnfinishedLooks {
        var looks = UnfinishedLooks(limits)
        looks.cost = cost
        return looks
    }

    /// The segment has ended, or there is none.
    mutating func nextSegment() { next = Self.samples(limits.first) }

    /// Whether to decode a segment of this length now.
    func isDue(at length: Int) -> Bool {
        length >= next && isBrief(length)
    }

    /// Whether this much sound is decoded before a delay is noticed.
    func isBrief(_ length: Int) -> Bool { cost.map { $0 * Self.seconds(length) <= limits.longest } ?? false }

    /// Reports how long a decoding of this much sound took.
    mutating func took(_ duration: Duration, for length: Int) {
        guard length > 0 else { return }
        let taken = duration / .seconds(1)
        cost = taken / Self.seconds(length)
        next = length + Self.samples(max(limits.least, taken * limits.spared))
    }

    private static func samples(_ seconds: Double) -> Int { Int(seconds * Double(SpeechAudio.sampleRate)) }

    private static func seconds(_ length: Int) -> Double { Double(length) / Double(SpeechAudio.sampleRate) }
}
