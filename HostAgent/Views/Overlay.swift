import DictationSettings
import DictationShared
import DictationSystem
import Logging
import Synchronization

/// Shows on the screen what becomes of a dictation, on a thread that sleeps until there is something new to see.
///
/// ```swift
/// let overlay = Overlay(settings: { settings.current.overlay })
/// overlay.handle(.began(id))          // visible some milliseconds later
/// ```
public final class Overlay: Sendable {
    private struct State {
        var flow: OverlayFlow
        var isStopped = false
    }
    private let state: Mutex<State>
    private let heldHotkey: @Sendable () -> String?
    /// Nil only when the process has no descriptors left: then nothing is shown.
    private let wakeUp = try? WakeUp()

    /// - Parameters:
    ///   - display: such as ":0"; nil takes `DISPLAY`.
    ///   - times: how long the scenes stay that go by themselves.
    ///   - settings: as they are now; looked at whenever something begins to be shown.
    ///   - heldHotkey: the key that types a held text, as the settings are now; nil where there is none.
    public init(
        display: String? = nil, times: OverlayFlow.Times = .init(),
        settings: @escaping @Sendable () -> OverlaySettings,
        heldHotkey: @escaping @Sendable () -> String? = { nil },
        logger: Logger = Logger(label: "overlay")
    ) {
        self.heldHotkey = heldHotkey
        state = Mutex(State(flow: OverlayFlow(times: times)))
        guard let wakeUp else { return }
        startThread(named: "overlay") { [weak self] in
            do {
                let screen = try OverlayScreen(display: display, settings: settings, logger: logger)
                screen.warmUp()
                try screen.run(wakeUp) { happened in self?.look(happened) }
            } catch {
                logger.notice("\(error)")
            }
        }
    }

    deinit { stop() }

    /// Says what has happened; returns at once.
    public func handle(_ event: OverlayFlow.Event) {
        let isNew = state.withLock { state in
            if case .changed = event { state.flow.heldHotkey = heldHotkey() }
            return !state.isStopped && state.flow.handle(event, at: .now)
        }
        if isNew { wakeUp?.signal() }
    }

    /// Takes it away.
    public func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp?.signal()
    }

    /// - Returns: what is to be seen now; nil when it is over.
    private func look(_ happened: [OverlayFlow.Event]) -> OverlayFlow? {
        state.withLock { state in
            for event in happened { _ = state.flow.handle(event, at: .now) }
            return state.isStopped ? nil : state.flow
        }
    }
}

/// The window with its painter: what the overlay's thread owns.
private final class OverlayScreen {
    private let window: OverlayWindow
    private let settings: @Sendable () -> OverlaySettings
    private let logger: Logger
    private var painter: OverlayPainter?
    private var area = ScreenArea(x: 0, y: 0, width: 0, height: 0)
    private var scale = 1.0
    private var shown = OverlayScene.hidden
    private var shownSettings = OverlaySettings()

    init(
        display: String?, settings: @escaping @Sendable () -> OverlaySettings, logger: Logger
    ) throws(OverlayError) {
        window = try OverlayWindow(display: display)
        self.settings = settings
        self.logger = logger
    }

    /// Loads fonts, which takes some tens of milliseconds the first time, before anybody waits for it.
    func warmUp() {
        guard settings().isShown else { return }
        let painter = OverlayPainter(width: 200, height: 100, scale: 1, theme: .dark, isMotionReduced: false)
        for scene in [
            OverlayScene.recording(text: "Warm up"), .error(message: "Warm up"), .inserted(text: ""),
        ] {
            _ = painter.pictures(of: scene, sound: OverlaySound(), isWhole: true)
        }
    }

