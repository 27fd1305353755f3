import DictationSystem
import Foundation
import Glibc

/// The kind of graphical session that a program runs in, and so what dictation can do there.
///
/// ```swift
/// switch DisplaySession.current() { case .x11: … }
/// ```
public enum DisplaySession: Equatable, Sendable {
    /// Every window can be typed into, and the hotkey is heard everywhere.
    case x11
    /// A Wayland compositor, with an X server for X11 programs or without. The hotkey works only while an X11 window is
    /// focused.
    case wayland(hasX11: Bool, NativeWindows)
    /// There is no display server: a console, ssh, a system service.
    case none

    /// How an X server answers.
    public enum X11: Equatable, Sendable {
        /// `DISPLAY` is not set, or nobody answers there.
        case missing
        case reached
        /// It says of itself that it is XWayland.
        case reachedXWayland
    }

    /// The windows of programs that speak Wayland themselves.
    public enum NativeWindows: Equatable, Sendable {
        /// They can be typed into: the compositor has the protocols for it.
        case reached
        case outOfReach
    }

    /// - Parameters:
    ///   - x11: the server that `DISPLAY` names.
    ///   - nativeWindows: nil where no compositor that the environment names accepts connections.
    public init(x11: X11, nativeWindows: NativeWindows?) {
        self =
            switch (x11, nativeWindows) {
            case (.reachedXWayland, let windows): .wayland(hasX11: true, windows ?? .outOfReach)
            case (.reached, let windows?): .wayland(hasX11: true, windows)
            case (.reached, nil): .x11
            case (.missing, let windows?): .wayland(hasX11: false, windows)
            case (.missing, nil): .none
            }
    }

    /// Whether it is one of Wayland.
    public var isWayland: Bool { if case .wayland = self { true } else { false } }

    /// Whether an X server answers, so that there is a hotkey.
    public var hasX11: Bool {
        switch self {
        case .x11, .wayland(hasX11: true, _): true
        case .wayland(hasX11: false, _), .none: false
        }
    }

    /// What a user must know of it; nil where nothing is restricted, or there is no session.
    public var restriction: String? {
        switch self {
        case .x11, .none: nil
        case .wayland(hasX11: true, .reached):
            "this is a Wayland session: the hotkey is heard only while an X11 window (XWayland) has the focus"
        case .wayland(hasX11: false, .reached):
            "this is a Wayland session without XWayland: there is no hotkey"
        case .wayland(hasX11: true, .outOfReach):
            "this is a Wayland session: only X11 windows (XWayland) can be dictated into, and the hotkey is heard only "
                + "while one of them has the focus"
        case .wayland(hasX11: false, .outOfReach):
            "this is a Wayland session without XWayland: no window can be typed into, and there is no hotkey"
        }
    }

    /// How to dictate anyway; nil where nothing is restricted.
    public var advice: String? {
        switch self {
        case .x11, .none: nil
        case .wayland(_, .reached):
            "Bind dictstate start and dictstate stop to the press and the release of a key of the compositor: that works "
                + "everywhere."
        case .wayland(hasX11: true, .outOfReach):
            "Bind dictstate toggle to a key of the compositor: it works everywhere. For other windows the text is held: "
                + "dictstate copy puts it on the clipboard, and dictstate stop --copy does so at once."
        case .wayland(hasX11: false, .outOfReach):
            "Turn XWayland on in the compositor; or bind dictstate start to a key, and to another one: "
                + "sh -c 'dictstate stop --print | wl-copy'"
        }
    }

    /// Both, as a line of a log or an error; nil where nothing is restricted.
    public var logLine: String? {
        guard let restriction, let advice else { return nil }
        return "\(restriction). \(advice)"
    }

    // MARK: Reaching the compositor

    /// Where the compositor listens, by the rules of wl_display_connect(3); nil where the environment names none.
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

    /// Whether the compositor that the environment names accepts connections.
    public static func hasWayland(_ environment: [String: String]) -> Bool {
        waylandSocket(environment).map(accepts) ?? false
    }

    private static func accepts(_ socketPath: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(socketPath.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let opened = try? Descriptor.opening("connect to the compositor") {
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }
        guard let opened else { return false }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(opened.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
