import DictationSystem
import Foundation

/// A graphical session as it was found: the servers that answer, and what they offer.
///
/// ```swift
/// let session = DisplaySession.current()
/// if session.isWayland { … }
/// ```
public struct DisplaySession: Equatable, Sendable {
    /// How an X server answers.
    public enum X11: Equatable, Sendable {
        /// `DISPLAY` is not set, or nobody answers there.
        case missing
        case reached
        /// It says of itself that it is XWayland.
        case reachedXWayland
    }

    /// A compositor that accepts connections.
    public struct WaylandCompositor: Equatable, Sendable {
        /// Nil if the environment does not name it.
        public var name: Compositor?
        /// Nil if it did not answer when it was asked for them.
        public var protocols: Set<WaylandProtocol>?

        public init(name: Compositor? = nil, protocols: Set<WaylandProtocol>? = []) {
            self.name = name
            self.protocols = protocols
        }
    }

    /// Which programs show their windows to assistive technology.
    public enum Accessibility: Equatable, Sendable {
        /// Those that always do, as GTK does.
        case some
        /// Also those that wait until it is turned on, as Qt does.
        case all
    }

    /// The windows of programs that speak Wayland themselves.
    public enum NativeWindows: Equatable, Sendable {
        /// They can be typed into: the compositor has the protocols for it.
        case reached
        /// Text can be put into those that show their text fields to assistive technology.
        case accessible
        case outOfReach
    }

    /// The server that `DISPLAY` names.
    public let x11: X11
    /// Nil if no Wayland compositor was found.
    public let compositor: WaylandCompositor?

    /// Whether programs show their windows to assistive technology; nil if there is no bus for that.
    public let accessibility: Accessibility?

    /// - Parameter compositor: nil if no compositor that the environment names accepts connections.
    public init(x11: X11, compositor: WaylandCompositor?, accessibility: Accessibility? = nil) {
        self.x11 = x11
        self.accessibility = accessibility
        // XWayland is never alone, even if the environment does not lead to its compositor.
        self.compositor = compositor ?? (x11 == .reachedXWayland ? WaylandCompositor() : nil)
    }

    /// There is no display server: a console, ssh, a system service.
    public var isNone: Bool { x11 == .missing && compositor == nil }

    /// Whether it is one of Wayland, with an X server for X11 programs or without.
    public var isWayland: Bool { compositor != nil }

    /// Whether an X server answers.
    public var hasX11: Bool { x11 != .missing }

    /// Nil in a session without Wayland.
    public var nativeWindows: NativeWindows? {
        compositor.map { compositor in
            let needed: Set<WaylandProtocol> = [.virtualKeyboard, .foreignToplevel]
            if compositor.protocols?.isSuperset(of: needed) == true { return .reached }
            return accessibility == nil ? .outOfReach : .accessible
        }
    }

    /// Why no window can be typed into, if none can.
    public var typingError: DesktopError? {
        guard let compositor, !hasX11, nativeWindows == .outOfReach else { return nil }
        return compositor.protocols == nil ? .compositorSilent : .waylandAlone
    }

    // MARK: Reaching the compositor

    /// Where the compositor listens, by the rules of wl_display_connect(3); nil if the environment names none.
    ///
    /// Unlike there, no name means no compositor: many machines have one that is not this session's.
    public static func waylandSocket(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        guard let name = environment["WAYLAND_DISPLAY"], !name.isEmpty else { return nil }
        if name.hasPrefix("/") { return name }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        return "\(folder)/\(name)"
    }

    /// Connects to a compositor's socket, and says nothing there.
    ///
    /// - Returns: nil if nobody accepts connections.
    public static func connection(toCompositorAt socketPath: String) -> Descriptor? {
        try? UnixAddress(socketPath).connect(.stream)
    }
}
