import CX11
import Desktop

/// Undoes what killed typists have left changed, and finds out how far they got.
struct Predecessors {
    /// Their texts, with the exact counts.
    private(set) var unfinished: [TypingRecord] = []
    /// The texts that are not read, so that it is unknown how far they got.
    private(set) var unreadTexts: Set<String> = []
    /// The texts that applications were given, and may have dropped again.
    private(set) var unsurePastes: Set<String> = []
    /// The windows that they were pasting into, some of them long ago.
    private(set) var abandonedPastes: [Window] = []
    /// The pastes that they were killed in, and that applications may still wait for.
    private var pastes: [TypingJournal.Paste] = []

    /// - Parameter unread: takes over what their windows have not read.
    init(in context: TypingContext, unread: UnreadTexts) throws {
        for leftOver in try context.journal.leftOvers() { try settle(leftOver, context, unread) }
        try context.connection.checkAlive()
    }

    /// The pastes that applications may wait for now.
    mutating func unansweredPastes() -> [TypingJournal.Paste] {
        pastes.removeAll(where: \.isOver)
        return pastes
    }

    private mutating func settle(
        _ leftOver: TypingJournal.LeftOver, _ context: TypingContext, _ unread: UnreadTexts
    ) throws {
        var leftOver = leftOver
        let (journal, keyboard) = (context.journal, context.keyboard)
        let (physical, xtest) = context.keyboards.devices.list()
        let pressed = xtest.map(context.keyboards.devices.pressedKeycodes(on:)) ?? []
        // Before they are released: one of them may be the key whose press was not noted any more.
        let count = leftOver.progress?.count(whenPressed: Set(pressed))
        if let count {
            journal.fix(count, of: leftOver)
            leftOver.progress = .init(count: count)
        }
        let awaited = leftOver.pastes.filter { context.focus.exists($0.window) }
        abandonedPastes += awaited.map(\.window)
        pastes += abandoned(awaited, context)
        // The next typist must know of them too.
        journal.note(pastes)
        var reading = Reading.done
        if let undo = leftOver.undo {
            for keycode in pressed { keyboard.control.send(keycode, isDown: false) }
            reading = awaitReading(undo, of: leftOver, context)
            if reading != .open { try keyboard.unbind(undo.bindings) }
            if undo.locks != 0 { keyboard.control.setLocks(undo.locks, isLocked: true) }
            keyboard.control.turnOnAgain(undo.controls, besides: physical)
        }
        if reading == .open {
            if leftOver.isOwn, let text = leftOver.text { unreadTexts.insert(text) }
            try unread.wait(for: leftOver)
        } else {
            if leftOver.isOwn, let text = leftOver.text {
                if leftOver.isGiven {
                    unsurePastes.insert(text)
                } else if let count, reading == .done {
                    unfinished.append(TypingRecord(text: text, scalars: count))
                }
                unread.keepNotes(leftOver)
            }
            journal.settle(leftOver)
        }
        context.connection.sync()
    }

    /// The pastes that applications may still wait for.
    private func abandoned(
        _ pastes: [TypingJournal.Paste], _ context: TypingContext
    ) -> [TypingJournal.Paste] {
        let requests = AbandonedRequests(connection: context.connection, clients: context.clients)
        return pastes.compactMap { paste in
            if context.clients.isOnlyConnection(of: paste.window) { return paste.isOver ? nil : paste }
            requests.refuse(paste.window)
            // It continues only now, and may ask the next owner for the rest of that paste.
            return TypingJournal.Paste(into: paste.window)
        }
    }

    private enum Reading {
        case done
        /// The window is gone, and it is unknown what it had read.
        case never
        case open
    }

    /// Waits until a window has read what a dead typist has sent to it.
    private func awaitReading(
        _ undo: TypingJournal.Undo, of leftOver: TypingJournal.LeftOver, _ context: TypingContext
    ) -> Reading {
        // The first note comes before the first key.
        guard !undo.bindings.isEmpty || leftOver.progress != nil else { return .done }
        guard context.focus.exists(undo.window) else { return .never }
        let target = TypingTarget(undo.window, inner: undo.window, in: context)
        // Plain keys always wait for a window that answers nothing.
        if undo.bindings.isEmpty, target.way == .unknown { return .done }
        target.observe()
        defer { target.stopObserving() }
        var reader = WindowReader(target, in: context)
        switch reader.awaitReading() {
        case nil: return .done
        case .windowClosed: return .never
        default: return .open
        }
    }
}
