import CX11
import DictationSystem

/// The keys that a user presses anywhere on the display, as far as they would make a hotkey: for choosing one by pressing
/// it. Nothing is grabbed, and every key also goes to the window that has the focus.
public final class HotkeyPresses: Sendable {
    /// For one reader; ends after ``stop()``, or when the display is gone.
    public let hotkeys: AsyncStream<Hotkey>
    private let stopping: WakeUp

    /// - Parameter display: such as ":0"; nil takes `DISPLAY`.
    /// - Throws: ``DesktopError``, or `SystemError`.
    public init(display: String? = nil) throws {
        // What cannot be opened is told here, and not on the thread.
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
            guard let ready = try? waitUntilReadable([connection.descriptor, stopping.raw]),
                !ready.contains(stopping.raw)
            else { return }
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

extension Hotkey {
    /// The hotkey of a key that was pressed.
    ///
    /// - Parameters:
    ///   - keysym: that of the key alone.
    ///   - state: the modifiers that are down, as in the state of an event.
    /// - Returns: nil for keys that are needed for other things: modifiers, and without Ctrl, Alt or Super those that
    ///   write, edit or move.
    init?(keysym: UInt32, state: UInt32) {
        let held: [(Int32, String)] = [
            (ControlMask, "ctrl"), (Mod1Mask, "alt"), (ShiftMask, "shift"), (Mod4Mask, "super"),
        ]
        let names = held.filter { state & UInt32($0.0) != 0 }.map(\.1)
        // Modifiers of all kinds, from XK_Shift_L to XK_Hyper_R, and those of ISO.
        if (0xFFE1...0xFFEE).contains(keysym) || (0xFE00...0xFE1F).contains(keysym) || keysym == 0xFF7F {
            return nil
        }
        let isForWriting =
            keysym < 0xFD00 || (0xFF00...0xFF1F).contains(keysym)
            || (0xFF50...0xFF58).contains(keysym) || (0xFF80...0xFFB9).contains(keysym) || keysym == 0xFFFF
        if isForWriting, names.allSatisfy({ $0 == "shift" }) { return nil }
        // What interrupts programs in terminals is no key to speak with.
        if keysym == 0x63, names == ["ctrl"] { return nil }
        guard let name = Self.keyName(keysym) else { return nil }
        guard let hotkey = try? Hotkey(parsing: (names + [name]).joined(separator: "+")) else { return nil }
        self = hotkey
    }

    private static func keyName(_ keysym: UInt32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress, xkb_keysym_get_name(keysym, start, buffer.count) > 0 else {
                return nil
            }
            return String(cString: start)
        }
    }
}
