import CX11

/// The user's keyboards, detached from the one that applications see, so that programs can type while a
/// hotkey is held.
///
/// A held hotkey has that keyboard for itself: all keys that are pressed on it come to the client
/// that grabbed the hotkey. So the user's own keyboards are grabbed one by one, which detaches them. Then the
/// key is released on the keyboard that applications see, which ends its grab:
///
///     the user's keyboard  F9 ──────── repeats ─────── released   ► all of it comes here
///     what applications see  F9 down ─┐ up: no window has seen it
///     XTEST                           └─ letters ►  into the focused window
///
/// Neither F9's repetitions nor its release can come between the letters, and no modifier of the user's. The server gives
/// the keyboards back when this process ends.
struct SetAsideKeyboards {
    private let devices: KeyboardDevices
    private let grabbed: [Int32]
    private let keycode: UInt8

    /// Sets them aside if only the key is held.
    ///
    /// - Parameter keycode: of the hotkey that this client has grabbed and that is down.
    /// - Returns: nil if that is not safe: a modifier is held, or another key; the key is held on no keyboard of the
    ///   user's, but by a program; another program has one of the keyboards; or a compositor has their keys, and gives them
    ///   only while an X11 window is focused.
    init?(holding keycode: UInt8, _ devices: KeyboardDevices, in connection: DisplayConnection) {
        guard let control = try? KeyboardControl(connection: connection), control.state().base_mods == 0,
            !devices.areOfXWayland
        else { return nil }
        let (physical, _) = devices.list()
        guard Set(physical.flatMap(devices.pressedKeycodes)) == [keycode] else { return nil }
        let grabbed = devices.grab(physical)
        (self.devices, self.grabbed, self.keycode) = (devices, grabbed, keycode)
        // One that was released until now has come the usual way; one that is released from now on comes here.
        guard grabbed == physical, isDown else {
            giveBack()
            return nil
        }
        control.send(keycode, isDown: false)
        connection.sync()
    }

    /// Whether the user still holds the key, on one of the keyboards.
    var isDown: Bool { grabbed.contains { devices.pressedKeycodes(on: $0).contains(keycode) } }

    func giveBack() { devices.ungrab(grabbed) }
}
