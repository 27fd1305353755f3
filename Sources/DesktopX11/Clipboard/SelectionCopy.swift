import CX11
import Desktop

/// Copies the selected text of a window: presses the key that copies, fetches what the application has on the clipboard
/// then, and restores it.
///
/// The key is Ctrl+Insert, which copies in all toolkits and browsers. In a program that does not know it, it
/// does no harm: Ctrl+C would interrupt the program in an unrecognized terminal.
struct SelectionCopy {
    let target: TypingTarget
    /// The hotkeys that it gives way to.
    let hotkeys: [Hotkey]
    let clipboard: ClipboardServer
    let context: TypingContext

    private var connection: DisplayConnection { context.connection }
    private var saved: SavedSelections { SavedSelections(connection: connection) }

    func carryOut() throws -> CopyOutcome {
        let window = connection.makeHiddenWindow()
        defer { XDestroyWindow(connection.display, window) }
        let selection = connection.atom("CLIPBOARD")
        let reader = SelectionReader(
            connection: connection, window: window, others: context.events.handle)
        let former: SelectionContent?
        do {
            former = try reader.read(selection) ?? saved.content(of: selection)
        } catch is SelectionReader.Failure {
            return .notPossible("the clipboard cannot be read, so it could not be restored")
        }
        // Another layout may have been loaded while the owner took its time.
        context.keyboard.takeOver()
        try context.keyboard.refreshIfStale()
        guard let chord = context.keyboard.copyChord else {
            return .notPossible("the keyboard has no keys for Ctrl+Insert")
        }
        target.observe()
        defer { target.stopObserving() }
        guard try target.awaitFreeKeyboard() else { return .stopped(.keyboardBusy) }
        // We own the clipboard when the key comes, because only then does a change of its owner show that a
        // copy was made. A clipboard manager that asks for the content gets the former one.
        clipboard.change { $0.saveBeforeTaking(former, of: selection) }
        saved.beginCopy(over: selection, in: target.inner)
        clipboard.hold(former ?? SelectionContent(), as: selection)
        let owner = XGetSelectionOwner(connection.display, selection)
        guard owner != 0 else { return .notPossible("the clipboard cannot be used") }
        defer {
            putBack(former, to: selection, from: owner)
            context.events.pump()
        }
        var lease = KeyboardLease(for: target.window, text: nil, in: context)
        let reason = lease.press(chord, in: target, givingWayTo: hotkeys)
        let hasCopied = try reason == nil && awaitCopy(of: selection, from: owner)
        var windowReader = WindowReader(target, in: context)
        _ = lease.giveBack(reading: &windowReader)
        context.journal.clear()
        try connection.checkAlive()
        if let reason { return .stopped(reason) }
        guard hasCopied else { return .nothing }
        // Another program may have copied something at this very moment.
        let copier = XGetSelectionOwner(connection.display, selection)
        guard context.clients.isSameProcess(copier, target.inner) else { return .nothing }
        return reader.text(selection).map(CopyOutcome.copied) ?? .unreadable
    }

    /// Waits until another client has the clipboard, or the window has certainly read the key and copied
    /// nothing.
    private func awaitCopy(of selection: Atom, from owner: Window) throws -> Bool {
        context.barrier.ask(target.window, by: target.way)
        var deadline =
            ContinuousClock.now + (target.way.isSure ? context.answerLimit : TypingLimits.silentAsking)
        var hasReadKey = false
        while true {
            context.events.pump()
            if XGetSelectionOwner(connection.display, selection) != owner { return true }
            try connection.checkAlive()
            if target.isGone { return false }
            if !hasReadKey, context.barrier.isAnswered(by: target.window, target.way) {
                hasReadKey = true
                // Chromium copies in another process than the one that has read the key.
                deadline = .now + TypingLimits.asking
            }
            if deadline <= .now { return false }
            // The loss of another connection's selection is not told here; the answer to the question is.
            if try !connection.waitForInput(until: min(deadline, .now + TypingLimits.silence)) {
                context.barrier.askAgain(target.window, by: target.way)
            }
        }
    }

    /// - Parameter owner: it still has the former content, if nothing was copied.
    private func putBack(_ former: SelectionContent?, to selection: Atom, from owner: Window) {
        let now = XGetSelectionOwner(connection.display, selection)
        let isOurs = now == owner || now != 0 && context.clients.isSameProcess(now, target.inner)
        // If another program has copied something since, the user wants that there.
        guard isOurs else { return saved.forget(selection) }
        defer { saved.endCopy(over: selection) }
        if let former, !former.isEmpty {
            if now != owner { clipboard.hold(former, as: selection) }
        } else {
            XSetSelectionOwner(connection.display, selection, 0, Time(CurrentTime))
        }
        connection.sync()
    }
}

extension SelectionReader {
    /// The text of a selection; nil if there is none, or it cannot be read.
    func text(_ selection: Atom) -> String? {
        guard let data = try? data(of: selection, as: connection.atom("UTF8_STRING"), SelectedText.sizeLimit),
            data.format == 8
        else { return nil }
        return String(validating: data.bytes, as: UTF8.self)
    }
}

extension TypingKeyboard {
    /// Nil if the layout has no such keys.
    fileprivate var copyChord: Chord? {
        let (control, insert) = (keycode(giving: XK_Control_L), keycode(giving: XK_Insert))
        return control == 0 || insert == 0 ? nil : Chord(modifiers: [control], keycode: insert)
    }
}

extension FocusInspector {
    /// See ``Desktop/SelectionReading``.
    func selectedText(in window: Window, _ clients: ClientProcesses) -> SelectedText {
        let owner = XGetSelectionOwner(connection.display, Atom(XA_PRIMARY))
        guard owner != 0 else { return .nothing }
        guard clients.isSameProcess(owner, window) else { return .elsewhere }
        let own = connection.makeHiddenWindow()
        defer { XDestroyWindow(connection.display, own) }
        guard let text = SelectionReader(connection: connection, window: own).text(Atom(XA_PRIMARY)) else {
            return .unreadable
        }
        return text.isEmpty ? .nothing : .text(text)
    }
}
