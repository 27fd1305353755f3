import DictationSystem
import Foundation
import GRDB

extension StateStore {
    /// Claims the oldest pending text, unless a dictation that was spoken before it is not ready yet:
    /// no text overtakes another.
    ///
    /// A text that grows is claimed while it is being spoken, as far as it is settled; see ``Growth``.
    ///
    /// Texts that could not be typed for longer than `patience` seconds are held instead: by now the focus
    /// may be anywhere. So are those from before the machine started: whether one of them was claimed, and
    /// typed, is not known if the power has failed, because a claim does not wait for the disk.
    ///
    /// - Parameters:
    ///   - id: the caller has decided about this one: if another one is next by now, nothing is claimed.
    ///   - uptime: for how many seconds the machine runs.
    /// - Returns: nil if there is nothing to type now.
    public func claimNext(
        by claimant: Claimant, patience: TimeInterval, only id: DictationID? = nil, at now: Date = Date(),
        uptime: TimeInterval = BootClock.seconds
    ) throws -> DictationState? {
        // Most wake-ups are for other agents: read without the writers' lock first.
        guard try read(Self.oldest)?.state.isClaimable == true else { return nil }
        // A text that seems to come from the future was made before the clock was set back, by the user or by
        // a start without a clock.
        let young = -1...min(patience, uptime)
        return try write { transaction in
            while let (state, readyAt) = try Self.oldest(transaction.db), state.isClaimable,
                id == nil || state.id == id
            {
                if young.contains(now.timeIntervalSince(readyAt)) {
                    return try Self.apply(.claimed(by: claimant), to: state, at: now, transaction)
                }
                let late: DictationTransition =
                    state.isCommand
                    ? .failed(.notEdited("the command waited too long for its turn")) : .held(.stale)
                _ = try Self.apply(late, to: state, at: now, transaction)
                // Held, it is still being spoken: it stays the first in the queue.
                if state.isBeingSpoken { return nil }
            }
            return nil
        }
    }

    /// Holds a text that waits to be typed. One that an inserter has claimed is left to that inserter, which knows how
    /// much of it is typed: a client sends it ``Intent/Action/hold(_:)``.
    ///
    /// - Returns: whether it was pending; false also if there is no such dictation any more.
    public func holdPending(
        _ id: DictationID, because reason: HoldReason, at date: Date = Date()
    ) throws -> Bool {
        let held = DictationTransition.held(reason)
        return try write(durability: held.durability) { transaction in
            guard let state = try Self.dictation(id, transaction.db), state.delivery == .pending,
                !state.isGrowthClaimed
            else { return false }
            _ = try Self.apply(held, to: state, at: date, transaction)
            return true
        }
    }

    private static func oldest(_ db: Database) throws -> (state: DictationState, readyAt: Date)? {
        let row = try DirectStatement(DictationRow.oldestUnfinished, db)
        return try row.step() ? (DictationRow.decode(row), DictationRow.readyAt(row)) : nil
    }
}
