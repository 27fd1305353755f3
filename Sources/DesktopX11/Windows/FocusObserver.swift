import Desktop
import DictationSystem

/// Tells which application window has the keyboard focus, without typing or listening to keys.
public actor FocusObserver: FocusReading, SelectionReading {
    private let executor = ThreadExecutor(name: "focus")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let inspector: FocusInspector
    private let clients: ClientProcesses

    /// - Parameter display: such as ":0"; nil takes `DISPLAY`.
    /// - Throws: ``DesktopError/noDisplay(name:)``
    public init(display: String? = nil) throws {
        let connection = try DisplayConnection(name: display)
        inspector = FocusInspector(connection: connection)
        clients = ClientProcesses(connection: connection)
    }

    /// Nil when no window has the focus.
    public func focusedWindow() -> WindowInfo? { inspector.focusedWindow() }

    public func selectedText(in window: WindowInfo) -> SelectedText {
        window.isNative ? .nothing : inspector.selectedText(in: UInt(window.id), clients)
    }
}
