import Desktop
import DictationSystem
import Logging
import Synchronization

/// The hotkey of the settings: one stream of events, whichever key it is at the moment.
///
/// A key that is held down stays the hotkey until it is released, so that no dictation loses its end.
final class HotkeySwitch: Sendable {
    /// For one reader; ends after ``stop()`` or ``HotkeyEvent/displayLost``.
    let events: AsyncStream<HotkeyEvent>

    private struct State {
        var listener: (any GrabbedHotkey)?
        /// Set while the key is down and another one is wanted.
        var wanted: Hotkey??
        var isDown = false
        /// Those that wait for its release.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isCancelKeyGrabbed = false
        var isStopped = false
    }
    private let state = Mutex(State())
    private let output: AsyncStream<HotkeyEvent>.Continuation
    private let hotkeys: any HotkeyGrabbing
    private let logger: Logger

    /// - Parameter hotkey: nil grabs no key, for now.
    /// - Throws: ``DesktopError`` where the key is not to be had.
    init(_ hotkey: Hotkey?, on hotkeys: any HotkeyGrabbing, logger: Logger) throws {
        (events, output) = AsyncStream.makeStream(of: HotkeyEvent.self)
        self.hotkeys = hotkeys
        self.logger = logger
        if let hotkey { start(try hotkeys.grab(hotkey)) }
    }

    /// Takes another key in place of the present one. If it is not to be had, that is logged, and the present one
    /// stays.
    func change(to hotkey: Hotkey?) {
        let mustWait = state.withLock { state in
            state.wanted = state.isDown ? .some(hotkey) : nil
            return state.isDown
        }
        if !mustWait { replace(by: hotkey) }
    }

    func setCancelKeyGrabbed(_ isGrabbed: Bool) {
        let listener = state.withLock { state in
            state.isCancelKeyGrabbed = isGrabbed
            return state.listener
        }
        listener?.setCancelKeyGrabbed(isGrabbed)
    }

    /// Whether the key is held down.
    var isDown: Bool { state.withLock { $0.isDown } }

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

    /// - Returns: the key that was wanted meanwhile, if there is one.
    private func released() -> Hotkey?? {
        let (wanted, waiting) = state.withLock { state in
            defer { (state.wanted, state.waiting, state.isDown) = (nil, [], false) }
            return (state.wanted, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return wanted
    }

    private func replace(by hotkey: Hotkey?) {
        guard state.withLock({ !$0.isStopped && $0.listener?.hotkey != hotkey }) else { return }
        do {
            // The new key first: where it is taken, the old one is not given away.
            let new = try hotkey.map { try hotkeys.grab($0) }
            let old = state.withLock { state in
                defer { state.listener = nil }
                return state.listener
            }
            old?.stop()
            if let new { start(new) }
            logger.notice("\(hotkey.map { "the hotkey is \($0) now" } ?? "no hotkey is grabbed any more")")
        } catch {
            logger.error("\(error). The hotkey stays as it was.")
        }
    }

    private func start(_ listener: any GrabbedHotkey) {
        let isCancelKeyGrabbed = state.withLock { state in
            state.listener = listener
            return state.isCancelKeyGrabbed
        }
        if isCancelKeyGrabbed { listener.setCancelKeyGrabbed(true) }
        Task {
            for await event in listener.events { forward(event, of: listener) }
        }
    }

    private func forward(_ event: HotkeyEvent, of listener: any GrabbedHotkey) {
        var wanted: Hotkey??
        switch event {
        case .pressed: state.withLock { $0.isDown = true }
        // Before anybody hears of it: what waits for the release asks whether the key is down.
        case .released, .displayLost: wanted = released()
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
