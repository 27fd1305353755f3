import Desktop
import DictationSystem
import Foundation

extension WaylandTypist: SelectionCopying {
    /// Copies the selected text of the focused window by Ctrl+Insert, and restores the clipboard.
    ///
    /// The compositor does not report which window a selection belongs to, and no program reports that it has
    /// read a key. So a copy counts if the clipboard changes after the key, and if the compositor reports the
    /// last selection, that must be the same text: an editor that copies its line when nothing is selected
    /// has not selected it.
    ///
    /// - Throws: ``DesktopError/displayLost(name:)``, ``SystemError``
    public func copySelection(in window: WindowInfo) async throws -> CopyOutcome {
        guard let clipboard else {
            return .notPossible("the compositor gives no access to its clipboard")
        }
        return try tellingLoss { try copySelection(in: window, by: clipboard) }
    }

    private func copySelection(
        in window: WindowInfo, by clipboard: WaylandClipboard
    ) throws -> CopyOutcome {
        if unaware.contains(window.id) {
            _ = try field(of: window)
            releaseField()
            if unaware.contains(window.id) { return .stopped(.keyboardUnknown) }
        }
        let selection = try clipboard.run { try $0.lastSelection() }
        // The window would copy nothing.
        if selection == .none { return .nothing }
        let former: ClipboardContent?
        do {
            former = try clipboard.run { try $0.read([.clipboard])[.clipboard] ?? nil }
        } catch is ClipboardReader.Unreadable {
            return .notPossible("the clipboard cannot be read, so it could not be restored")
        }
        let watch = try CopyWatch()
        clipboard.journal.note(former.map { [.clipboard: $0] } ?? [:], copied: Date())
        var isCopied = false
        defer {
            let isCopied = isCopied
            try? clipboard.run { try $0.putBack(former, behindCopy: isCopied) }
        }
        try clipboard.run { try $0.stand(for: former, watch) }
        waitForFollowers()
        guard !watch.hasCopied else {
            return .notPossible("another program takes over the clipboard")
        }
        do {
            if let reason = try reasonToStop(typingInto: window) { return .stopped(reason) }
            keyboard.press(.copy)
            keyboard.release()
            isCopied = try awaitCopy(watch)
            // If the focus has moved since, it is unknown which window has got the key.
            if let reason = try reasonToStop(typingInto: window) { return .stopped(reason) }
        } catch WaylandError.notResponding {
            return .stopped(.notResponding)
        }
        guard isCopied else { return .nothing }
        guard let text = try clipboard.run({ try $0.offeredText(.clipboard) }) else { return .unreadable }
        switch selection {
        case .text(let selected): return selected.utf8.elementsEqual(text.utf8) ? .copied(text) : .nothing
        // A line with its end is what editors copy when nothing is selected.
        case .unknown: return text.hasSuffix("\n") ? .nothing : .copied(text)
        case .unreadable, .none: return .unreadable
        }
    }

    /// - Returns: whether something was copied in time.
    private func awaitCopy(_ watch: CopyWatch) throws -> Bool {
        let deadline = ContinuousClock.now + PasteLimits.asking
        try connection.handleEvents()
        while !watch.hasCopied {
            guard .now < deadline else { return false }
            let ready = try waitUntilReadable([watch.news.raw, connection.descriptor], until: deadline)
            if ready.contains(connection.descriptor) { try connection.handleEvents() }
        }
        return true
    }
}

extension TypingKeymap.Stroke {
    /// Ctrl+Insert copies in all toolkits and browsers, and interrupts nothing in a terminal that is not known as one.
    fileprivate static let copy = Self(key: 110, modifiers: TypingKeymap.control)
}
