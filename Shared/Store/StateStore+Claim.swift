import DictationSystem
import Foundation
import GRDB

extension StateStore {
    /// Claims the oldest text that is to be typed, unless a dictation that was spoken before it is not ready yet:
    /// none overtakes another.
    ///
    /// Texts that nobody could type for longer than `patience` seconds are held instead: by now the focus may be
    /// anywhere. So are those from before the machine started: whether one of them was claimed, and typed, is not known
    /// if the power has failed, since a claim does not wait for the disk.
    ///
    /// - Parameters:
    ///   - id: the caller has decided about this one: if it is another's turn by now, nothing is claimed.
    ///   - isAwaited: the caller has just seen that a text is pending. Otherwise the store is looked at first, without
    ///     the writers' lock: most wake-ups are for somebody else.
    ///   - revision: the caller has not looked at the store since, and wants what nearly always is all: nothing is claimed
    ///     if an intent came behind it, as what the user asks for may come first, and no text is held.
    ///   - uptime: for how many seconds the machine runs.
    /// - Returns: nil when nothing is to be typed now.
    public func claimNext(
        by claimant: Claimant, patience: TimeInterval, only id: DictationID? = nil, isAwaited: Bool = false,
        ifNothingAskedSince revision: Revision? = nil, at now: Date = Date(),
        uptime: TimeInterval = BootClock.seconds
    ) throws -> DictationState? {
        if try !isAwaited && !isNextPending() { return nil }
        // A text that seems to come from the future was made before somebody, or a start without a clock, set it back.
        let young = -1...min(patience, uptime)
        // Nearly always that is all. A speaker waits for it, so it goes the short way.
        let claimed = try writeLive { connection, live in
            // A claim in a file that was replaced would keep nobody from typing the text once more.
            guard connection.bell.isInPlace() else { throw StoreFault.replaced }
            guard let (state, readyAt) = try Self.oldest(&live), state.delivery == .pending,
                id == nil || state.id == id, young.contains(now.timeIntervalSince(readyAt))
            else { return nil }
            var next = try state.applying(.claimed(by: claimant))
            let newest = try Self.newest(&live)
            if let revision, newest[.intents] > revision { return nil }
            next.revision = newest[.any] + 1
            guard try DictationRow.updateLive(next, expecting: state.revision, &live) else { return nil }
            try DictationRow.updateDelivery(next, &live)
            return next
        }
        if claimed != nil || revision != nil { return claimed }
        guard try isNextPending() else { return nil }
        return try write { transaction in
            while let (state, readyAt) = try Self.oldest(transaction.db), state.delivery == .pending,
                id == nil || state.id == id
            {
                if young.contains(now.timeIntervalSince(readyAt)) {
                    return try Self.apply(.claimed(by: claimant), to: state, at: now, transaction)
                }
                _ = try Self.apply(.held(.stale), to: state, at: now, transaction)
            }
            return nil
        }
    }

    private func isNextPending() throws -> Bool {
        try read(.oldestUnfinished, Self.oldest)?.state.delivery == .pending
    }

    private static func newest(_ live: inout LiveStatements) throws -> Newest {
        let rows = try live.statement(.newest)
        var newest = Newest()
        while try rows.step() {
            if let part = Newest.Part(rawValue: rows.integer(0)) { newest[part] = rows.integer(1) }
        }
        return newest
    }

    private static func oldest(
        _ live: inout LiveStatements
    ) throws -> (state: DictationState, readyAt: Date)? {
        var row = try live.statement(.oldestUnfinished)
        return try oldest(&row)
    }

    private static func oldest(_ db: Database) throws -> (state: DictationState, readyAt: Date)? {
        var row = try DirectStatement(DictationRow.oldestUnfinished, db)
        return try oldest(&row)
    }

    /// - Parameter row: ``DictationRow/oldestUnfinished``.
    private static func oldest(
        _ row: inout DirectStatement
    ) throws -> (state: DictationState, readyAt: Date)? {
        try row.step() ? (DictationRow.decode(row), DictationRow.readyAt(row)) : nil
    }
}
