import CX11
import Desktop

/// Requests to the server about its keyboard: key presses, modifiers, controls, the map.
///
/// **Auto-repeat** is off for our keys while we type. The server repeats a key that stays down on the XTEST keyboard like
/// any other: by default after 660 ms, with `xset r rate 200` after 200. Press and release are sent together, but a
/// server that is suspended between the two (a busy machine, a laptop put to sleep) finds that the time is over before
/// it reads the release, and the application gets the letter twice (15 of 60 times, when Xvfb was stopped for 0.9 s in
/// the middle of 3,000 keys). Also, the last key of a killed typist may stay down until the next typist starts.
///
/// **Slow keys and bounce keys**, which help people with a tremor, are off as well: with them our keys would
/// not count, without an error. So is the automatic turn-off of sticky keys (``KeyControls``).
///
/// Each keyboard has its own controls, and the keyboard that applications see copies them from the keyboard that was used
/// last. So they are turned off on both while the user's keyboards are grabbed: then those are detached, and keep theirs.
/// This is not a change of the keyboard map, so no client is notified.
struct KeyboardControl {
    private let connection: DisplayConnection
    /// Of XKEYBOARD.
    private let opcode: UInt8
    /// The type of all events of XKEYBOARD.
    private let eventType: Int32

    init(connection: DisplayConnection) throws(DesktopError) {
        self.connection = connection
        var opcode: Int32 = 0
        var event: Int32 = 0
        var error: Int32 = 0
        var major = XkbMajorVersion
        var minor = XkbMinorVersion
        guard XkbQueryExtension(connection.display, &opcode, &event, &error, &major, &minor) != 0 else {
            throw .missingExtension("XKEYBOARD")
        }
        eventType = event
        self.opcode = UInt8(truncatingIfNeeded: opcode)
        guard XTestQueryExtension(connection.display, &event, &error, &major, &minor) != 0 else {
            throw .missingExtension("XTEST")
        }
    }

    /// Asks to be told when the map changes; see ``isChange(_:)``.
    ///
    /// By itself, Xlib reports only one change until everything it knows of the keyboard is read again. That would take
    /// several round trips for each change, and we make many.
    func watchChanges() {
        let mask = UInt32(XkbMapNotifyMask | XkbNewKeyboardNotifyMask)
        XkbSelectEvents(connection.display, UInt32(XkbUseCoreKbd), mask, mask)
    }

    func isChange(_ event: XEvent) -> Bool { event.type == eventType || event.type == MappingNotify }

    // MARK: Keys

    func send(_ keycode: UInt8, isDown: Bool) {
        XTestFakeKeyEvent(connection.display, UInt32(keycode), isDown ? 1 : 0, 0)
    }

    /// The keys that are down for the applications.
    func pressedKeycodes() -> [UInt8] {
        connection.answer(.pressedKeys) { reply in
            // xQueryKeymapReply.
            KeyBits(at: reply + 8).keycodes
        } ?? []
    }

    // MARK: Modifiers

    /// The question for ``state()``.
    var stateQuestion: Question { .keyboardState(extension: opcode) }

    /// Modifiers and group; without any if the connection is lost.
    func state() -> XkbStateRec {
        var state = XkbStateRec()
        _ = connection.answer(stateQuestion) { reply in
            // xkbGetStateReply.
            state.mods = reply.load(fromByteOffset: 8, as: UInt8.self)
            state.base_mods = reply.load(fromByteOffset: 9, as: UInt8.self)
            state.latched_mods = reply.load(fromByteOffset: 10, as: UInt8.self)
            state.locked_mods = reply.load(fromByteOffset: 11, as: UInt8.self)
            state.group = reply.load(fromByteOffset: 12, as: UInt8.self)
        }
        return state
    }

    func setLocks(_ mask: UInt32, isLocked: Bool) {
        XkbLockModifiers(connection.display, UInt32(XkbUseCoreKbd), mask, isLocked ? mask : 0)
    }

    /// Latches these modifiers for the next key, as "sticky keys" do, and no others.
    func latch(_ mask: UInt32) { XkbLatchModifiers(connection.display, UInt32(XkbUseCoreKbd), 0xff, mask) }

    // MARK: Controls

    /// The question for ``controls(on:)``.
    private func controlsQuestion(_ device: Int32) -> Question {
        .keyboardControls(device, extension: opcode)
    }

