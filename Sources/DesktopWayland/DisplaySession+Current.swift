import Desktop
import DesktopAccessibility
import DesktopX11
import Foundation

extension DisplaySession {
    /// The session of this environment, by what can be connected to now.
    public static func current(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> DisplaySession {
        let session = DisplaySession(x11: x11(environment), compositor: compositor(environment))
        guard session.nativeWindows == .outOfReach else { return session }
        return DisplaySession(
            x11: session.x11, compositor: session.compositor, accessibility: .current())
    }

    /// Waits until the compositor of this session has done all that came to it before; there may be none.
    ///
    /// - Returns: false if it does not answer in time.
    public static func hasCompositorAnswered() -> Bool {
        guard let socket = waylandSocket() else { return true }
        return (try? WaylandConnection(socket: socket)) != nil
    }

    private static func compositor(_ environment: [String: String]) -> WaylandCompositor? {
        guard let socket = waylandSocket(environment), connection(toCompositorAt: socket) != nil else {
            return nil
        }
        return WaylandCompositor(name: Compositor(environment), protocols: protocols(socket: socket))
    }

    private static func protocols(socket: String) -> Set<WaylandProtocol>? {
        guard let connection = try? WaylandConnection(socket: socket) else { return nil }
        return Set(WaylandProtocol.allCases.filter { connection.offers($0.rawValue) })
    }
}
