import CX11
import Desktop
import DictationSystem
import Logging

/// The X11 side of ``HotkeyListener``: lives and dies on its thread.
final class HotkeyGrabber {
    /// A grab of one key: keycode and exact modifiers, usually without the locks.
    private struct Grab: Hashable {
        let keycode: KeyCode
        let modifiers: UInt32
    }

    private let hotkeys: [Hotkey]
    private let connection: DisplayConnection
    private let focus: FocusInspector
    private let logger: Logger
    /// The keys of each hotkey, in their order.
    private var keyGrabs: [[Grab]] = []
    private var cancelGrabs: [Grab] = []
    /// The hotkeys that the layout lacks, each with the keys that gave nothing when it was missed first, as far as a typist may
    /// bind them to it.
    private var missing: [Hotkey: Set<KeyCode>] = [:]
    /// The hotkeys that the layout lacks.
    var missingHotkeys: [Hotkey] { hotkeys.filter { missing[$0] != nil } }
    private var lockCombinations: [UInt32] = [0]
    /// The key that was pressed; nil while none is. If several keys give the keysym, only this one ends the press.
    private var heldKeycode: UInt32?
    private let keyboards: KeyboardDevices?
    /// Set while the hotkey is held and lets programs type.
    private var setAside: SetAsideKeyboards?
    /// When a keyboard released the held key. The server reports this for every keyboard, even a grabbed one.
    private var letGo: Time?
    /// The server's clock (ms) and ours at one moment, so that spans are those of the server.
    private var anchor: (server: UInt32, instant: ContinuousClock.Instant)?

    /// - Parameter mayBeMissing: whether a hotkey that the layout lacks is waited for.
    init(hotkeys: [Hotkey], mayBeMissing: Bool = false, display: String?, logger: Logger) throws {
        self.hotkeys = hotkeys
        self.logger = logger
        connection = try DisplayConnection(name: display)
        focus = FocusInspector(connection: connection)
        // Works without it too, unless another program takes a release away.
        keyboards = try? KeyboardDevices(connection: connection)
        var isSupported: Int32 = 0
        XkbSetDetectableAutoRepeat(connection.display, 1, &isSupported)
        if isSupported == 0 { throw DesktopError.missingExtension("XKEYBOARD with detectable auto-repeat") }
        lockCombinations = Self.lockCombinations(connection.display)
        keyGrabs = hotkeys.map(wantedGrabs)
        for (hotkey, grabs) in zip(hotkeys, keyGrabs) where grabs.isEmpty {
            guard mayBeMissing else { throw DesktopError.hotkeyNotOnKeyboard(hotkey) }
            noteMissing(hotkey, true)
        }
        for (hotkey, grabs) in zip(hotkeys, keyGrabs) where !take(grabs) {
            throw DesktopError.hotkeyTaken(hotkey)
        }
        try connection.checkAlive()
    }

    /// Returns when it is told to stop, or the display is gone.
    func run(_ controls: HotkeyListener.Controls, report: (HotkeyEvent) -> Void) {
        while true {
            let wishes = controls.take()
            if wishes.mustStop { break }
            updateCancelKey(wishes.isCancelKeyGrabbed)
            if wishes.isSharing { share(report: report) }
            while let event = connection.nextEvent() { handle(event, report: report) }
            if let letGo { endHold(at: letGo, report: report) }
            // The handlers' requests must be on their way before we sleep.
            connection.flush()
            if connection.isLost {
                report(.displayLost)
                return
            }
            do {
                try connection.waitForInput(or: controls.wakeUp)
            } catch {
                logger.error("the hotkey no longer works: \(error)")
                report(.displayLost)
                return
            }
        }
        setAside?.giveBack()
        release(grabs)
        release(cancelGrabs)
        connection.sync()
    }

    private func handle(_ event: XEvent, report: (HotkeyEvent) -> Void) {
        switch event.type {
        case KeyPress:
            // While it is held, the server repeats it; a server that was suspended does so even after a long silence.
            let hotkey = hotkey(event.xkey)
            if hotkey != nil, heldKeycode != nil { break }
            let instant = instant(of: event.xkey.time)
            if let hotkey {
                heldKeycode = event.xkey.keycode
                followRelease(true)
                report(.pressed(hotkey, at: instant, focus: focus.focusedWindow()))
            } else if cancelGrabs.contains(where: { UInt32($0.keycode) == event.xkey.keycode }) {
                report(.cancelPressed(at: instant))
            }
        // With one of these it lets programs type. Another one comes from a keyboard that replaced one that was
        // plugged out.
        case KeyRelease where setAside != nil:
            if event.xkey.keycode == heldKeycode, setAside?.isDown == false {
                released(at: event.xkey.time, report: report)
            }
        case KeyRelease where event.xkey.keycode == heldKeycode: released(at: event.xkey.time, report: report)
        case GenericEvent where setAside != nil:
            if let key = keyboards?.captured(event) { handle(key, report: report) }
        case GenericEvent:
            if let release = keyboards?.rawRelease(event), UInt32(release.keycode) == heldKeycode {
                letGo = release.time
            }
        case MappingNotify:
            var mapping = event.xmapping
            XRefreshKeyboardMapping(&mapping)
            if mapping.request != MappingPointer { followLayout() }
        default: break
        }
    }

