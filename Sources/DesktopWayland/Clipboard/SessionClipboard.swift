import Desktop
import DictationSystem

/// Pastes into X11 windows and into native ones, and copies for both.
struct SessionClipboard: ClipboardAccess {
    /// Nil if the compositor gives no access to its clipboards.
    let native: WaylandClipboard?
    /// Presses the key in native windows; nil if nothing can press one.
    let typist: WaylandTypist?
    let x11: (any ClipboardAccess)?

    func paste(
        _ text: String, into window: WindowInfo, keys: PasteKeys, isTerminal: Bool, record: TypingRecord,
        adding added: Int, taken: @escaping @Sendable () throws -> Void
    ) async throws -> PasteOutcome {
        guard window.isNative else {
            return try await x11?.paste(
                text, into: window, keys: keys, isTerminal: isTerminal, record: record, adding: added,
                taken: taken)
                ?? .notPossible(.notOffered)
        }
        return try await typist?.paste(
            text, into: window, keys: keys, isTerminal: isTerminal, record: record, taken: taken)
            ?? .notPossible(.notOffered)
    }

    /// X11 programs get the compositor's clipboard from XWayland.
    func copy(_ text: String) async throws {
        if let native { try await native.copy(text) } else { try await x11?.copy(text) }
    }

    func copyForAll(_ text: String) async throws -> String? {
        guard let native else { return try await x11?.copyForAll(text) }
        try await native.copy(text)
        return nil
    }
}

/// Copies the selection of X11 windows and native ones.
struct SessionSelection: SelectionCopying {
    let native: WaylandTypist
    let x11: (any SelectionCopying)?

    func copySelection(in window: WindowInfo) async throws -> CopyOutcome {
        if window.isNative { return try await native.copySelection(in: window) }
        return try await x11?.copySelection(in: window) ?? .notPossible("there is no X11 display")
    }
}
