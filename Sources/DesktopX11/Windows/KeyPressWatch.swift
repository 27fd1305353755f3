import CX11
import DictationSystem

/// Waits for the next key that is pressed on a display, whichever window gets it: for measuring how soon it comes.
///
/// It belongs to one thread.
public final class KeyPressWatch {
    private let connection: DisplayConnection

    /// - Parameter display: such as ":0"; nil takes `DISPLAY`.
    /// - Throws: ``DesktopError``
    public init(display: String? = nil) throws {
        connection = try DisplayConnection(name: display)
        // The server sends events only to a client that has announced its version.
        _ = try KeyboardDevices(connection: connection)
    }

    /// Presses from now on count.
    ///
    /// - Throws: ``DesktopError/displayLost(name:)``
    public func begin() throws {
        connection.select([XI_RawKeyPress], of: Int32(XIAllMasterDevices))
        connection.sync()
        while connection.nextEvent() != nil {}
        try connection.checkAlive()
    }

    /// Returns when a key has been pressed since ``begin()``; further ones are not reported.
    ///
    /// - Returns: false if none was pressed within `limit`.
    public func wait(atMost limit: Duration) throws -> Bool {
        let deadline = ContinuousClock.now + limit
        defer {
            connection.select([], of: Int32(XIAllMasterDevices))
            connection.flush()
        }
        while connection.nextEvent() == nil {
            try connection.checkAlive()
            if deadline <= .now { return false }
            try connection.waitForInput(until: deadline)
        }
        return true
    }
}
