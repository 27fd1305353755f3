import CX11
import Desktop

/// Keys that were sent to windows and are not certainly read yet. Bound keys stay bound until then, however
/// long that takes.
///
/// Their notes are in the server, where the next typist finds them if this one ends first.
final class UnreadTexts {
    /// The keys that one window has not read.
    private struct UnreadKeys {
        var notes: TypingJournal.LeftOver
        let way: ReadBarrier.Way
        let watch: ReadingWatch

        var window: Window { notes.undo?.window ?? 0 }
        var bindings: [TypingPlan.Binding] { notes.undo?.bindings ?? [] }
        /// How far the text has come when the keys are read; nil if they were those of no text.
        var record: TypingRecord? {
            guard let text = notes.text, let progress = notes.progress else { return nil }
            return TypingRecord(text: text, scalars: progress.count)
        }
    }

    private let context: TypingContext
    /// Called on any thread when a window has read its late keys.
    private let whenRead: @Sendable () -> Void
    private var waiting: [UnreadKeys] = []
    /// The texts that were read since.
    private var lateRead: [TypingRecord] = []
    /// The notes of texts whose count is known, until their owner has recorded it.
    private var kept: [TypingJournal.LeftOver] = []

    init(context: TypingContext, whenRead: @escaping @Sendable () -> Void) {
        self.context = context
        self.whenRead = whenRead
    }

    /// Keeps these notes until the owner has recorded their contents.
    func keepNotes(_ notes: TypingJournal.LeftOver) { kept.append(notes) }

    /// The owner has recorded what was typed.
    func forgetNotes() {
        for notes in kept { context.journal.forget(notes) }
        kept = []
    }

    func takeLateReadings() -> [TypingRecord] {
        defer { lateRead = [] }
        return lateRead
    }

    /// Keeps the keys of these notes bound, until the window has read its keys.
    func wait(for notes: TypingJournal.LeftOver) throws {
        var notes = notes
        guard let undo = notes.undo else { return }
        context.journal.replaceUndo(of: &notes, with: .init(window: undo.window, bindings: undo.bindings))
        let way = context.barrier.way(to: undo.window)
        let watch = try ReadingWatch(
            undo.window, way, display: context.connection.name, whenOver: whenRead)
        context.keyboard.leaveBound()
        waiting.append(UnreadKeys(notes: notes, way: way, watch: watch))
        reserveKeys()
    }

    private func reserveKeys() {
        context.keyboard.reserved = Set(waiting.flatMap { $0.bindings.map(\.keycode) })
    }

    /// Restores the keys that were kept for windows that have read their keys by now, or are gone; waits for
    /// nothing.
    func settle() throws {
        var settled: [(UnreadKeys, ReadingWatch.State)] = []
        waiting.removeAll { keys in
            let state = state(of: keys)
            if state != .waiting { settled.append((keys, state)) }
            return state != .waiting
        }
        if settled.isEmpty { return }
        reserveKeys()
        let keyboard = context.keyboard
        for (keys, state) in settled {
            keyboard.markStale()
            try keyboard.refresh()
            // If another layout was loaded since, it is unknown which of the two the keys were read by.
            let isSure = state == .read && keyboard.isStillBound(keys.bindings)
            try keyboard.unbind(keys.bindings)
            if isSure, keys.notes.isOwn, let record = keys.record { lateRead.append(record) }
            if keys.notes.isOwn, keys.notes.text != nil { kept.append(keys.notes) }
            context.journal.settle(keys.notes)
        }
        keyboard.markStale()
        try context.connection.checkAlive()
    }

    private func state(of keys: UnreadKeys) -> ReadingWatch.State {
        let state = keys.watch.state
        // It never answers. It was stopped; if it runs again now, it has had enough time.
        guard state == .waiting, keys.way == .unknown, !context.clients.isStopped(keys.window) else {
            return state
        }
        return keys.watch.wait(atMost: TypingLimits.silentReading) == .gone ? .gone : .read
    }

    /// - Returns: whether a window has read all that was sent to it, waiting as long as for any other answer.
    func isAllRead(by window: Window) throws -> Bool {
        for keys in waiting where keys.window == window {
            _ = keys.watch.wait(atMost: context.answerLimit)
        }
        try settle()
        return !waiting.contains { $0.window == window }
    }

    /// Whether more of this text, or BackSpaces after it, were read since than its owner knows: typed from
    /// there on, it would come twice, or lack something.
    func isRead(beyond record: TypingRecord?) -> Bool {
        guard let record else { return false }
        return lateRead.contains {
            $0.subject == record.subject && $0.scalars > ($0.isRemoval ? 0 : record.scalars)
        }
    }

    /// The same text is typed again, elsewhere: the keys that were sent before no longer count.
    func forgetText(of record: TypingRecord?) {
        guard let record else { return }
        for index in waiting.indices where waiting[index].record?.subject == record.subject {
            context.journal.forgetText(of: &waiting[index].notes)
        }
    }
}
