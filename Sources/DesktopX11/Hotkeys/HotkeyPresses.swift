import CX11
import Desktop
import DictationSystem

/// The keys that a user presses anywhere on the display and that can be a hotkey, to choose one by pressing it. Nothing is
/// grabbed, and every key also goes to the focused window.
public final class HotkeyPresses: Sendable {
    /// For one reader; ends after ``stop()``, or when the display is gone.
    public let hotkeys: AsyncStream<Hotkey>
    private let stopping: WakeUp

    /// - Parameter display: such as ":0"; nil takes `DISPLAY`.
    /// - Throws: ``DesktopError``, or `SystemError`.
    public init(display: String? = nil) throws {
        // A display that cannot be opened is reported here, and not on the thread.
        _ = try DisplayConnection(name: display)
        let stopping = try WakeUp()
        self.stopping = stopping
        let (stream, output) = AsyncStream.makeStream(of: Hotkey.self)
        hotkeys = stream
        startThread(named: "hotkey-presses") {
            defer { output.finish() }
            guard let reader = try? HotkeyPressReader(display: display) else { return }
            reader.run(stopping) { output.yield($0) }
        }
    }

    deinit { stopping.signal() }

    public func stop() { stopping.signal() }
}

/// The X11 side, which belongs to its thread.
private final class HotkeyPressReader {
    private let connection: DisplayConnection
    private let opcode: Int32

    init(display: String?) throws {
        connection = try DisplayConnection(name: display)
        opcode = try KeyboardDevices(connection: connection).extensionOpcode
        connection.select([XI_RawKeyPress], of: Int32(XIAllMasterDevices))
        connection.sync()
    }

    func run(_ stopping: WakeUp, report: (Hotkey) -> Void) {
        while !connection.isLost {
            while let event = connection.nextEvent() {
                if let keycode = keycode(event), let hotkey = hotkey(keycode) { report(hotkey) }
            }
            connection.flush()
            guard (try? connection.waitForInput(or: stopping)) != nil, !stopping.isRinging else { return }
        }
    }

    private func keycode(_ event: XEvent) -> KeyCode? {
        guard event.type == GenericEvent else { return nil }
        var cookie = event.xcookie
        guard cookie.extension == opcode, XGetEventData(connection.display, &cookie) != 0 else { return nil }
        defer { XFreeEventData(connection.display, &cookie) }
        guard cookie.evtype == XI_RawKeyPress, let data = cookie.data else { return nil }
        let raw = data.assumingMemoryBound(to: XIRawEvent.self).pointee
        return KeyCode(truncatingIfNeeded: raw.detail)
    }

    private func hotkey(_ keycode: KeyCode) -> Hotkey? {
        var state = XkbStateRec()
        XkbGetState(connection.display, UInt32(XkbUseCoreKbd), &state)
        let keysym = XkbKeycodeToKeysym(connection.display, keycode, Int32(state.group), 0)
        guard keysym != 0 else { return nil }
        return Hotkey(keysym: UInt32(truncatingIfNeeded: keysym), state: UInt32(state.mods))
    }
}
