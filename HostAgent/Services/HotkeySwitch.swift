import Desktop
import DictationSystem
import Logging
import Synchronization

/// The hotkeys of the settings: one stream of events, whichever keys they are at the moment.
///
/// A key that is held down stays a hotkey until it is released, so that no dictation loses its end.
final class HotkeySwitch: Sendable {
    /// For one reader; ends after ``stop()`` or ``HotkeyEvent/displayLost``.
    let events: AsyncStream<HotkeyEvent>

    private struct State {
        var listener: (any GrabbedHotkeys)?
        /// The keys that the settings name now.
        var latest: [Hotkey] = []
        /// Set while a key is down and others are wanted.
        var wanted: [Hotkey]?
        var isDown = false
        /// Whether programs can type while it is.
        var isShared = false
        /// Those that wait for its release.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isCancelKeyGrabbed = false
        var isStopped = false
    }
    private let state = Mutex(State())
    /// Held while keys are replaced: of two that do it at once, each would grab, and the keys of one would stay grabbed.
    private let replacing = Mutex(())
    private let output: AsyncStream<HotkeyEvent>.Continuation
    private let hotkeys: any HotkeyGrabbing
    private let logger: Logger

    /// - Parameter wanted: empty grabs no key, for now.
    /// - Throws: ``DesktopError`` if one of the keys is unavailable.
    init(_ wanted: [Hotkey], on hotkeys: any HotkeyGrabbing, logger: Logger) throws {
        (events, output) = AsyncStream.makeStream(of: HotkeyEvent.self)
        self.hotkeys = hotkeys
        self.logger = logger
        if !wanted.isEmpty { start(try hotkeys.grab(wanted)) }
    }

    /// Takes other keys in place of the present ones. If one is unavailable, that is logged, and the present ones
    /// stay.
    func change(to wanted: [Hotkey]) {
        let mustWait = state.withLock { state in
            state.latest = wanted
            state.wanted = state.isDown ? wanted : nil
            return state.isDown
        }
        if !mustWait { replace(by: wanted) }
    }

    func setCancelKeyGrabbed(_ isGrabbed: Bool) {
        let listener = state.withLock { state in
            state.isCancelKeyGrabbed = isGrabbed
            return state.listener
        }
        listener?.setCancelKeyGrabbed(isGrabbed)
    }

    /// Whether a key of the keyboard gave the hotkey when it was taken.
    func isOnKeyboard(_ hotkey: Hotkey) -> Bool {
        state.withLock { $0.listener }.map { !$0.missing.contains(hotkey) } ?? false
    }

    /// Whether the key is held down, and nothing can be typed meanwhile.
    var keepsKeyboard: Bool { state.withLock { $0.isDown && !$0.isShared } }

    /// Asks for the keyboard while the key is held; ``HotkeyEvent/keyboardShared`` comes if that works.
    func shareKeyboard() { state.withLock { $0.listener }?.shareKeyboard() }

    /// Returns at once where the key is not down, or nobody hears of it any more.
    func waitUntilReleased() async {
        await withCheckedContinuation { continuation in
            let isUp = state.withLock { state in
                if state.isDown { state.waiting.append(continuation) }
                return !state.isDown
            }
            if isUp { continuation.resume() }
        }
    }

    func stop() {
        let listener = state.withLock { state in
            defer { state.listener = nil }
            state.isStopped = true
            return state.listener
        }
        listener?.stop()
        _ = released()
        output.finish()
    }

    /// - Returns: the keys that were wanted meanwhile, if there are any.
    private func released() -> [Hotkey]? {
        let (wanted, waiting) = state.withLock { state in
            defer { (state.wanted, state.waiting, state.isDown, state.isShared) = (nil, [], false, false) }
            return (state.wanted, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return wanted
    }

    /// - Parameter failures: how often it was tried already.
    private func replace(by wanted: [Hotkey], failures: Int = 0) {
        replacing.withLock { _ in replaceInTurn(by: wanted, failures: failures) }
    }

    private func replaceInTurn(by wanted: [Hotkey], failures: Int) {
        // Others may be wanted since, which have been grabbed already, or have their turn next.
        guard state.withLock({ $0.latest == wanted }) else { return }
        let present = state.withLock { $0.listener?.hotkeys ?? [] }
        guard state.withLock({ !$0.isStopped }), present != wanted else { return }
        do {
            if Set(present).isDisjoint(with: wanted) {
                // The new keys first: where one is taken, the old ones are not given away.
                let new = wanted.isEmpty ? nil : try hotkeys.grab(wanted)
                stopListening()
                if let new { start(new) }
            } else {
                // Nobody can take a key twice.
                stopListening()
                do {
                    start(try hotkeys.grab(wanted))
                } catch {
                    start(try hotkeys.grab(present))
                    throw error
                }
            }
            logger.notice("\(Self.story(of: wanted))")
        } catch {
            // insert-agent may be about to give up its key for held texts, by the same settings.
            if case DesktopError.hotkeyTaken = error,
                let delay = RetryPolicy.takingKey.delay(afterFailures: failures + 1)
            {
                Task { try await self.retry(wanted, failures: failures + 1, after: delay) }
                return
            }
            let isHeard = state.withLock { $0.listener != nil }
            let story =
                if isHeard { "The hotkey stays as it was." } else {
                    "There is no hotkey now: choose another one, or start dictations with dictstate toggle."
                }
            logger.error("\(error). \(story)")
        }
    }

    private func retry(_ wanted: [Hotkey], failures: Int, after delay: Duration) async throws {
        try await pause(for: delay)
        let isItsTurn = state.withLock { state in
            guard state.latest == wanted else { return false }
            // Its release tries again.
            if state.isDown { state.wanted = wanted }
            return !state.isDown
        }
        if isItsTurn { replace(by: wanted, failures: failures) }
    }

    private static func story(of hotkeys: [Hotkey]) -> String {
        switch hotkeys.count {
        case 0: "no hotkey is grabbed any more"
        case 1: "the hotkey is \(hotkeys[0]) now"
        default: "the hotkeys are \(hotkeys.map { "\($0)" }.joined(separator: " and ")) now"
        }
    }

    private func stopListening() {
        let old = state.withLock { state in
            defer { state.listener = nil }
            return state.listener
        }
        old?.stop()
    }

    private func start(_ listener: any GrabbedHotkeys) {
        let isCancelKeyGrabbed: Bool? = state.withLock { state in
            guard !state.isStopped else { return nil }
            state.listener = listener
            return state.isCancelKeyGrabbed
        }
        // It came too late: the agent ends.
        guard let isCancelKeyGrabbed else { return listener.stop() }
        if isCancelKeyGrabbed { listener.setCancelKeyGrabbed(true) }
        Task {
            for await event in listener.events { forward(event) }
        }
    }

    private func forward(_ event: HotkeyEvent) {
        var wanted: [Hotkey]?
        switch event {
        case .pressed: state.withLock { $0.isDown = true }
        // Before anybody hears of it: a task that waits for the release asks whether the key is down.
        case .released, .displayLost: wanted = released()
        case .keyboardShared: state.withLock { $0.isShared = $0.isDown }
        case .cancelPressed, .insertReleased, .noKey, .unavailable: break
        }
        output.yield(event)
        if case .displayLost = event {
            output.finish()
        } else if let wanted {
            replace(by: wanted)
        }
    }
}
