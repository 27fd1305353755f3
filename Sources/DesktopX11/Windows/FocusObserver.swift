import Desktop
import DictationSystem

/// Tells which application window has the keyboard focus, without typing or listening to keys.
public actor FocusObserver: FocusReading {
    private let executor = ThreadExecutor(name: "focus")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let inspector: FocusInspector

    /// - Parameter display: such as ":0"; nil takes `DISPLAY`.
    /// - Throws: ``DesktopError/noDisplay(name:)``
    public init(display: String? = nil) throws {
        inspector = FocusInspector(connection: try DisplayConnection(name: display))
    }

    /// Nil when no window has the focus.
    public func focusedWindow() -> WindowInfo? { inspector.focusedWindow() }
}
