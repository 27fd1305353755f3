import Desktop
import DictationSystem
import Logging
import Synchronization

/// Hotkeys of a desktop that listens to keys for programs (GNOME from 48, KDE Plasma from 5.27): they work whichever window
/// has the focus, and report press and release.
///
/// The user chooses the keys in the desktop's settings. The requested key is only a proposal for the first
/// time.
public final class PortalHotkeys: HotkeyGrabbing {
    private let heldHotkey: @Sendable () -> Hotkey?
    private let description: @Sendable (Hotkey) -> String?
    private let logger: Logger
    private let current = Mutex<ShortcutListener?>(nil)

    /// Whether this desktop has such a portal.
    public static func areOffered() -> Bool { (try? version()) != nil }

    /// The version of the portal's interface.
    ///
    /// - Throws: ``PortalError``
    public static func version() throws(PortalError) -> UInt32 {
        let portal = try PortalConnection(for: .globalShortcuts)
        return try portal.version(of: .globalShortcuts)
    }

    /// - Parameters:
    ///   - heldHotkey: the key for held texts; nil if the user wants none.
    ///   - description: the text for the user about a further key for dictation; nil for the key without
    ///     options.
    public init(
        heldHotkey: @escaping @Sendable () -> Hotkey?,
        description: @escaping @Sendable (Hotkey) -> String?,
        logger: Logger
    ) {
        self.heldHotkey = heldHotkey
        self.description = description
        self.logger = logger
    }

    /// Returns when the desktop has accepted the request. It may ask the user then, and the key works from
    /// the answer on.
    ///
    /// The former hotkeys end: one program has one session of shortcuts, because the desktop keeps one list
    /// for it.
    ///
    /// - Throws: ``PortalError``, ``SystemError``
    public func grab(_ hotkeys: [Hotkey]) throws -> any GrabbedHotkeys {
        try current.withLock { current in
            current?.stop()
            current = nil
            let further = hotkeys.compactMap { hotkey in
                description(hotkey).map { PortalShortcuts.Further(hotkey: hotkey, description: $0) }
            }
            let new = try ShortcutListener(
                hotkeys,
                PortalShortcuts(
                    dictate: hotkeys.first { description($0) == nil }, further: further, insert: heldHotkey()),
                logger: logger)
            current = new
            return new
        }
    }
}
