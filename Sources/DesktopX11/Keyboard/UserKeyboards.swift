import CX11
import Desktop

/// The user's keyboards, and the keys that are held for the user on the keyboard of XTEST.
final class UserKeyboards {
    let devices: KeyboardDevices
    private let connection: DisplayConnection
    private let control: KeyboardControl
    /// Nil when the server must be asked.
    private var known: (physical: [Int32], xtest: Int32?)?
    /// Keys that the user holds and that were pressed for them.
    private var pressed: Set<UInt8> = []
    /// The keyboards whose presses are reported.
    private var watched: [Int32] = []

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

    /// The keys that are down on these keyboards.
    func held(on physical: [Int32]) -> Set<UInt8> {
        connection.inquiries.ahead(physical.map(devices.keysQuestion))
        return Set(physical.flatMap(devices.pressedKeycodes(on:)))
    }

    /// Presses a key that the user still holds, such as a hotkey held to speak. Their own release ends it. Their key
    /// repeats; ours must not: this is for a moment in which auto-repeat is off.
    func press(_ keycode: UInt8, heldOn physical: [Int32]) {
        control.send(keycode, isDown: true)
        // If it was released between the answer and our press, it would stay down forever.
        if held(on: physical).contains(keycode) {
            pressed.insert(keycode)
        } else {
            control.send(keycode, isDown: false)
        }
    }

    /// Releases the keys that were pressed for the user and that the user has released. For applications they are up
    /// already, but another program that types by XTEST would find them down.
    func releaseForUser() {
        if pressed.isEmpty { return }
        let held = Set(plugged.physical.flatMap(devices.pressedKeycodes(on:)))
        for keycode in pressed.subtracting(held) { control.send(keycode, isDown: false) }
        pressed.formIntersection(held)
        connection.sync()
    }

    /// Makes the server report every press on these keyboards, for any window; see
    /// ``KeyboardDevices/rawPress(_:)``.
    func watchPresses(on keyboards: [Int32]) {
        for device in keyboards { connection.select([XI_RawKeyPress], of: device) }
        watched = keyboards
    }

    /// Call it soon: otherwise each of the user's keys is reported, and nothing reads the reports.
    func stopWatching() {
        if watched.isEmpty { return }
        for device in watched { connection.select([], of: device) }
        watched = []
        connection.flush()
    }
}
