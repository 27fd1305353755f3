import DictationShared

/// The settings that say what is deleted.
public struct KeepingLimits: Equatable, Sendable {
    /// Of finished dictations.
    public let count: RetentionLimit
    public let days: RetentionLimit
    /// Of the recordings of delivered texts.
    public let recordings: AudioRetention

    public init(count: RetentionLimit, days: RetentionLimit, recordings: AudioRetention) {
        self.count = count
        self.days = days
        self.recordings = recordings
    }

    /// Nothing is kept of what is private.
    init(_ settings: Settings) {
        self.init(
            count: settings.history.keepCount, days: settings.history.keepDays,
            recordings: settings.history.isPrivate ? .never : settings.audio.keep)
    }
}

/// The limits of the last minute. A settings file may be half written when it is read, or be put right at once; what was deleted
/// by then could not be brought back. So nothing is deleted while two limits were in effect within the last minute.
///
/// A pure value: the clock is its owner's.
struct RecentLimits {
    static let period = Duration.seconds(60)

    private(set) var current: KeepingLimits
    /// With the instant at which each was replaced.
    private var earlier: [(limits: KeepingLimits, end: ContinuousClock.Instant)] = []

    init(_ current: KeepingLimits) { self.current = current }

    mutating func take(_ new: KeepingLimits, at now: ContinuousClock.Instant) {
        guard new != current else { return }
        // Each is there once, so a file that changes all the time costs no memory.
        earlier.removeAll { $0.limits == current || $0.limits == new || Self.isOver($0.end, at: now) }
        earlier.append((current, now))
        current = new
    }

    /// The present ones first.
    func all(at now: ContinuousClock.Instant) -> [KeepingLimits] {
        [current] + earlier.filter { !Self.isOver($0.end, at: now) }.reversed().map(\.limits)
    }

    private static func isOver(_ end: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Bool {
        end.duration(to: now) >= period
    }
}