    /// The active controls of a keyboard.
    func controls(on device: Int32) -> KeyControls {
        connection.answer(controlsQuestion(device)) { reply in
            // xkbGetControlsReply.
            KeyControls(
                enabled: reply.load(fromByteOffset: 56, as: UInt32.self),
                options: reply.load(fromByteOffset: 38, as: UInt16.self))
        } ?? []
    }

    /// Turns these off, on the keyboard that applications see, and on all that are behind it at this moment.
    ///
    /// - Parameter controls: see ``KeyControls/disturbing``.
    func turnOff(_ controls: KeyControls) {
        if !controls.isEmpty { set(controls.intersection(.latchToLock), among: controls) }
    }

    /// Turns the controls on again.
    ///
    /// - Parameter keyboards: the user's, which are plugged in and keep what each of them has.
    func turnOnAgain(_ controls: KeyControls, besides keyboards: [Int32]) {
        if controls.isEmpty { return }
        connection.inquiries.ahead(keyboards.map(controlsQuestion))
        let own = keyboards.map { (device: $0, controls: self.controls(on: $0)) }
        set(controls, among: controls)
        for keyboard in own { set(keyboard.controls, among: controls, of: keyboard.device) }
    }

    /// - Parameters:
    ///   - controls: those to turn on.
    ///   - affected: the others of these are turned off; the rest is unchanged.
    ///   - device: nil for the keyboard that applications see, and all that are behind it at this moment.
    private func set(_ controls: KeyControls, among affected: KeyControls, of device: Int32? = nil) {
        let hasOptions = affected.options != 0
        // xkbSetControlsReq: the keyboard; nothing before the options of sticky keys; these; which controls are
        // switched, what they become, and that nothing else of them changes.
        var request: [UInt8] = [opcode, 7, 0, 0]
        request += Inquiries.bytes(UInt16(truncatingIfNeeded: device ?? Int32(XkbUseCoreKbd)))
        request += [UInt8](repeating: 0, count: 14)
        request += Inquiries.bytes(hasOptions ? controls.options : 0)
        request += [0, 0]
        let changed = UInt32(XkbControlsEnabledMask) | (hasOptions ? UInt32(XkbStickyKeysMask) : 0)
        for word in [affected.enabled, controls.enabled & affected.enabled, changed] {
            request += Inquiries.bytes(word)
        }
        request += [UInt8](repeating: 0, count: 64)
        connection.inquiries.tell(request)
    }

    // MARK: The map

    /// Sends the new symbols of these keys to the server.
    ///
    /// XkbChangeMap would make the server compute the actions of these keys too, although no character has any. It would
    /// notify every client a second time, which costs a window manager another 30 ms.
    func write(_ keycodes: ClosedRange<UInt8>, of description: KeyboardDescription) {
        var keys: [UInt8] = []
        var keysymCount = 0
        for keycode in keycodes {
            let (groups, levels) = (description.groupCount(of: keycode), description.levelCount(of: keycode))
            // The request counts symbols in 16 bits. If they do not fit, two requests are sent.
            if keysymCount + groups * levels > Int(UInt16.max), keycode > keycodes.lowerBound {
                write(keycodes.lowerBound...(keycode - 1), of: description)
                write(keycode...keycodes.upperBound, of: description)
                return
            }
            // xkbSymMapWireDesc: the types of four groups, their number, the width and number of what follows.
            keys += description.types(of: keycode)
            keys += [description.groupInfo(of: keycode), UInt8(truncatingIfNeeded: levels)]
            keys += Inquiries.bytes(UInt16(groups * levels))
            for group in 0..<groups {
                for level in 0..<levels {
                    keys += Inquiries.bytes(
                        description.keysym(of: keycode, group: group, level: level) ?? UInt32(NoSymbol))
                }
            }
            keysymCount += groups * levels
        }
        // xkbSetMapReq: the core keyboard, what is there (keysyms), no flags; nothing of what comes after the keysyms.
        var request: [UInt8] = [opcode, 9, 0, 0]
        for word in [XkbUseCoreKbd, XkbKeySymsMask, 0] {
            request += Inquiries.bytes(UInt16(truncatingIfNeeded: word))
        }
        request += [description.firstKeycode, description.lastKeycode, 0, 0]
        request += [keycodes.lowerBound, UInt8(truncatingIfNeeded: keycodes.count)]
        request += Inquiries.bytes(UInt16(keysymCount))
        request += [UInt8](repeating: 0, count: 18)
        connection.inquiries.tell(request + keys)
    }
}
