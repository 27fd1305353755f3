import CX11
import Desktop

/// Keys that were sent to a window, and that it has not read for certain. What they were bound to stays bound until it has.
///
/// The notes of them are in the server, where the next typist finds them if this one ends before.
struct UnreadKeys {
    var notes: TypingJournal.LeftOver
    let barrier: TypingDisplay.Barrier
    let watch: ReadingWatch

    var window: Window { notes.undo?.window ?? 0 }
    var bindings: [TypingPlan.Binding] { notes.undo?.bindings ?? [] }
    /// How far the text has come when the keys are read; nil if they were those of no text.
    var record: TypingRecord? {
        guard let text = notes.text, let progress = notes.progress else { return nil }
        return TypingRecord(text: text, scalars: progress.count)
    }
}

extension TypingDisplay {
    /// Keeps bound what these notes tell of, until the window has read its keys, however long that takes.
    func keepUnread(_ notes: TypingJournal.LeftOver) throws {
        var notes = notes
        guard let undo = notes.undo else { return }
        journal.replaceUndo(of: &notes, with: .init(window: undo.window, bindings: undo.bindings))
        let barrier = barrier(of: undo.window)
        let watch = try ReadingWatch(
            undo.window, barrier, display: connection.name, whenOver: whenRead)
        keyboard.leaveBound()
        unread.append(UnreadKeys(notes: notes, barrier: barrier, watch: watch))
        reserveUnread()
    }

    private func reserveUnread() {
        keyboard.reserved = Set(unread.flatMap { $0.bindings.map(\.keycode) })
    }

    /// Puts back what was kept for windows that have read their keys by now, or are gone; waits for nothing.
    func settleUnread() throws {
        var settled: [(UnreadKeys, ReadingWatch.State)] = []
        unread.removeAll { keys in
            let state = state(of: keys)
            if state != .waiting { settled.append((keys, state)) }
            return state != .waiting
        }
        if settled.isEmpty { return }
        reserveUnread()
        for (keys, state) in settled {
            keyboard.markStale()
            try keyboard.refresh()
            // Where another layout was loaded meanwhile, nobody knows by which of the two the keys were read.
            let isSure = state == .read && keyboard.isStillBound(keys.bindings)
            try keyboard.unbind(keys.bindings)
            if isSure, keys.notes.isOwn, let record = keys.record { lateRead.append(record) }
            if keys.notes.isOwn, keys.notes.text != nil { kept.append(keys.notes) }
            journal.settle(keys.notes)
        }
        keyboard.markStale()
        try connection.checkAlive()
    }

    private func state(of keys: UnreadKeys) -> ReadingWatch.State {
        let state = keys.watch.state
        // It will never answer. It was stopped, and has had its time if it goes on now.
        guard state == .waiting, keys.barrier == .unknown, !clients.isStopped(keys.window) else {
            return state
        }
        return keys.watch.wait(atMost: Self.silentReadingTime) == .gone ? .gone : .read
    }

    /// - Returns: whether a window has read all that was sent to it, waiting as long as for any other answer.
    func hasReadAll(_ window: Window) throws -> Bool {
        for keys in unread where keys.window == window { _ = keys.watch.wait(atMost: answerLimit) }
        try settleUnread()
        return !unread.contains { $0.window == window }
    }

    /// The same text is typed again, elsewhere: what was sent before does not count any more.
    func forgetUnread(_ record: TypingRecord?) {
        guard let record else { return }
        for index in unread.indices where unread[index].notes.text == record.text {
            journal.forgetText(of: &unread[index].notes)
        }
    }
}
