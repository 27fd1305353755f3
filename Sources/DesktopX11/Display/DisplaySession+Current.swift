import CX11
import Desktop
import Foundation

extension DisplaySession {
    /// The session of this environment, by what can be connected to now.
    public static func current(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> DisplaySession {
        DisplaySession(x11: x11(environment["DISPLAY"]), hasWayland: hasWayland(environment))
    }

    private static func x11(_ name: String?) -> X11 {
        guard let name, !name.isEmpty, let connection = try? DisplayConnection(name: name) else {
            return .missing
        }
        var numbers: (opcode: Int32, event: Int32, error: Int32) = (0, 0, 0)
        // XWayland has this since 23.1. Before that, the compositor's socket tells.
        let isXWayland = XQueryExtension(
            connection.display, "XWAYLAND", &numbers.opcode, &numbers.event, &numbers.error)
        return isXWayland == 0 ? .reached : .reachedXWayland
    }
}
