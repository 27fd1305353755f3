import Desktop
import DictationOptions
import DictationService
import DictationSettings
import Logging
import ServiceLifecycle

/// The key that types the newest held text where the user is: a press of it is the intent that `dictstate insert` would
/// append. Where another program has the key, all else works without it.
actor HeldHotkey: Service {
    private let context: AgentContext
    private let hotkeys: any HotkeyGrabbing
    private var listener: (any GrabbedHotkeys)?
    private var following: Task<Void, Never>?

    init(_ context: AgentContext, on hotkeys: any HotkeyGrabbing) {
        self.context = context
        self.hotkeys = hotkeys
    }

    /// When this returns, the key works.
    func start() { listen(to: wanted) }

    func run() async {
        let updates = context.settings.updates()
        for await _ in updates.cancelOnGracefulShutdown() where wanted != listener?.hotkeys.first {
            listen(to: wanted)
            let key = listener?.hotkeys.first.map { "\($0)" } ?? "no key"
            context.logger.notice("held texts are typed by \(key)")
        }
        stop()
    }

    /// The settings were checked when they were read.
    private var wanted: Hotkey? { (try? context.settings.current.parsedHeldHotkey()) ?? nil }

    private func listen(to hotkey: Hotkey?) {
        stop()
        guard let hotkey else { return }
        do {
            let new = try hotkeys.grab([hotkey])
            listener = new
            following = Task {
                for await event in new.events {
                    // While the key is down, its grab has the keyboard: nothing could be typed.
                    if case .released = event { context.askForHeldText() }
                }
            }
        } catch {
            context.logger.warning(
                "\(error). To type held texts: dictstate insert --after 3; or choose another key: insert.held-hotkey"
            )
        }
    }

    private func stop() {
        listener?.stop()
        listener = nil
        following?.cancel()
        following = nil
    }
}
