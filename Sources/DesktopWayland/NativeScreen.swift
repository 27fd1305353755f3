import Desktop
import DictationSystem
import Glibc

/// Reads the focused native window and the selection, each time by a connection that is then closed. It
/// neither types nor follows events, so it costs nothing in between.
public actor NativeScreen: FocusReading, SelectionReading {
    private let executor = ThreadExecutor(name: "native-screen")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let socket: String

    /// Whether the selection can be read too.
    public nonisolated let seesSelections: Bool

    /// A busier compositor answers later than is worth waiting for.
    private static let limit: Duration = .milliseconds(500)

    /// - Parameter socket: the absolute path of the compositor's socket.
    /// - Returns: nil if the compositor does not report the focused window.
    public init?(socket: String) {
        guard let connection = try? WaylandConnection(socket: socket), connection.offers(Toplevels.interface)
        else { return nil }
        self.socket = socket
        seesSelections = DataControl.isOffered(by: connection)
    }

    /// That of this session; nil if there is none, or its compositor does not report the focused window.
    public static func current() -> NativeScreen? {
        DisplaySession.waylandSocket().flatMap { NativeScreen(socket: $0) }
    }

    /// The number of the window holds for this look only.
    ///
    /// - Throws: ``WaylandError``
    public func focusedWindow() throws -> WindowInfo? {
        let connection = try WaylandConnection(socket: socket, within: Self.limit)
        return try Toplevels(connection, focusChanges: FocusChanges(), within: Self.limit).focused
    }

    /// The selected text of any window: compositors do not report which one. Text that is marked as a
    /// password is left out.
    ///
    /// - Throws: ``WaylandError``, ``SystemError``
    public func selectedText(in window: WindowInfo) throws -> SelectedText {
        let connection = try WaylandConnection(socket: socket, within: Self.limit)
        guard DataControl.isOffered(by: connection) else { return .nothing }
        let control = try DataControl(connection, within: Self.limit)
        guard let offer = control.offer(.primary) else { return .nothing }
        let reader = ClipboardReader(connection: connection, abandon: Self.readToEnd)
        guard let content = try? reader.read(offer), !content.isSecret else { return .unreadable }
        let text = Self.textTypes.lazy.compactMap { content.data(for: $0) }.first
            .flatMap { String(validating: $0, as: UTF8.self) }
        guard let text, text.utf8.count <= SelectedText.sizeLimit else { return .unreadable }
        return text.isEmpty ? .nothing : .text(text)
    }

    /// The best first.
    private static let textTypes = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"]

    /// A program whose output is not read may exit.
    private static func readToEnd(_ pipe: Descriptor) {
        startThread(named: "selection") { while !ClipboardReader.isAtEnd(pipe) {} }
    }
}
