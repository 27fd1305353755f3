import Desktop
import DesktopX11
import Foundation

extension DisplaySession {
    /// The session of this environment, by what can be connected to now.
    public static func current(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> DisplaySession {
        DisplaySession(x11: x11(environment), nativeWindows: nativeWindows(environment))
    }

    private static func nativeWindows(_ environment: [String: String]) -> NativeWindows? {
        guard let socket = waylandSocket(environment), hasWayland(environment) else { return nil }
        return WaylandTypist.canType(socket: socket) ? .reached : .outOfReach
    }
}
