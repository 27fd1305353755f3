import CX11
import Desktop

/// Inserts one text by the clipboard: owns it for a moment, presses the paste key, waits until the application has fetched
/// the text, and restores what was there.
struct Paste {
    let text: String
    let target: TypingTarget
    /// In a terminal the key may paste the primary selection, so that is set too.
    let isTerminal: Bool
    /// The name of the text, and how much of it is there once the application has what is pasted.
    let record: TypingRecord?
    /// The hotkeys that it gives way to.
    let hotkeys: [Hotkey]
    /// Pastes that killed typists have begun, and that applications may still wait for.
    let unanswered: [TypingJournal.Paste]
    let clipboard: ClipboardServer
    let context: TypingContext

    private var connection: DisplayConnection { context.connection }
    private var saved: SavedSelections { SavedSelections(connection: connection) }

    /// The earlier content of a clipboard.
    private typealias Former = (selection: Atom, content: SelectionContent?)

    /// - Parameters:
    ///   - unread: forgets what was sent of this text before, right before the key is pressed.
    ///   - taken: called when the application certainly has the text; may block.
    func carryOut(
        _ keys: PasteKeys, forgetting unread: UnreadTexts, taken: () throws -> Void
    ) throws -> PasteOutcome {
        // It must fit into one request, which is counted in units of four bytes; only restored content goes in pieces.
        guard text.utf8.count / 4 < XMaxRequestSize(connection.display) - 64 else {
            return .notPossible(.tooLong)
        }
        let window = connection.makeClipboardOwner()
        defer { XDestroyWindow(connection.display, window) }
        let selections = [connection.atom("CLIPBOARD")] + (isTerminal ? [Atom(XA_PRIMARY)] : [])
        let former: [Former]
        do {
            former = try contents(of: selections, by: window)
        } catch is SelectionReader.Failure {
            return .notPossible(.unreadable)
        }
        // Another layout may have been loaded while an owner took its time.
        context.keyboard.takeOver()
        try context.keyboard.refreshIfStale()
        guard let chord = context.keyboard.chord(keys) else { return .notPossible(.noPasteKey) }
        target.observe()
        defer { target.stopObserving() }
        guard try target.awaitFreeKeyboard() else { return .stopped(.keyboardBusy) }
        // Chromium asks for the list of formats again after it has fetched the text, and drops the text if it gets no
        // answer: it certainly has it when it asks no more. Applications of one connection are not like that.
        let asksAgain = !context.clients.isOnlyConnection(of: target.window)
        let passing = PassingText(
            text, from: window, to: target.inner, on: connection, clients: context.clients,
            willGive: { [journal = context.journal] in if asksAgain { journal.noteGiven() } },
            whenGiven: { [journal = context.journal, record] in
                guard let record, !asksAgain else { return }
                journal.note(TypingJournal.Progress(count: record.scalars))
            })
        context.events.passing = passing
        context.journal.note(unanswered + [TypingJournal.Paste(into: target.window)])
        for (selection, content) in former {
            clipboard.change { $0.saveBeforeTaking(content, of: selection) }
            XSetSelectionOwner(connection.display, selection, window, Time(CurrentTime))
        }
        // Until we know that the application has it, or has not even seen the key.
        var mayComeLate = true
        defer {
            let late = mayComeLate ? [ClipboardServer.LatePaste(into: target.inner, context.clients)] : []
            putBack(former, from: window, refusing: late, answering: asksAgain)
            // Answer what was asked until now: an application may wait for that and do nothing else.
            context.events.pump()
            context.journal.note(unanswered)
            context.events.passing = nil
        }
        guard selections.allSatisfy({ XGetSelectionOwner(connection.display, $0) == window }) else {
            return .notPossible(.refused)
        }
        unread.forgetText(of: record)
        let outcome = try press(chord, passing, asksAgain: asksAgain, taken: taken)
        switch outcome {
        case .notTaken, .unsure: break
        default: mayComeLate = false
        }
        try connection.checkAlive()
        return outcome
    }

    /// - Parameter window: reads them.
    /// - Throws: ``SelectionReader/Failure``, and what waiting throws.
    private func contents(of selections: [Atom], by window: Window) throws -> [Former] {
        let reader = SelectionReader(
            connection: connection, window: window, others: context.events.handle)
        return try selections.map { selection in
            // Content of a killed typist may be about to be restored.
            (selection, try reader.read(selection) ?? saved.content(of: selection))
        }
    }