    /// Lets programs type while the key is held, if that is safe.
    private func share(report: (HotkeyEvent) -> Void) {
        guard setAside == nil, let heldKeycode, let keyboards else { return }
        setAside = SetAsideKeyboards(
            holding: UInt8(truncatingIfNeeded: heldKeycode), keyboards, in: connection)
        if setAside != nil { report(.keyboardShared) }
    }

    /// A key of the user's that came while programs may type: it goes to no window.
    private func handle(_ key: KeyboardDevices.Captured, report: (HotkeyEvent) -> Void) {
        let keycode = UInt32(key.keycode)
        if !key.isPress, keycode == heldKeycode {
            if setAside?.isDown == false { released(at: key.time, report: report) }
        } else if key.isPress, !key.isRepeat, cancelGrabs.contains(where: { UInt32($0.keycode) == keycode }) {
            report(.cancelPressed(at: instant(of: key.time)))
        }
    }

    private func released(at time: Time, report: (HotkeyEvent) -> Void) {
        if let setAside {
            setAside.giveBack()
            // Before anybody is notified of it: the next text must find the keyboards free.
            connection.sync()
        }
        setAside = nil
        report(.released(at: instant(of: time)))
        heldKeycode = nil
        letGo = nil
        followRelease(false)
    }

    /// The release event goes elsewhere if a program, or one of the server's own keys, has broken the grab. A key that is
    /// up on one keyboard may still be down on another.
    private func endHold(at time: Time, report: (HotkeyEvent) -> Void) {
        letGo = nil
        guard let heldKeycode else { return }
        var bits = [CChar](repeating: 0, count: 32)
        XQueryKeymap(connection.display, &bits)
        let isDown = KeyBits(bits).keycodes.contains(UInt8(truncatingIfNeeded: heldKeycode))
        if !isDown, !connection.isLost { released(at: time, report: report) }
    }

    /// Only while the key is held: other typing does not wake this process.
    private func followRelease(_ follows: Bool) {
        guard keyboards != nil else { return }
        connection.select(follows ? [XI_RawKeyRelease] : [], of: Int32(XIAllMasterDevices))
    }

    private var grabs: [Grab] { keyGrabs.flatMap { $0 } }

    /// The hotkey that was pressed; nil if the key is none of them. Two may differ only in their modifiers.
    private func hotkey(_ event: XKeyEvent) -> Hotkey? {
        let locks = lockCombinations.reduce(0, |)
        let modifiers = event.state & Self.allModifiers & ~locks
        let all = zip(hotkeys, keyGrabs).filter { $1.contains { UInt32($0.keycode) == event.keycode } }
        let exact = all.first {
            $1.contains { UInt32($0.keycode) == event.keycode && $0.modifiers == modifiers }
        }
        return (exact ?? all.first)?.0
    }

    /// Shift, Lock, Control and Mod1 to Mod5: the state also has buttons and the group.
    private static let allModifiers: UInt32 = 0xFF

    private func instant(of serverTime: Time) -> ContinuousClock.Instant {
        let serverTime = UInt32(truncatingIfNeeded: serverTime)
        // Both clocks are compared again at each press after a pause, so they cannot drift apart.
        if heldKeycode != nil, let anchor {
            return anchor.instant + .milliseconds(Int32(bitPattern: serverTime &- anchor.server))
        }
        let now = ContinuousClock.now
        anchor = (serverTime, now)
        return now
    }

    // MARK: Grabbing

    private func updateCancelKey(_ isWanted: Bool) {
        if !isWanted {
            release(cancelGrabs)
            cancelGrabs = []
        } else if cancelGrabs.isEmpty {
            grabCancelKey()
        }
    }

    private func grabCancelKey() {
        let wanted = wantedGrabs(keysym: KeySym(XK_Escape), modifiers: 0).filter { !grabs.contains($0) }
        if take(wanted) {
            logger.debug("Escape cancels from now on")
        } else {
            logger.warning("Escape is taken by another program; it does not cancel the recording")
        }
        // Kept even so: while the hotkey is held, every key comes here.
        cancelGrabs = wanted
    }

