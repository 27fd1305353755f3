import Desktop
import DesktopAccessibility
import DesktopX11
import DictationSystem
import Logging

extension InsertionBackend {
    /// The desktop of a session: X11 windows over XTest, and in a Wayland session native windows by the compositor's protocols
    /// for typing; without these, through the programs' interface for assistive technology.
    ///
    /// - Parameters:
    ///   - owner: typists of one owner follow each other, and never work at the same time.
    ///   - presence: whether the user is there.
    /// - Throws: ``DesktopError``
    public static func desktop(
        owner: String, session: DisplaySession, presence: any SessionPresence, logger: Logger
    ) throws -> InsertionBackend {
        guard session.isWayland else {
            return try .x11(owner: owner, display: session, presence: presence, logger: logger)
        }
        let x11 =
            session.hasX11
            ? try InsertionBackend.x11(owner: owner, display: session, presence: presence, logger: logger)
            : nil
        let clipboard = DisplaySession.waylandSocket().flatMap(WaylandClipboard.init)
        switch session.nativeWindows {
        case .reached:
            guard let socket = DisplaySession.waylandSocket() else { break }
            return try connect {
                let typist = try WaylandTypist(socket: socket, beside: x11?.typing, clipboard: clipboard)
                var backend = backend(
                    typist, presence,
                    SessionClipboard(native: clipboard, typist: typist, x11: x11?.clipboard), over: x11)
                backend.selection = SessionSelection(native: typist, x11: x11?.selection)
                return backend
            }
        case .accessible:
            guard let typist = try? AccessibleTypist(beside: x11?.typing) else { break }
            return backend(
                typist, presence, SessionClipboard(native: clipboard, typist: nil, x11: x11?.clipboard),
                over: x11)
        case .outOfReach, nil: break
        }
        guard var x11 else { throw session.typingError ?? .waylandAlone }
        x11.clipboard = SessionClipboard(native: clipboard, typist: nil, x11: x11.clipboard)
        return x11
    }

    /// Both kinds of windows, if there are both.
    private static func backend(
        _ native: some NativeTyping, _ presence: any SessionPresence, _ clipboard: SessionClipboard,
        over x11: InsertionBackend?
    ) -> InsertionBackend {
        func session(with x11: some TextTyping) -> any TextTyping { SessionTypist(x11: x11, native: native) }
        return InsertionBackend(
            summary: "It types into the window that has the focus.",
            typing: x11.map { session(with: $0.typing) } ?? native,
            windows: NativeWindows(typist: native, x11: x11?.windows), session: presence,
            undo: NativeUndo(typist: native, x11: x11?.undo), keyboard: x11?.keyboard, clipboard: clipboard,
            selection: x11?.selection,
            command: x11?.command, hotkeys: x11?.hotkeys)
    }

    /// A compositor that offered the protocols a moment ago has gone if they cannot be used.
    private static func connect<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch is WaylandError {
            throw DesktopError.displayLost(name: DisplaySession.waylandSocket() ?? "")
        }
    }
}

private struct NativeWindows: WindowFocus {
    let typist: any NativeTyping
    let x11: (any WindowFocus)?

    var seesEveryWindow: Bool { typist.seesEveryWindow }

    /// While a native window has the focus, no X11 window has.
    func focusedWindow() async throws -> WindowInfo? {
        if let window = try await x11?.focusedWindow() { return window }
        return try await typist.focusedWindow()
    }

    func activate(_ window: WindowInfo) async throws -> Bool {
        if window.isNative { return try await typist.activate(window) }
        return try await x11?.activate(window) ?? false
    }

    /// Only X11 windows are waited for: host-agent sees no others, where a dictation begins.
    func waitForFocus(of window: WindowInfo, within limit: Duration) async throws -> Bool {
        try await x11?.waitForFocus(of: window, within: limit) ?? false
    }

    func watchTouches(of window: WindowInfo) -> (any TouchWatching)? {
        window.isNative ? typist.watchTouches(of: window) : x11?.watchTouches(of: window)
    }
}

private struct NativeUndo: TextUndo {
    let typist: any NativeTyping
    let x11: (any TextUndo)?

    func isBeforeCaret(_ text: String, in window: WindowInfo) async throws -> Bool? {
        if window.isNative { return try await typist.isBeforeCaret(text, in: window) }
        return try await x11?.isBeforeCaret(text, in: window)
    }

    func undo(
        _ text: String, in window: WindowInfo, record: TypingRecord?, removing: @Sendable (Int) -> Void
    ) async throws -> TypingOutcome {
        if window.isNative {
            return try await typist.undo(text, in: window, record: record, removing: removing)
        }
        return try await x11?.undo(text, in: window, record: record, removing: removing)
            ?? .stopped(0, reason: .noFocus)
    }

    func select(_ text: String, in window: WindowInfo) async throws -> TypingOutcome? {
        if window.isNative { return try await typist.select(text, in: window) }
        return try await x11?.select(text, in: window)
    }
}
