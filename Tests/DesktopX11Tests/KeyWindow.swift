import CX11
import Testing

@testable import DesktopX11

/// A window that keeps every key that is pressed in it. Keys that stay down repeat at once on its display.
final class KeyWindow {
    private let connection: DisplayConnection

    init(on display: TestDisplay) throws {
        connection = try DisplayConnection(name: display.name)
        let window = XCreateSimpleWindow(
            connection.display, connection.root, 0, 0, 100, 100, 0, 0, 0)
        XSelectInput(connection.display, window, KeyPressMask | KeyReleaseMask | ExposureMask)
        XMapWindow(connection.display, window)
        // As quick as possible: every key that is down for long enough repeats.
        XkbSetAutoRepeatRate(connection.display, UInt32(XkbUseCoreKbd), 1, 1)
        connection.sync()
        XSetInputFocus(connection.display, window, Int32(RevertToNone), Time(CurrentTime))
        connection.sync()
    }

    /// The keys pressed since the last call, modifiers left out.
    func pressed() throws -> [UInt8] {
        connection.sync()
        let keyboard = try TypingKeyboard(connection: connection)
        try keyboard.refresh()
        return keys().filter { $0.isDown && !keyboard.layout.isModifier($0.keycode) }.map(\.keycode)
    }

    /// The keys pressed and released since the last call.
    func keys() -> [(keycode: UInt8, isDown: Bool)] {
        connection.sync()
        var keys: [(keycode: UInt8, isDown: Bool)] = []
        while let event = connection.nextEvent() {
            guard event.type == KeyPress || event.type == KeyRelease else { continue }
            keys.append((UInt8(event.xkey.keycode), event.type == KeyPress))
        }
        return keys
    }
}
