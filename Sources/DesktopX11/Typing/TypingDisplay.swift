import CX11
import Desktop
import DictationSystem

/// The X11 side of ``Typist``: finds the window that is meant, and has a text typed or pasted there.
final class TypingDisplay {
    private let context: TypingContext
    private let unread: UnreadTexts
    private var predecessors: Predecessors
    /// Typing gives way to it.
    var hotkeys: [Hotkey] = []

    init(
        name: String?, owner: String, isXWayland: Bool, answerLimit: Duration,
        whenRead: @escaping @Sendable () -> Void
    ) throws {
        context = try TypingContext(
            display: name, owner: owner, isXWayland: isXWayland, answerLimit: answerLimit)
        unread = UnreadTexts(context: context, whenRead: whenRead)
        predecessors = try Predecessors(in: context, unread: unread)
    }

    deinit { if !context.connection.isLost { context.journal.close() } }

    /// The display's name, such as ":0".
    var name: String { context.connection.name }

    /// The texts of typists that were killed, with the exact counts.
    var unfinished: [TypingRecord] { predecessors.unfinished }
    /// The texts of these that are not read, so that it is unknown how far they got.
    var unreadTexts: Set<String> { predecessors.unreadTexts }
    /// The texts that they were pasting, and that applications may or may not have.
    var unsurePastes: Set<String> { predecessors.unsurePastes }

    /// The windows that killed typists were pasting into, if they have left a clipboard to put back; nil if they have not.
    var abandonedPastes: [Window]? {
        SavedSelections(connection: context.connection).isEmpty ? nil : predecessors.abandonedPastes
    }

    /// The owner has written down what earlier typists had typed.
    func forgetUnfinished() { unread.forgetNotes() }

    func takeLateReadings() -> [TypingRecord] { unread.takeLateReadings() }

    func getReady() throws {
        context.keyboards.stopWatching()
        context.events.pump()
        try unread.settle()
        try context.keyboard.refresh()
        context.keyboards.releaseForUser()
        try context.connection.checkAlive()
    }

    // MARK: Looking

    /// Whether the user's keys followed the last text, until now. Hotkeys do not count.
    func hasUserTypedMeanwhile() -> Bool {
        context.connection.sync()
        context.events.pump()
        context.keyboards.stopWatching()
        let own = hotkeys.map { context.keyboard.keycode(giving: Int32(bitPattern: $0.keysym)) }
        return context.events.behind.contains { !own.contains($0) }
    }

    func focusedWindow() throws -> WindowInfo? {
        context.events.pump()
        let window = context.focus.focusedWindow()
        try context.connection.checkAlive()
        return window
    }

    /// Whether another client has the keyboard for itself.
    func isKeyboardTaken() throws -> Bool {
        let isTaken = context.isKeyboardTaken()
        try context.connection.checkAlive()
        return isTaken
    }

    func activate(_ window: WindowInfo, within limit: Duration) throws -> Bool {
        try context.focus.activate(window, within: limit, others: context.events.handle)
    }

    func survey(_ text: String, options: TypingOptions, window: WindowInfo) throws -> TypingSurvey {
        context.keyboard.takeOver()
        context.events.pump()
        try context.keyboard.refresh()
        let plan = TypingWork.text(text, options).plan(on: context.keyboard.map)
        let survey = TypingSurvey(
            characterCount: plan.characterCount,
            mapChanges: plan.segments.count { !$0.bindings.isEmpty },
            untypable: plan.dropped.count { character in
                !character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
            },
            tellsReading: context.barrier.way(to: Window(window.id)).isSure,
            hasInputMethod: InputMethod(connection: context.connection).isBetween(window), pressesKeys: true)
        try context.connection.checkAlive()
        return survey
    }

    /// Checks that the intended window has the focus, and that nothing sent before prevents this text.
    private func target(
        _ expected: WindowInfo?, for record: TypingRecord?
    ) throws -> Result<
        TypingTarget, Stop
    > {
        context.keyboard.takeOver()
        context.events.pump()
        try context.connection.checkAlive()
        try unread.settle()
        // Whether another group of the layout was chosen is checked before each batch.
        try context.keyboard.refreshIfStale()
        let focus = context.focus
        guard let inner = focus.focusedInnerWindow(), let window = focus.toplevel(of: inner) else {
            try context.connection.checkAlive()
            return .failure(Stop(reason: .noFocus))
        }
        let focused = focus.info(of: window)
        if let expected, !expected.isSameWindow(as: focused) {
            return .failure(
                Stop(reason: focus.isThere(expected) ? .focusMoved(to: focused) : .windowClosed))
        }
        // If its earlier keys are lost, these would be lost with them.
        // If it has read more of this very text in the meantime, its owner must count that first.
        guard try unread.isAllRead(by: window), !unread.isRead(beyond: record) else {
            return .failure(Stop(reason: .notResponding))
        }
        return .success(TypingTarget(window, inner: inner, in: context))
    }

