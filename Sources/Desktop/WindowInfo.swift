/// A window as the user knows it: the one that the window manager decorates, not its inner parts.
public struct WindowInfo: Equatable, Sendable {
    /// The window's number on its display.
    public let id: UInt64
    /// The class part of `WM_CLASS`, such as "XTerm"; empty where the window has none.
    public let windowClass: String
    public let title: String
    /// The process that says it owns the window.
    public let pid: Int32?

    /// X11's window numbers have 32 bits; those of windows that speak Wayland themselves begin here.
    public static let firstNativeID: UInt64 = 1 << 40

    /// Whether it speaks Wayland itself.
    public var isNative: Bool { id >= Self.firstNativeID }

    public init(id: UInt64, windowClass: String, title: String, pid: Int32? = nil) {
        self.id = id
        self.windowClass = windowClass
        self.title = title
        self.pid = pid
    }
}