    // MARK: The key

    private func press(
        _ chord: TypingKeyboard.Chord, _ passing: PassingText, asksAgain: Bool, taken: () throws -> Void
    ) throws -> PasteOutcome {
        var lease = KeyboardLease(for: target.window, text: record?.text, in: context)
        let reason = lease.press(chord, in: target, givingWayTo: hotkeys)
        let pressed = ContinuousClock.now
        let first = Result {
            if let reason { return PasteOutcome.stopped(reason) }
            let outcome = try awaitTaking(passing)
            if outcome == .pasted, !asksAgain { try taken() }
            return outcome
        }
        var reader = WindowReader(target, in: context)
        _ = lease.giveBack(reading: &reader)
        let outcome = Result {
            let outcome = try first.get()
            guard outcome == .pasted else { return outcome }
            let waited = asksAgain ? pressed.duration(to: .now) : .zero
            let isDone = linger(passing, PasteTimes.lingering(after: waited))
            guard asksAgain else { return .pasted }
            guard isDone, !passing.isOver else { return .unsure }
            try taken()
            return .pasted
        }
        // Only now: if we are killed before, the text must be recorded in the store, or in these notes.
        context.journal.clear()
        return try outcome.get()
    }

    // MARK: The application's turn

    /// Gives the text to each program that asks, until the application has it, or refuses it.
    private func awaitTaking(_ passing: PassingText) throws -> PasteOutcome {
        context.barrier.ask(target.window, by: target.way)
        var hasReadKey = false
        var deadline =
            ContinuousClock.now + (target.way.isSure ? context.answerLimit : TypingLimits.silentAsking)
        while true {
            context.events.pump()
            if passing.isTaken { return .pasted }
            if passing.isReplaced { return .unsure }
            try connection.checkAlive()
            if target.isGone { return passing.isGiven ? .unsure : .stopped(.windowClosed) }
            if hasAnswered, !hasReadKey {
                hasReadKey = true
                deadline = .now + (isBehindInputMethod ? TypingLimits.silentAsking : TypingLimits.asking)
            }
            if let asked = passing.lastRequest {
                deadline = max(
                    deadline, asked + (passing.isGiven ? TypingLimits.answer : TypingLimits.asking))
            }
            if deadline <= .now {
                let isUntouched = passing.lastRequest == nil && !passing.isGivenToOthers
                return isUntouched && hasReadKey ? .notTaken : .unsure
            }
            try waitForInput(until: deadline)
        }
    }

    /// Keeps giving the text until the application is done with the paste.
    ///
    /// - Parameter time: for which it asks nothing when it is done.
    /// - Returns: whether it is, as far as can be known.
    private func linger(_ passing: PassingText, _ time: Duration) -> Bool {
        context.barrier.ask(target.window, by: target.way)
        let limit = ContinuousClock.now + TypingLimits.answer
        while !connection.isLost, !target.isGone, ContinuousClock.now < limit {
            context.events.pump()
            let quiet = passing.lastRequest.map { $0 + time } ?? .now
            let isQuiet = quiet <= .now
            if isQuiet && (hasAnswered || !target.way.isSure) { return true }
            do { try waitForInput(until: isQuiet ? limit : quiet) } catch { return false }
        }
        return false
    }

    private var isBehindInputMethod: Bool {
        InputMethod(connection: connection).isBetween(context.focus.info(of: target.window))
    }

    private var hasAnswered: Bool { context.barrier.isAnswered(by: target.window, target.way) }

    private func waitForInput(until deadline: ContinuousClock.Instant) throws {
        if try !connection.waitForInput(until: min(deadline, .now + TypingLimits.silence)) {
            context.barrier.askAgain(target.window, by: target.way)
        }
    }

    /// - Parameter isAnswered: the application may ask for the list of formats again, later than it is waited
    ///   for, and drops the text if nobody answers. An empty list is an answer.
    private func putBack(
        _ former: [Former], from window: Window, refusing late: [ClipboardServer.LatePaste],
        answering isAnswered: Bool
    ) {
        for (selection, content) in former {
            guard XGetSelectionOwner(connection.display, selection) == window else {
                saved.forget(selection)
                continue
            }
            if isAnswered || content?.isEmpty == false {
                clipboard.hold(content ?? SelectionContent(), as: selection, refusing: late)
            } else {
                XSetSelectionOwner(connection.display, selection, 0, Time(CurrentTime))
            }
        }
        connection.sync()
    }
}