    private struct Stop: Error { let reason: TypingOutcome.StopReason }

    // MARK: Inserting

    func type(
        _ work: TypingWork, into expected: WindowInfo?, pace: Duration, record: TypingRecord?,
        progress: (TypingProgress) throws -> Void
    ) throws -> TypingOutcome {
        let target: TypingTarget
        switch try self.target(expected, for: record) {
        case .success(let found): target = found
        case .failure(let stop): return .stopped(0, reason: stop.reason)
        }
        defer { context.connection.inquiries.forget() }
        let plan = work.plan(on: context.keyboard.map)
        if plan.isLacking { return .stopped(0, reason: .noKeys) }
        if plan.isEmpty {
            // No key is needed: nothing is left to confirm.
            try progress(
                TypingProgress(
                    sent: work.count, read: work.count, route: InsertionRoute(.keys, isConfirmed: true)))
            return .typed(work.count)
        }
        target.observe()
        defer { target.stopObserving() }
        guard try target.awaitFreeKeyboard() else { return .stopped(0, reason: .keyboardBusy) }
        unread.forgetText(of: record)
        var run = TypingRun(
            work, by: plan, into: target, record: record, givingWayTo: hotkeys, in: context)
        let sent: Result<TypingOutcome, any Error>
        do {
            sent = .success(try run.carryOut(pace: pace, progress: progress))
        } catch {
            sent = .failure(error)
        }
        let end = run.end()
        try context.connection.checkAlive()
        // The read part is written down before the notes of it go.
        let told = Result { if end.isNews { try progress(end.progress) } }
        if end.doubt == .notResponding {
            try unread.wait(for: try context.journal.setAside())
        } else {
            context.journal.clear()
        }
        context.connection.flush()
        if end.doubt == .notResponding { return .stopped(end.progress.read, reason: .notResponding) }
        let outcome = try sent.get()
        try told.get()
        return end.doubt.map { .stopped(end.progress.read, reason: $0) } ?? outcome
    }

    /// - Parameters:
    ///   - record: as before the paste, which adds this many scalars.
    ///   - taken: called when the application has the text; may block.
    func paste(
        _ text: String, into expected: WindowInfo?, keys: PasteKeys, isTerminal: Bool,
        clipboard: ClipboardServer, record: TypingRecord?, adding added: Int, taken: () throws -> Void
    ) throws -> PasteOutcome {
        let target: TypingTarget
        switch try self.target(expected, for: record) {
        case .success(let found): target = found
        case .failure(let stop): return .stopped(stop.reason)
        }
        defer { context.connection.inquiries.forget() }
        let unanswered = predecessors.unansweredPastes()
        // When a second paste comes, xterm frees what the first one still needs (`UnmapSelections`), and crashes when that
        // one times out. Qt asks again for the first one, and gets this text twice.
        if unanswered.contains(where: { $0.window == target.window }) { return .stillWaiting }
        let paste = Paste(
            text: text, target: target, isTerminal: isTerminal,
            record: record.map { TypingRecord(text: $0.text, scalars: $0.scalars + added) }, hotkeys: hotkeys,
            unanswered: unanswered, clipboard: clipboard, context: context)
        return try paste.carryOut(keys, forgetting: unread, taken: taken)
    }

    func copySelection(in expected: WindowInfo, clipboard: ClipboardServer) throws -> CopyOutcome {
        let target: TypingTarget
        switch try self.target(expected, for: nil) {
        case .success(let found): target = found
        case .failure(let stop): return .stopped(stop.reason)
        }
        defer { context.connection.inquiries.forget() }
        return try SelectionCopy(target: target, hotkeys: hotkeys, clipboard: clipboard, context: context)
            .carryOut()
    }

    func copy(_ text: String, to clipboard: ClipboardServer) throws {
        let connection = context.connection
        let (content, selection) = (
            SelectionContent(text: text, connection: connection), connection.atom("CLIPBOARD")
        )
        clipboard.change { $0.save(content, of: selection) }
        clipboard.hold(content, as: selection)
        try connection.checkAlive()
    }
}
