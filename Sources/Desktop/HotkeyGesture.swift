/// Two habits on one key: hold it to talk, or tap it to start and tap it again to stop.
///
/// Held:
///
///     idle     ── pressed ──────────────► pressing   start
///     pressing ── released after 1.2 s ─► idle       stop
///
/// Tapped:
///
///     idle     ── pressed ──────────────► pressing   start
///     pressing ── released after 0.1 s ─► latched    (goes on)
///     latched  ── pressed ──────────────► ending     stop
///     ending   ── released ─────────────► idle       (nothing)
///
/// Neither: held for 0.35 s, which is a dictation only if speech began by then; and tapped twice in a row,
/// which leaves no time to speak:
///
///     pressing ── released after 0.35 s ► idle       stop, if meant
///     latched  ── pressed after 0.2 s ──► ending     cancel
///
/// Canceled, or ended by something else (silence, a command), while the key is still down:
///
///     pressing ── cancelled ────────────► ending     cancel
///     ending   ── released ─────────────► idle       (nothing)
///
/// A repeated press of a key that is down is the keyboard's auto-repeat, and means nothing.
public struct HotkeyGesture: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case idle
        /// The key is down and we do not know yet whether it is held or tapped.
        case pressing(since: ContinuousClock.Instant)
        /// Recording continues without the key, since that press; nil if something else began it.
        case latched(since: ContinuousClock.Instant?)
        /// The recording is over, the key still down.
        case ending
    }

    public enum Event: Equatable, Sendable {
        case pressed(at: ContinuousClock.Instant)
        case released(at: ContinuousClock.Instant)
        /// The user pressed Escape.
        case cancelled
        /// Something other than this key began to record: from now on a press stops it.
        case startedElsewhere
        /// Something other than this key ended the recording (also: it could not begin).
        case endedElsewhere
    }

    public enum Decision: Equatable, Sendable {
        case nothing
        case start
        case stop
        /// Stop, and type nothing unless the press was meant.
        case stopBrief(BriefPress)
        case cancel
    }

    /// A press that is shorter is a tap. A deliberate tap takes 80 to 200 ms, the shortest word spoken into a held
    /// key about 400 ms: 300 ms is between, with a margin on both sides.
    public static let defaultHoldThreshold: Duration = .milliseconds(300)

    public private(set) var state = State.idle
    public let holdThreshold: Duration

    /// - Parameter holdThreshold: zero makes every press a hold.
    public init(holdThreshold: Duration = Self.defaultHoldThreshold) {
        self.holdThreshold = holdThreshold
    }

    public mutating func handle(_ event: Event) -> Decision {
        switch (state, event) {
        case (.idle, .pressed(let instant)):
            state = .pressing(since: instant)
            return .start
        case (.pressing(let since), .released(let instant)):
            let length = since.duration(to: instant)
            let isTap = length < holdThreshold
            state = isTap ? .latched(since: since) : .idle
            if isTap { return .nothing }
            return length < BriefPress.limit ? .stopBrief(BriefPress(length: length)) : .stop
        case (.latched(let since), .pressed(let instant)):
            state = .ending
            let isDoubleTap = since.map { $0.duration(to: instant) < BriefPress.limit } ?? false
            return isDoubleTap ? .cancel : .stop
        case (.ending, .released):
            state = .idle
            return .nothing
        case (.pressing, .cancelled):
            state = .ending
            return .cancel
        case (.latched, .cancelled):
            state = .idle
            return .cancel
        case (.pressing, .endedElsewhere):
            state = .ending
            return .nothing
        case (.latched, .endedElsewhere):
            state = .idle
            return .nothing
        case (.idle, .startedElsewhere):
            state = .latched(since: nil)
            return .nothing
        case (.idle, .released), (.idle, .cancelled), (.idle, .endedElsewhere), (.pressing, .pressed),
            (.pressing, .startedElsewhere), (.latched, .released), (.latched, .startedElsewhere),
            (.ending, .pressed),
            (.ending, .cancelled), (.ending, .startedElsewhere), (.ending, .endedElsewhere):
            return .nothing
        }
    }
}
