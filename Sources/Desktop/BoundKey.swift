/// A key that others hear, and report by a program for its press and another one for its release (`dictstate press`,
/// `dictstate release`). Such programs may overtake each other, and some compositors start the first one again and again
/// while the key is held. Each report carries the instant of its key, so that the order can be restored:
///
///     press 0, release 900            ► pressed 0, released 900
///     release 90, press 0             ► nothing, then pressed 0 and released 90
///     press 0, press 660, release 900 ► pressed 0, nothing, released 900
///     press 0, release 900, press 880 ► pressed 0, released 900, nothing
///     press 0, press 300, release 90  ► pressed 0, nothing, then released 90 and pressed 300
///     release 90, press 95            ► nothing, then pressed 90 and released 90
///     press 95, release 90            ► pressed 95, released 95
///     release 900                     ► nothing
///
/// If a release was never reported, the next press passes for a repetition, and the release after it ends the press.
public struct BoundKey: Equatable, Sendable {
    /// A press or a release, and its time.
    public enum Change: Equatable, Sendable {
        case pressed(at: ContinuousClock.Instant)
        case released(at: ContinuousClock.Instant)
    }

    private enum State: Equatable {
        /// `release`: when it was released last; `isOpen`: whether its press is not known yet.
        case up(release: ContinuousClock.Instant?, isOpen: Bool)
        /// `repetition`: the last press that counted as a repetition.
        case down(since: ContinuousClock.Instant, repetition: ContinuousClock.Instant?)
    }
    /// The tolerance of the instants: Linux reports the start of a process to within 10 ms, and a shell of a
    /// busy machine may start it later. Nobody releases a key and presses it again so soon.
    private static let precision: Duration = .milliseconds(30)

    private var state = State.up(release: nil, isOpen: false)

    public init() {}

    /// As far as it was reported.
    public var isDown: Bool { if case .down = state { true } else { false } }

    /// - Returns: the changes that are certain now, in the order in which they happened.
    public mutating func handle(_ change: Change) -> [Change] {
        switch (state, change) {
        case (.up(let release?, let isOpen), .pressed(let instant)) where instant <= release + Self.precision:
            state = .up(release: release, isOpen: false)
            return isOpen ? [.pressed(at: min(instant, release)), .released(at: release)] : []
        case (.up, .pressed(let instant)):
            state = .down(since: instant, repetition: nil)
            return [change]
        case (.down(let since, let last), .pressed(let instant)):
            state = .down(since: since, repetition: max(instant, last ?? instant))
            return []
        case (.down(let since, let repetition), .released(let instant)):
            guard instant + Self.precision >= since else { return [] }
            let release = max(instant, since)
            // No key repeats after its release: it was the next press.
            if let repetition, repetition > release + Self.precision {
                state = .down(since: repetition, repetition: nil)
                return [.released(at: release), .pressed(at: repetition)]
            }
            state = .up(release: release, isOpen: false)
            return [.released(at: release)]
        case (.up(let release, _), .released(let instant)):
            if release.map({ instant > $0 }) ?? true { state = .up(release: instant, isOpen: true) }
            return []
        }
    }
}
