import Desktop

/// The user's keyboards, and the keys that are held for the user on the keyboard of XTEST.
final class UserKeyboards {
    let devices: KeyboardDevices
    private let connection: DisplayConnection
    private let control: KeyboardControl
    /// Nil when they are to be asked for.
    private var known: (physical: [Int32], xtest: Int32?)?
    /// Keys that the user holds and that were pressed for them.
    private var pressed: Set<UInt8> = []

    init(connection: DisplayConnection, control: KeyboardControl) throws(DesktopError) {
        self.connection = connection
        self.control = control
        devices = try KeyboardDevices(connection: connection)
        devices.watchHierarchy()
    }

    /// The user's keyboards and the XTEST one, as they are plugged in now.
    var plugged: (physical: [Int32], xtest: Int32?) {
        if let known { return known }
        let found = devices.list()
        known = found
        return found
    }

    /// A keyboard was plugged in or out.
    func noteRearranged() { known = nil }

    /// What is down on these keyboards of the user.
    func held(on physical: [Int32]) -> Set<UInt8> {
        connection.inquiries.ahead(physical.map(devices.keysQuestion))
        return Set(physical.flatMap(devices.pressedKeycodes(on:)))
    }

    /// Presses a key that the user holds, who will let go of it by themselves: a hotkey that is held to speak. Theirs
    /// repeats; ours must not.
    ///
    /// - Parameter xtest: the XTEST keyboard, where it repeats its keys; else nil.
    func press(_ keycode: UInt8, heldOn physical: [Int32], repeating xtest: Int32?) {
        if let xtest { control.setRepeat(false, of: xtest) }
        control.send(keycode, isDown: true)
        if let xtest { control.setRepeat(true, of: xtest) }
        // What was let go of between the answer and that press would stay down for ever.
        if held(on: physical).contains(keycode) {
            pressed.insert(keycode)
        } else {
            control.send(keycode, isDown: false)
        }
    }

    /// Releases what was pressed for the user, who has let go of it: for applications it is up already, but whatever else
    /// types by XTEST would find it down.
    func releaseForUser() {
        if pressed.isEmpty { return }
        let held = Set(plugged.physical.flatMap(devices.pressedKeycodes(on:)))
        for keycode in pressed.subtracting(held) { control.send(keycode, isDown: false) }
        pressed.formIntersection(held)
        connection.sync()
    }
}
