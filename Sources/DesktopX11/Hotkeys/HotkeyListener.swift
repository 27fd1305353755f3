import Desktop
import DictationSystem
import Dispatch
import Foundation
import Logging
import Synchronization

/// Listens to hotkeys on the whole desktop, on its own thread that sleeps until something happens.
///
/// ```swift
/// let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "F9")])
/// for await event in listener.events { … }
/// ```
///
/// The keys are taken from the applications for as long as the listener lives. Caps Lock, Num Lock and Scroll Lock do
/// not matter, and a change of the keyboard layout is followed.
public final class HotkeyListener: GrabbedHotkeys {
    public let hotkeys: [Hotkey]
    public let missing: [Hotkey]
    /// For one reader; ends after ``stop()`` or ``HotkeyEvent/displayLost``.
    public let events: AsyncStream<HotkeyEvent>

    private let controls: Controls

    /// Grabs the keys; when this returns, they work. If one is unavailable, none is grabbed.
    ///
    /// - Parameters:
    ///   - mayBeMissing: whether a key that the layout lacks is waited for; it is logged.
    ///   - display: such as ":0"; nil takes `DISPLAY`.
    ///   - logger: gets problems that do not end the listener: Escape taken by others, a key lost to a layout
    ///     change.
    /// - Throws: ``DesktopError`` (no display, key taken, key not on this keyboard), or `SystemError`.
    public init(
        hotkeys: [Hotkey], mayBeMissing: Bool = false, display: String? = nil,
        logger: Logger = Logger(label: "desktop.hotkey")
    ) throws {
        self.hotkeys = hotkeys
        let (events, continuation) = AsyncStream.makeStream(of: HotkeyEvent.self)
        self.events = events
        let controls = try Controls()
        self.controls = controls
        startThread(named: "hotkey") {
            defer {
                continuation.finish()
                controls.ended.signal()
            }
            do {
                let grabber = try HotkeyGrabber(
                    hotkeys: hotkeys, mayBeMissing: mayBeMissing, display: display, logger: logger)
                controls.report(.success(grabber.missingHotkeys))
                grabber.run(controls) { continuation.yield($0) }
            } catch {
                controls.report(.failure(error))
            }
        }
        missing = try controls.waitForStart()
    }

    deinit { controls.requestStop() }

    /// Grabs Escape, or gives it back; returns at once. If another program has it, that is only logged:
    /// recording works without it.
    public func setCancelKeyGrabbed(_ isGrabbed: Bool) { controls.request(cancelKeyGrabbed: isGrabbed) }

    public func shareKeyboard() { controls.requestSharing() }

    /// Gives the keys back and returns when the thread has ended. Further calls do nothing.
    public func stop() {
        controls.requestStop()
        controls.ended.wait()
        // For the next caller.
        controls.ended.signal()
    }

    /// The channel to the thread and back.
    final class Controls: Sendable {
        struct Wishes: Sendable {
            var isCancelKeyGrabbed = false
            /// Asked for since the last look.
            var isSharing = false
            var mustStop = false
        }
        private let wishes = Mutex(Wishes())
        private let start = Mutex<Result<[Hotkey], any Error>?>(nil)
        private let started = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let wakeUp: WakeUp

        init() throws { wakeUp = try WakeUp() }

        /// The current requests. Later requests wake again.
        func take() -> Wishes {
            // First: the other way round, a wish between the two would be cleared and not seen.
            wakeUp.clear()
            return wishes.withLock { wishes in
                defer { wishes.isSharing = false }
                return wishes
            }
        }

        func request(cancelKeyGrabbed: Bool) {
            wishes.withLock { $0.isCancelKeyGrabbed = cancelKeyGrabbed }
            wakeUp.signal()
        }

        func requestSharing() {
            wishes.withLock { $0.isSharing = true }
            wakeUp.signal()
        }

        func requestStop() {
            wishes.withLock { $0.mustStop = true }
            wakeUp.signal()
        }

        /// - Parameter result: the hotkeys that are missing.
        func report(_ result: Result<[Hotkey], any Error>) {
            start.withLock { $0 = result }
            started.signal()
        }

        @discardableResult func waitForStart() throws -> [Hotkey] {
            started.wait()
            return try start.withLock { try $0?.get() } ?? []
        }
    }
}
