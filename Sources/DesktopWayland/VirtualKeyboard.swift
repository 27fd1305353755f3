import CWayland
import DictationSystem
import Glibc

/// Our own keyboard next to the user's (virtual-keyboard-v1). Each has its own map and modifiers, so keys
/// that the user holds down do not leak in, and the user's layout stays. For one thread.
final class VirtualKeyboard {
    static let interface = "zwp_virtual_keyboard_manager_v1"

    private let keyboard: OpaquePointer
    private(set) var keymap = TypingKeymap()
    private var modifiers: UInt32 = 0

    /// - Throws: ``WaylandError``, ``SystemError``
    init(_ connection: WaylandConnection, seat: OpaquePointer) throws {
        let manager = try connection.bind(Self.interface, cwayland_bind_virtual_keyboards)
        defer { zwp_virtual_keyboard_manager_v1_destroy(manager) }
        guard let keyboard = zwp_virtual_keyboard_manager_v1_create_virtual_keyboard(manager, seat) else {
            throw WaylandError.lost
        }
        self.keyboard = keyboard
        try use(keymap)
    }

    /// The map for all keys that follow. Applications get maps and keys in the order in which they were sent.
    ///
    /// - Throws: ``SystemError``
    func use(_ keymap: TypingKeymap) throws {
        let text = keymap.text + "\0"
        // The compositor keeps its own copy.
        let file = try Descriptor.memoryFile(holding: text)
        zwp_virtual_keyboard_v1_keymap(
            keyboard, WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1.rawValue, file.raw, UInt32(text.utf8.count))
        self.keymap = keymap
        hold(0)
    }

    /// Presses and releases a key.
    func press(_ stroke: TypingKeymap.Stroke) {
        if stroke.modifiers != modifiers { hold(stroke.modifiers) }
        let now = UInt32(truncatingIfNeeded: Int(BootClock.seconds * 1000))
        for state in [WL_KEYBOARD_KEY_STATE_PRESSED, WL_KEYBOARD_KEY_STATE_RELEASED] {
            zwp_virtual_keyboard_v1_key(keyboard, now, stroke.key, state.rawValue)
        }
    }

    /// Lets go of all modifiers.
    func release() {
        if modifiers != 0 { hold(0) }
    }

    /// - Parameters:
    ///   - modifiers: XKB's real modifiers that are down from now on.
    ///   - locked: those that are locked, such as Caps Lock.
    func hold(_ modifiers: UInt32, locked: UInt32 = 0) {
        zwp_virtual_keyboard_v1_modifiers(keyboard, modifiers, 0, locked, 0)
        self.modifiers = modifiers
    }
}