    /// Shows what there is to see, until `look` answers nil.
    func run(_ wakeUp: WakeUp, look: ([OverlayFlow.Event]) -> OverlayFlow?) throws {
        var happened: [OverlayFlow.Event] = []
        while !window.isLost, let flow = look(happened) {
            show(flow)
            // What came along with the server's answers is not in the socket any more.
            var events = window.takeEvents(mayRead: false)
            if events.isEmpty {
                let left = flow.deadline.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) }
                let timeout = left.map { Int32(max(0, $0.rounded(.up))) } ?? -1
                let ready = try waitUntilReadable([wakeUp.raw, window.descriptor], timeout: timeout)
                if ready.contains(wakeUp.raw) { wakeUp.clear() }
                events = window.takeEvents()
            }
            happened = events.contains(.clicked) ? [.clicked] : []
            if flow.deadline.map({ .now >= $0 }) == true { happened.append(.timePassed) }
            let hasNewSize = shown != .hidden && follow(events)
            if events.contains(.exposed) || hasNewSize { draw(flow, isNew: true, isWhole: true) }
        }
        window.hide()
    }

    private func show(_ flow: OverlayFlow) {
        if shown == .hidden, flow.scene != .hidden { shownSettings = settings() }
        let scene = shownSettings.isShown ? flow.scene : .hidden
        let before = shown
        shown = scene
        if scene == .hidden {
            window.hide()
            // A painter holds some hundred kilobytes.
            painter = nil
        } else {
            if before == .hidden {
                window.follow()
                place()
            }
            draw(flow, isNew: before != scene, isWhole: before.name != scene.name)
        }
        guard before.name != scene.name else { return }
        // After the picture: the one who finds the window by its name finds the picture in it.
        if scene != .hidden { window.rename(scene) }
        logger.debug("the overlay shows: \(scene.name)")
    }

    /// Goes where the focused window has gone.
    ///
    /// - Returns: whether nothing of the picture is in the window any more.
    private func follow(_ events: [OverlayWindow.Event]) -> Bool {
        if events.contains(.focusMoved) {
            window.follow()
            return place()
        }
        // Where it only moves about on its monitor, as by the pointer, nothing is asked of the server but where it is.
        let mayLeave = events.contains(.focusedWindowMoved) || events.contains(.screenChanged)
        return mayLeave && place(isRaised: false)
    }

    /// Puts the window on the monitor of the focused window, by the desktop's scale.
    ///
    /// - Parameter isRaised: above all others again, also where it stays in its place.
    /// - Returns: whether nothing of the picture is in it any more.
    @discardableResult
    private func place(isRaised: Bool = true) -> Bool {
        let scale = OverlayPlacement.scale(dpi: window.dpi(), size: shownSettings.size)
        guard
            let monitor = OverlayPlacement.monitor(of: window.focusedArea(), among: window.monitors())
        else { return false }
        let area = OverlayPlacement.area(on: monitor, position: shownSettings.position, scale: scale)
        let hasMoved = painter == nil || area != self.area
        let isNewSize =
            painter == nil || scale != self.scale
            || (area.width, area.height) != (self.area.width, self.area.height)
        if isNewSize {
            painter = OverlayPainter(
                width: area.width, height: area.height, scale: scale, theme: shownSettings.theme,
                isMotionReduced: shownSettings.isMotionReduced)
        }
        (self.area, self.scale) = (area, scale)
        if isRaised || hasMoved || isNewSize { window.show(at: area, cornerRadius: Int(14 * scale)) }
        return isNewSize
    }

    /// - Parameters:
    ///   - isNew: there is more to see than movement.
    ///   - isWhole: nothing of it is in the window yet.
    private func draw(_ flow: OverlayFlow, isNew: Bool, isWhole: Bool) {
        guard shown != .hidden, let painter else { return }
        // Four times a second are no movement.
        if !isNew, shownSettings.isMotionReduced, flow.sound.frames % 8 != 0 {
            return
        }
        let scene = visible(shown)
        for picture in painter.pictures(of: scene, sound: flow.sound, isWhole: isWhole) {
            window.draw(picture)
        }
        if !isWhole {
            for (areas, color) in painter.rectangles(of: scene, sound: flow.sound) {
                window.fill(areas, with: color)
            }
        }
        window.flush()
    }

    /// Without the words, where the settings say so.
    private func visible(_ scene: OverlayScene) -> OverlayScene {
        if shownSettings.showsText { return scene }
        return switch scene {
        case .recording: .recording(text: "")
        case .processing: .processing(text: "")
        case .inserted: .inserted(text: "")
        case .hidden, .held, .error: scene
        }
    }
}
