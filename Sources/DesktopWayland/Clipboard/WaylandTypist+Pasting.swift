import Desktop
import DictationSystem
import Foundation

extension WaylandTypist {
    /// Inserts a text by the clipboard, and restores all formats of the clipboard when the window has read
    /// the text.
    ///
    /// - Parameters:
    ///   - isTerminal: there the key may paste the primary selection, so that is set too.
    ///   - taken: called as soon as the window has the text for good: record it there. Its error is rethrown
    ///     when everything is restored.
    /// - Throws: ``DesktopError/displayLost(name:)``, ``SystemError``
    public func paste(
        _ text: String, into window: WindowInfo, keys: PasteKeys, isTerminal: Bool,
        record: TypingRecord? = nil,
        taken: @Sendable () throws -> Void = {}
    ) throws -> PasteOutcome {
        guard let clipboard else { return .notPossible(.notOffered) }
        let former: ClipboardDesk.Former
        do {
            former = try clipboard.run { try $0.read(isTerminal ? Selection.allCases : [.clipboard]) }
        } catch is ClipboardReader.Unreadable {
            return .notPossible(.unreadable)
        }
        let passing = try PassingText(text, followers: clipboard.followers)
        clipboard.journal.note(former.compactMapValues { $0 })
        // Until we know that the window has it, or has not even seen the key.
        var mayComeLate = false
        defer {
            let silence = mayComeLate ? ContinuousClock.now + PasteTimes.late : nil
            try? clipboard.run { try $0.putBack(former, silentUntil: silence) }
            // An unsure paste stays noted until it is in the store.
            if !mayComeLate { clipboard.journal.note(pasting: nil) }
        }
        try clipboard.run { try $0.offer(passing, over: former) }
        waitForFollowers()
        guard !passing.isReplaced else { return .notPossible(.refused) }
        do {
            if let reason = try reasonToStop(typingInto: window) { return .stopped(reason) }
            mayComeLate = true
            clipboard.journal.note(pasting: record?.text)
            passing.keyIsPressed()
            let pressed = ContinuousClock.now
            keyboard.press(TypingKeymap.Stroke(keys))
            keyboard.release()
            // If the focus has moved since, it is unknown which window has got the key.
            guard try reasonToStop(typingInto: window) == nil else { return .unsure }
            guard try awaitReading(of: passing, by: window) else { return .unsure }
            // A page of Chromium drops a text that it has read when the clipboard changes right after that, as it does when we
            // are killed. A terminal never does.
            if !isTerminal { try linger(passing, PasteTimes.lingering(after: pressed.duration(to: .now))) }
        } catch WaylandError.notResponding {
            return mayComeLate ? .unsure : .stopped(.notResponding)
        }
        mayComeLate = false
        // It has got the key.
        unaware.remove(window.id)
        try taken()
        if isTerminal { try linger(passing, PasteTimes.lingering(after: .zero)) }
        return .pasted
    }

    /// Programs that follow the clipboard read it now. Nothing says when all of them have, so the time itself is waited for.
    func waitForFollowers() { Thread.sleep(forTimeInterval: PasteLimits.following / .seconds(1)) }

    /// - Returns: whether the window has read the text.
    private func awaitReading(of passing: PassingText, by window: WindowInfo) throws -> Bool {
        var deadline = ContinuousClock.now + PasteLimits.asking
        while !passing.isRead {
            guard !passing.isReplaced, toplevels.contains(window.id) else { return false }
            if let asked = passing.lastRequest { deadline = asked + PasteLimits.reading }
            guard try wait(for: passing, until: deadline) else { return false }
        }
        return true
    }

    /// Returns when the window has asked for nothing more for some time.
    private func linger(_ passing: PassingText, _ time: Duration) throws {
        let end = ContinuousClock.now + PasteLimits.reading
        while let last = passing.lastRequest, .now < end,
            try wait(for: passing, until: last + time)
        {}
    }

    /// - Returns: false when the time is over.
    private func wait(for passing: PassingText, until deadline: ContinuousClock.Instant) throws -> Bool {
        guard .now < deadline else { return false }
        let ready = try waitUntilReadable([passing.news.raw, connection.descriptor], until: deadline)
        passing.news.clear()
        if ready.contains(connection.descriptor) { try connection.handleEvents() }
        return true
    }
}

extension TypingKeymap.Stroke {
    /// The key that pastes.
    init(_ keys: PasteKeys) {
        switch keys {
        case .shiftInsert: self.init(key: 110, modifiers: TypingKeymap.shift)
        case .controlV: self.init(key: 47, modifiers: TypingKeymap.control)
        case .controlShiftV: self.init(key: 47, modifiers: TypingKeymap.control | TypingKeymap.shift)
        }
    }
}
