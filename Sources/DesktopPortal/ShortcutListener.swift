import Desktop
import DictationBus
import DictationSystem
import Dispatch
import Logging
import Synchronization

/// Keys that the desktop listens to for this program, on a thread that sleeps until one of them is pressed.
///
/// The desktop may ask the user first, and the user may have chosen another key than the one that is asked for.
final class ShortcutListener: GrabbedHotkeys {
    let hotkeys: [Hotkey]
    let missing: [Hotkey] = []
    /// For one reader; ends after ``stop()``, and after ``HotkeyEvent/unavailable(_:)``.
    let events: AsyncStream<HotkeyEvent>
    private let controls: Controls

    /// Returns when the desktop has accepted the request; the user's answer may come much later.
    ///
    /// - Throws: ``PortalError``, ``SystemError``
    init(_ hotkeys: [Hotkey], _ shortcuts: PortalShortcuts, logger: Logger) throws {
        self.hotkeys = hotkeys
        let (events, continuation) = AsyncStream.makeStream(of: HotkeyEvent.self)
        self.events = events
        let controls = try Controls()
        self.controls = controls
        startThread(named: "shortcuts") {
            defer {
                continuation.finish()
                controls.ended.signal()
            }
            let thread = ShortcutThread(shortcuts, controls, logger) { continuation.yield($0) }
            do throws(PortalError) {
                try thread.run()
            } catch {
                controls.report(.failure(error))
                if error != .stopped { continuation.yield(.unavailable("\(error)")) }
            }
        }
        try controls.waitForStart()
    }

    deinit { controls.requestStop() }

    func setCancelKeyGrabbed(_ isGrabbed: Bool) {
        controls.isCancelWanted.store(isGrabbed, ordering: .relaxed)
    }

    /// A desktop that hides the keys does not report which are held.
    func shareKeyboard() {}

    /// Gives the keys back. Further calls do nothing.
    func stop() {
        controls.requestStop()
        controls.ended.wait()
        // For the next caller.
        controls.ended.signal()
    }

    /// The channel to the thread and back.
    fileprivate final class Controls: Sendable {
        private let start = Mutex<Result<Void, any Error>?>(nil)
        private let started = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let isCancelWanted = Atomic<Bool>(false)
        let stopping: WakeUp

        init() throws { stopping = try WakeUp() }

        func requestStop() { stopping.signal() }

        /// Only the first result counts.
        func report(_ result: Result<Void, any Error>) {
            start.withLock { $0 = $0 ?? result }
            started.signal()
        }

        func waitForStart() throws {
            started.wait()
            try start.withLock { try $0?.get() }
        }
    }
}

/// The connection of a ``ShortcutListener``, which its thread owns.
private final class ShortcutThread {
    private static let interface = PortalInterface.globalShortcuts
    /// A portal that ends sooner, several times in a row, is not asked again.
    private static let shortLife: Duration = .seconds(60)
    private static let shortLives = 3

    private let shortcuts: PortalShortcuts
    private let controls: ShortcutListener.Controls
    private let logger: Logger
    private let report: (HotkeyEvent) -> Void
    private var presses: ShortcutPresses
    private var knownTriggers: ShortcutSession.Triggers?

    init(
        _ shortcuts: PortalShortcuts, _ controls: ShortcutListener.Controls, _ logger: Logger,
        report: @escaping (HotkeyEvent) -> Void
    ) {
        self.shortcuts = shortcuts
        presses = ShortcutPresses(shortcuts)
        self.controls = controls
        self.logger = logger
        self.report = report
    }

    /// Returns when the desktop has ended the session.
    ///
    /// - Throws: ``PortalError``
    func run() throws(PortalError) {
        let portal = try PortalConnection(for: Self.interface)
        var shortLives = 0
        repeat {
            let begin = ContinuousClock.now
            portal.register()
            _ = try portal.version(of: Self.interface)
            try serve(portal)
            shortLives = begin.duration(to: .now) < Self.shortLife ? shortLives + 1 : 0
            // An update may have ended it; the call starts it again.
        } while portal.isPortalGone && shortLives < Self.shortLives
        report(
            .unavailable(
                portal.isPortalGone
                    ? "the desktop's portal for shortcuts ended again and again"
                    : "the desktop has taken the hotkey away"))
    }

    /// Returns when the session is over.
    private func serve(_ portal: PortalConnection) throws(PortalError) {
        let session = try ShortcutSession(portal, for: shortcuts, stop: controls.stopping)
        defer {
            if portal.isPortalGone { session.session.abandon() }
            tell(.ended)
        }
        try session.bind(shortcuts, stop: controls.stopping) { controls.report(.success(())) }
        while !portal.isPortalGone, !session.session.isClosed {
            show(session.triggers)
            presses.isCancelWanted = controls.isCancelWanted.load(ordering: .relaxed)
            session.takeSignals().forEach(tell)
            try portal.wait(Self.interface, stop: controls.stopping) {
                session.hasSignals || session.triggers != knownTriggers || session.session.isClosed
                    || portal.isPortalGone
            }
        }
    }

    private func tell(_ signal: ShortcutPresses.Signal) {
        if let event = presses.handle(signal, at: .now) { report(event) }
    }

    /// Reports which key it is: the desktop decides that, not the settings.
    private func show(_ triggers: ShortcutSession.Triggers?) {
        guard let triggers, triggers != knownTriggers else { return }
        knownTriggers = triggers
        let given = shortcuts.wanted.filter { shortcuts.hotkey(of: $0.shortcut) != nil }
            .compactMap { triggers[$0.shortcut] }.filter { !$0.isEmpty }
        if given.isEmpty {
            report(.noKey)
        } else {
            logger.notice("the desktop gives this key for dictation: \(given.joined(separator: ", "))")
        }
    }
}
