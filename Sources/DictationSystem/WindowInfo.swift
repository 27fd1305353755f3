/// A window from the user's view, at one moment: the one that the window manager decorates, not its inner
/// parts.
///
/// The display finds it, the store keeps it, and the agents compare it, so it lives below them all.
public struct WindowInfo: Equatable, Sendable {
    /// The window's number on its display.
    public let id: UInt64
    /// The class part of `WM_CLASS`, such as "XTerm"; empty if the window has none.
    public let windowClass: String
    public let title: String
    /// The process that says it owns the window.
    public let pid: Int32?

    public init(id: UInt64, windowClass: String, title: String, pid: Int32? = nil) {
        self.id = id
        self.windowClass = windowClass
        self.title = title
        self.pid = pid
    }

    /// Whether both are the same window. The display gives the number of a closed window to another program's, so the number
    /// alone does not tell. A window of an unknown process may be either's.
    public func isSameWindow(as other: WindowInfo?) -> Bool {
        guard let other, id == other.id else { return false }
        return pid == other.pid || pid == nil || other.pid == nil
    }
}
