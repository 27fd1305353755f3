import CX11
import Synchronization

/// The keyboard of the user of a display: any except the one of XTEST, on which programs type. Keys of both
/// come to the same windows, but a program can take this one away from them, and a key that is held here
/// counts as held by the user.
///
/// It has one connection, from before any typing. A thread of this process that opened one while another
/// thread has grabbed the server would stop both forever: Xlib holds a lock of the process while it waits for
/// the server's answer.
public final class UserKeyboard: Sendable {
    /// It is closed with the process: the server may be gone before, and closing a lost connection ends the process.
    private let connection: Mutex<OpaquePointer>
    private let device: XID

    /// The reason why a key could not be pressed.
    public enum Problem: Error {
        case noDisplay(String)
        case noKeyboard
        case noSuchKey(String)
    }

    /// Create it while the keyboard is not grabbed: a grabbed one cannot be found.
    ///
    /// - Parameter display: such as ":99".
    /// - Throws: ``Problem``
    public init(of display: String) throws {
        guard let connection = XOpenDisplay(display) else { throw Problem.noDisplay(display) }
        device = try Self.find(on: connection)
        self.connection = Mutex(connection)
    }

    private static func find(on connection: OpaquePointer) throws -> XID {
        var count: Int32 = 0
        guard let devices = XIQueryDevice(connection, XIAllDevices, &count) else { throw Problem.noKeyboard }
        defer { XIFreeDeviceInfo(devices) }
        let own = UnsafeBufferPointer(start: devices, count: Int(count)).first {
            $0.use == XISlaveKeyboard && !String(cString: $0.name).contains("XTEST")
        }
        guard let own else { throw Problem.noKeyboard }
        return XID(own.deviceid)
    }

    /// Presses or releases a key; the server has done it when this returns.
    ///
    /// - Parameter when: called when all is ready for it; may block.
    /// - Throws: ``Problem``
    public func send(keycode: UInt32, isDown: Bool, when: () -> Void = {}) throws {
        try connection.withLock { connection in
            guard let opened = XOpenDevice(connection, device) else { throw Problem.noKeyboard }
            defer { XCloseDevice(connection, opened) }
            var axes: Int32 = 0
            XSync(connection, 0)
            when()
            XTestFakeDeviceKeyEvent(connection, opened, keycode, isDown ? 1 : 0, &axes, 0, 0)
            XSync(connection, 0)
        }
    }

    /// - Parameter key: the X name of a keysym, such as `F9`.
    /// - Throws: ``Problem``
    public func press(_ key: String) throws { try send(keycode: keycode(of: key), isDown: true) }
    public func release(_ key: String) throws { try send(keycode: keycode(of: key), isDown: false) }

    private func keycode(of key: String) throws -> UInt32 {
        try connection.withLock { connection in
            let keycode = XKeysymToKeycode(connection, XStringToKeysym(key))
            guard keycode != 0 else { throw Problem.noSuchKey(key) }
            return UInt32(keycode)
        }
    }
}
