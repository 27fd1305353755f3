import DictationSystem

/// Types into the windows that speak Wayland themselves, and knows which of them has the focus.
public protocol NativeTyping: TextTyping, TextUndo {
    /// Whether every native window can be seen.
    nonisolated var seesEveryWindow: Bool { get }

    /// The native window that has the focus; nil when none has.
    func focusedWindow() throws -> WindowInfo?

    /// Gives a window the focus.
    ///
    /// - Returns: whether it has it.
    func activate(_ window: WindowInfo) throws -> Bool

    /// Watches the keys and clicks in a window from now on; nil if they cannot be watched.
    nonisolated func watchTouches(of window: WindowInfo) -> (any TouchWatching)?
}

/// The thread that a typist works on: its own, or that of another one, so that the two never work at the same time.
public enum TypistPlace: Sendable {
    case ownThread(ThreadExecutor)
    /// The thread of this typist.
    case beside(any TextTyping)

    /// - Parameter name: the name of the thread, if it is the typist's own.
    public init(beside companion: (any TextTyping)?, orOnThread name: String) {
        self = companion.map(TypistPlace.beside) ?? .ownThread(ThreadExecutor(name: name))
    }

    public var executor: UnownedSerialExecutor {
        switch self {
        case .ownThread(let executor): executor.asUnownedSerialExecutor()
        case .beside(let companion): companion.unownedExecutor
        }
    }
}
