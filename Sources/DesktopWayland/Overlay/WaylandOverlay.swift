import CWayland
import Desktop
import DesktopX11
import Foundation

/// The overlay of a Wayland session, if the compositor has the layer shell (wlr-layer-shell): sway, Hyprland,
/// River, labwc, KDE. GNOME does not have it.
public struct WaylandOverlay: OverlayDisplay {
    private let socket: String

    /// - Parameter socket: the absolute path of the compositor's socket.
    public init(socket: String) { self.socket = socket }

    /// Whether the compositor can show it.
    public static func canShow(socket: String) -> Bool {
        guard let connection = try? WaylandConnection(socket: socket) else { return false }
        return connection.offers(LayerOverlay.interface)
    }

    /// - Throws: ``WaylandError``
    public func connect() throws -> any OverlaySurface {
        try LayerOverlay(WaylandConnection(socket: socket))
    }
}

extension DisplaySession {
    /// The display of the overlay in this session: the layer shell, or else a window of the X server, XWayland included; nil
    /// if there is neither.
    public func overlay(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> (any OverlayDisplay)? {
        if isWayland, let socket = Self.waylandSocket(environment), WaylandOverlay.canShow(socket: socket) {
            return WaylandOverlay(socket: socket)
        }
        return hasX11 ? X11Overlay(isRounded: !isWayland) : nil
    }
}