    /// Grabs again if the keys have moved. Most notifications do not matter to us: another keyboard was
    /// used, or spare keys were bound. Keys that are still wanted stay grabbed all the time, so that no press
    /// is lost.
    private func followLayout() {
        let locks = Self.lockCombinations(connection.display)
        let lacking = missingHotkeys
        let grabs = hotkeys.enumerated().map { index, hotkey in
            let wanted = wantedGrabs(hotkey).filter { missing[hotkey]?.contains($0.keycode) != true }
            noteMissing(hotkey, wanted.isEmpty)
            // A key that this layout lacks stays grabbed where it was.
            return wanted.isEmpty ? keyGrabs[index] : wanted
        }
        if grabs == keyGrabs && locks == lockCombinations { return }
        let former = withLocks(self.grabs + cancelGrabs)
        lockCombinations = locks
        keyGrabs = grabs
        for (hotkey, grabs) in zip(hotkeys, keyGrabs) where !take(grabs) {
            logger.warning("\(DesktopError.hotkeyTaken(hotkey))")
        }
        for hotkey in lacking where missing[hotkey] == nil {
            logger.notice("the keyboard layout has \(hotkey) now")
        }
        if !cancelGrabs.isEmpty { grabCancelKey() }
        ungrab(former.subtracting(withLocks(self.grabs + cancelGrabs)))
    }

    /// A typist binds unused keys to the characters that the layout lacks, and unbinds them soon. A hotkey that
    /// moved there would be left on a key that cannot be pressed.
    private func noteMissing(_ hotkey: Hotkey, _ isMissing: Bool) {
        guard isMissing else {
            missing[hotkey] = nil
            return
        }
        guard missing[hotkey] == nil else { return }
        let mayBeTyped = xkb_keysym_to_utf32(hotkey.keysym) != 0
        missing[hotkey] = mayBeTyped ? Set(keycodes.filter(isEmpty)) : []
        logger.warning(
            "\(DesktopError.hotkeyNotOnKeyboard(hotkey)). It works as soon as the layout has such a key.")
    }

    /// The grabs to ask the server for: one for each combination of the locks.
    private func withLocks(_ grabs: [Grab]) -> Set<Grab> {
        Set(
            grabs.flatMap { grab in
                lockCombinations.map { Grab(keycode: grab.keycode, modifiers: grab.modifiers | $0) }
            })
    }

    /// - Returns: false when another program has one of them; then none is grabbed.
    private func take(_ grabs: [Grab]) -> Bool {
        let errors = connection.errors {
            for grab in withLocks(grabs) {
                XGrabKey(
                    connection.display, Int32(grab.keycode), grab.modifiers, connection.root, 0,
                    GrabModeAsync, GrabModeAsync)
            }
        }
        if errors.isEmpty { return true }
        release(grabs)
        return false
    }

    private func release(_ grabs: [Grab]) { ungrab(withLocks(grabs)) }

    private func ungrab(_ grabs: Set<Grab>) {
        for grab in grabs {
            XUngrabKey(connection.display, Int32(grab.keycode), grab.modifiers, connection.root)
        }
    }

    private func wantedGrabs(_ hotkey: Hotkey) -> [Grab] {
        wantedGrabs(keysym: KeySym(hotkey.keysym), modifiers: hotkey.modifiers.mask)
    }

    /// Every key that gives the keysym: plain in any group, or else with Shift (such as "plus" on a US keyboard).
    private func wantedGrabs(keysym: KeySym, modifiers: UInt32) -> [Grab] {
        for level in Self.levels {
            let keycodes = keycodes.filter { gives(keysym, $0, level) }
            if !keycodes.isEmpty {
                let shift = level == 1 ? UInt32(ShiftMask) : 0
                return keycodes.map { Grab(keycode: $0, modifiers: modifiers | shift) }
            }
        }
        return []
    }

    /// Plain, and with Shift.
    private static let levels: ClosedRange<Int32> = 0...1

    private var keycodes: [KeyCode] {
        var lowest: Int32 = 0
        var highest: Int32 = 0
        XDisplayKeycodes(connection.display, &lowest, &highest)
        return (lowest...max(lowest, highest)).map { KeyCode(truncatingIfNeeded: $0) }
    }

    /// Whether the key gives it in any group.
    private func gives(_ keysym: KeySym, _ keycode: KeyCode, _ level: Int32) -> Bool {
        (0..<Int32(XkbNumKbdGroups)).contains { group in
            XkbKeycodeToKeysym(connection.display, keycode, group, level) == keysym
        }
    }

    /// Whether the key gives nothing in any group.
    private func isEmpty(_ keycode: KeyCode) -> Bool {
        Self.levels.allSatisfy { level in
            (0..<Int32(XkbNumKbdGroups)).allSatisfy { group in
                XkbKeycodeToKeysym(connection.display, keycode, group, level) == 0
            }
        }
    }

    /// Every combination of the locks' modifiers, none included.
    private static func lockCombinations(_ display: OpaquePointer) -> [UInt32] {
        let locks = [
            UInt32(LockMask), XkbKeysymToModifiers(display, KeySym(XK_Num_Lock)),
            XkbKeysymToModifiers(display, KeySym(XK_Scroll_Lock)),
        ]
        var combinations: [UInt32] = [0]
        for lock in locks where !combinations.contains(lock) {
            combinations += combinations.map { $0 | lock }
        }
        return combinations
    }
}
