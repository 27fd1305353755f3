import Desktop
import DictationOptions
import DictationService
import DictationSettings
import DictationSystem
import Logging
import ServiceLifecycle

/// The key that types the newest held text where the user is: a press of it is the intent that `dictstate insert` would
/// append. If another program has the key, everything else works without it.
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
    func start() {
        do {
            try listen()
        } catch {
            tell(error)
        }
    }

    func run() async {
        let updates = context.settings.updates()
        for await _ in updates.cancelOnGracefulShutdown() where wanted != listener?.hotkeys.first {
            await change()
            let key = listener?.hotkeys.first.map { "\($0)" } ?? "no key"
            context.logger.notice("held texts are typed by \(key)")
        }
        stop()
    }

    /// The settings were checked when they were read.
    private var wanted: Hotkey? { (try? context.settings.current.parsedHeldHotkey()) ?? nil }

    private func change() async {
        do {
            // By the same settings, host-agent may be about to give the key back.
            try await RetryPolicy.takingKey.run(isTransient: Self.isTaken) { @Sendable in
                try await self.listen()
            }
        } catch {
            tell(error)
        }
    }

    private static func isTaken(_ error: any Error) -> Bool {
        if case DesktopError.hotkeyTaken = error { true } else { false }
    }

    /// Changes to the key of the current settings.
    private func listen() throws {
        stop()
        guard let hotkey = wanted else { return }
        let new = try hotkeys.grab([hotkey])
        listener = new
        following = Task {
            for await event in new.events {
                // While the key is down, its grab has the keyboard: nothing could be typed.
                if case .released = event { context.askForHeldText() }
            }
        }
    }

    private func tell(_ error: any Error) {
        context.logger.warning(
            "\(error). To type held texts: dictstate insert --after 3; or choose another key: insert.held-hotkey"
        )
    }

    private func stop() {
        listener?.stop()
        listener = nil
        following?.cancel()
        following = nil
    }
}
