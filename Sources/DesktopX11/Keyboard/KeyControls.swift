import CX11

/// The controls of a keyboard that decide what becomes of a key that is pressed on it (AccessX, XKB protocol §4), as far as
/// they are on.
struct KeyControls: OptionSet, Equatable {
    let rawValue: UInt32

    /// A key that stays down is pressed again and again.
    static let autoRepeat = KeyControls(rawValue: UInt32(XkbRepeatKeysMask))
    /// A key counts only when it has been down for a while. Ours go up at once, so none would count.
    static let slowKeys = KeyControls(rawValue: UInt32(XkbSlowKeysMask))
    /// A second press of a key, soon after the first one, does not count: double letters would be lost.
    static let bounceKeys = KeyControls(rawValue: UInt32(XkbBounceKeysMask))
    static let stickyKeys = KeyControls(rawValue: UInt32(XkbStickyKeysMask))
    /// Shift turns others of these on and off: pressed five times in a row, or held for long.
    static let accessXKeys = KeyControls(rawValue: UInt32(XkbAccessXKeysMask))
    /// An option of sticky keys: a key that is pressed while a modifier is held turns them off. A capital of ours would.
    static let twoKeysOff = KeyControls(options: UInt16(XkbAX_TwoKeysMask))
    /// Another option of sticky keys, which the server sets together with that one.
    static let latchToLock = KeyControls(options: UInt16(XkbAX_LatchToLockMask))

    private static let enabled: KeyControls = [
        .autoRepeat, .slowKeys, .bounceKeys, .stickyKeys, .accessXKeys,
    ]
    private static let options: KeyControls = [.twoKeysOff, .latchToLock]
    /// The options are the bits above the controls.
    private static let shift: UInt32 = 16

    init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(options: UInt16) { rawValue = UInt32(options) << Self.shift }

    /// - Parameters:
    ///   - enabled: `enabledCtrls` of the protocol.
    ///   - options: `axOptions`.
    init(enabled: UInt32, options: UInt16) {
        rawValue =
            KeyControls(rawValue: enabled).intersection(Self.enabled)
            .union(KeyControls(options: options).intersection(Self.options)).rawValue
    }

    /// As the protocol has them.
    var enabled: UInt32 { intersection(Self.enabled).rawValue }
    var options: UInt16 { UInt16(truncatingIfNeeded: intersection(Self.options).rawValue >> Self.shift) }

    /// Those that must be off while we type, with what is needed to turn them on again.
    ///
    /// Sticky keys themselves stay on: when they are turned off, the server unlocks Caps Lock, and chooses the first group of
    /// the layout. They do no harm to keys that come with their modifiers.
    var disturbing: KeyControls {
        let controls = intersection([.autoRepeat, .slowKeys, .bounceKeys, .accessXKeys])
        return isSuperset(of: [.stickyKeys, .twoKeysOff])
            ? controls.union(intersection(Self.options)) : controls
    }
}
