import Desktop
import DesktopX11
import DictationSystem
import Logging

extension InsertionBackend {
    /// The desktop of a session: X11 windows over XTest, and in a Wayland session native windows by a virtual keyboard, where
    /// the compositor has the protocols for it.
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
        guard session.nativeWindows == .reached, let socket = DisplaySession.waylandSocket() else {
            guard var x11 else { throw DesktopError.waylandAlone }
            x11.clipboard = SessionClipboard(native: clipboard, typist: nil, x11: x11.clipboard)
            return x11
        }
        guard let x11 else {
            let typist = try connect { try WaylandTypist(socket: socket, clipboard: clipboard) }
            return InsertionBackend(
                summary: readyMessage, typing: typist, windows: NativeWindows(typist: typist, x11: nil),
                session: presence, undo: NativeUndo(typist: typist, x11: nil),
                clipboard: clipboard.map { SessionClipboard(native: $0, typist: typist, x11: nil) })
        }
        return try connect { try over(x11, x11.typing, socket: socket, clipboard: clipboard) }
    }

    private static let readyMessage = "It types into the window that has the focus."

    private static func over(
        _ x11: InsertionBackend, _ typing: some TextTyping, socket: String, clipboard: WaylandClipboard?
    ) throws -> InsertionBackend {
        let typist = try WaylandTypist(socket: socket, beside: typing, clipboard: clipboard)
        return InsertionBackend(
            summary: x11.summary, typing: SessionTypist(x11: typing, native: typist),
            windows: NativeWindows(typist: typist, x11: x11.windows), session: x11.session,
            undo: NativeUndo(typist: typist, x11: x11.undo), keyboard: x11.keyboard,
            clipboard: SessionClipboard(native: clipboard, typist: typist, x11: x11.clipboard),
            command: x11.command, hotkeys: x11.hotkeys)
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
    let typist: WaylandTypist
    let x11: (any WindowFocus)?

    let seesEveryWindow = true

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
    func waitForFocus(of window: UInt64, within limit: Duration) async throws {
        try await x11?.waitForFocus(of: window, within: limit)
    }

    func watchTouches(of window: WindowInfo) -> (any TouchWatching)? {
        window.isNative ? FocusTouch(typist.focusChanges) : x11?.watchTouches(of: window)
    }
}

private struct NativeUndo: TextUndo {
    let typist: WaylandTypist
    let x11: (any TextUndo)?

    func isBeforeCaret(_ text: String, in window: WindowInfo) async throws -> Bool? {
        if window.isNative { return try await typist.isBeforeCaret(text, in: window) }
        return try await x11?.isBeforeCaret(text, in: window)
    }

    func undo(_ text: String, in window: WindowInfo) async throws -> TypingOutcome {
        if window.isNative { return try await typist.undo(text, in: window) }
        return try await x11?.undo(text, in: window) ?? .stopped(0, reason: .noFocus)
    }
}
