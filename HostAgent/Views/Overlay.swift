import Desktop
import DictationSettings
import DictationShared
import DictationSystem
import Logging
import Synchronization

/// Shows on the screen what becomes of a dictation, on a thread that sleeps until there is something new to see.
///
/// ```swift
/// let overlay = Overlay(on: X11Overlay(), settings: { settings.current.overlay })
/// overlay.handle(.began(id))          // visible some milliseconds later
/// ```
public final class Overlay: Sendable {
    private struct State {
        var flow: OverlayFlow
        var isStopped = false
    }
    private let state: Mutex<State>
    private let heldHotkey: @Sendable () -> String?
    private let hasInserter: @Sendable () -> Bool
    /// Nil only when the process has no descriptors left: then nothing is shown.
    private let wakeUp = try? WakeUp()

    /// - Parameters:
    ///   - display: where it is shown.
    ///   - times: how long scenes stay that disappear by themselves.
    ///   - settings: the current ones; read when something is first shown.
    ///   - heldHotkey: the key that types a held text, as the settings are now; nil if there is none.
    ///   - hasInserter: whether an insert-agent runs now; asked only about a text that is not typed.
    public init(
        on display: any OverlayDisplay, times: OverlayFlow.Times = .init(),
        settings: @escaping @Sendable () -> OverlaySettings,
        heldHotkey: @escaping @Sendable () -> String? = { nil },
        hasInserter: @escaping @Sendable () -> Bool = { false },
        logger: Logger = Logger(label: "overlay")
    ) {
        self.heldHotkey = heldHotkey
        self.hasInserter = hasInserter
        state = Mutex(State(flow: OverlayFlow(times: times)))
        guard let wakeUp else { return }
        startThread(named: "overlay") { [weak self] in
            let look = { (happened: [OverlayFlow.Event]) in self?.look(happened) }
            var hasComplained = false
            repeat {
                do {
                    let screen = OverlayScreen(try display.connect(), settings: settings, logger: logger)
                    screen.warmUp()
                    try screen.run(wakeUp, look: look)
                } catch {
                    if !hasComplained { logger.notice("\(error)") }
                    hasComplained = true
                }
            } while Self.waitForNextDictation(wakeUp, look: look)
        }
    }

    deinit { stop() }

    /// Reports an event; returns at once.
    public func handle(_ event: OverlayFlow.Event) {
        let isNew = state.withLock { state in
            if case .changed = event { state.flow.heldHotkey = heldHotkey() }
            return !state.isStopped && state.flow.handle(event, at: .now)
        }
        if isNew { wakeUp?.signal() }
    }

    /// Removes the overlay.
    public func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp?.signal()
    }

    /// A display that has gone away may be back with the next dictation.
    ///
    /// - Returns: false when it is over.
    private static func waitForNextDictation(
        _ wakeUp: WakeUp, look: ([OverlayFlow.Event]) -> OverlayFlow?
    ) -> Bool {
        let last = look([])?.dictation
        while let flow = look([]) {
            if let next = flow.dictation, next != last { return true }
            guard (try? waitUntilReadable([wakeUp.raw])) != nil else { return false }
            wakeUp.clear()
        }
        return false
    }

    /// - Returns: the current flow; nil if the overlay has stopped.
    private func look(_ happened: [OverlayFlow.Event]) -> OverlayFlow? {
        state.withLock { state in
            if happened.contains(.timePassed), case .processing = state.flow.scene {
                state.flow.hasInserter = hasInserter()
            }
            for event in happened { _ = state.flow.handle(event, at: .now) }
            return state.isStopped ? nil : state.flow
        }
    }
}
