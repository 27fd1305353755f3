import Desktop
import DictationSystem
import Logging

extension InsertionBackend {
    /// The X11 display that `DISPLAY` names. First undoes the changes that a killed typist has left there.
    ///
    /// - Parameters:
    ///   - owner: typists of one owner follow each other, and never work at the same time.
    ///   - presence: whether the user is there.
    /// - Throws: ``DesktopError``
    public static func x11(
        owner: String, display: DisplaySession, presence: any SessionPresence, logger: Logger
    ) throws -> InsertionBackend {
        let typist = try Typist(owner: owner, isXWayland: display.isWayland)
        return InsertionBackend(
            summary: "It types into the window that has the focus.", typing: typist,
            windows: X11Windows(typist: typist, seesEveryWindow: !display.isWayland), session: presence,
            undo: typist, keyboard: typist,
            clipboard: X11Clipboard(typist: typist, isWayland: display.isWayland), selection: typist,
            command: Xdotool(),
            hotkeys: X11Hotkeys(logger: logger))
    }
}

private struct X11Windows: WindowFocus {
    let typist: Typist
    let seesEveryWindow: Bool

    func focusedWindow() async throws -> WindowInfo? { try await typist.focusedWindow() }

    func activate(_ window: WindowInfo) async throws -> Bool { try await typist.activate(window) }

    func waitForFocus(of window: WindowInfo, within limit: Duration) async throws -> Bool {
        try await DesktopWait(forFocusOf: window, within: limit, display: typist.displayName).value()
    }

    func watchTouches(of window: WindowInfo) -> (any TouchWatching)? {
        try? TouchWatch(window, display: typist.displayName)
    }
}

private struct X11Clipboard: ClipboardAccess {
    let typist: Typist
    let isWayland: Bool

    func paste(
        _ text: String, into window: WindowInfo, keys: PasteKeys, isTerminal: Bool, record: TypingRecord,
        adding added: Int, taken: @escaping @Sendable () throws -> Void
    ) async throws -> PasteOutcome {
        try await typist.paste(
            text, into: window, keys: keys, isTerminal: isTerminal, record: record, adding: added,
            taken: taken)
    }

    func copy(_ text: String) async throws { try await typist.copy(text) }

    func copyForAll(_ text: String) async throws -> String? {
        try await typist.copy(text)
        guard isWayland, let problem = await WaylandClipboard.copy(text) else { return nil }
        // An X11 window that has the focus gets it all the same.
        return try await typist.focusedWindow() == nil ? problem : nil
    }
}

/// Hotkeys of the X11 display that `DISPLAY` names. Those that its keyboard layout lacks are waited for.
public struct X11Hotkeys: HotkeyGrabbing {
    private let logger: Logger

    public init(logger: Logger) { self.logger = logger }

    public func grab(_ hotkeys: [Hotkey]) throws -> any GrabbedHotkeys {
        try HotkeyListener(hotkeys: hotkeys, mayBeMissing: true, logger: logger)
    }
}
