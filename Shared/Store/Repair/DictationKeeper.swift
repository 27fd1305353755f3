import DictationSystem
import Foundation
import Synchronization

/// Writes an agent's changes of dictations, and keeps in memory what the store cannot accept now: a full
/// disk, a folder that is gone or read-only, a program that keeps the store locked. It is written as soon as
/// that is possible, in the same order.
///
/// This is transparent for an agent: its calls succeed as long as the table of transitions allows them. Nor
/// does it wait for the disk (``StateStore/whenOnDisk(_:)``): one thread at a time works here, and the next
/// may be the one that handles the hotkey.
public final class DictationKeeper: Sendable {
    private let store: StateStore
    private let unsaved = Mutex(UnsavedDictations())
    private let retry: StoreRetry

    public init(store: StateStore) {
        self.store = store
        retry = StoreRetry(store: store, name: "keeper")
    }

    /// Begins a dictation in status `starting`.
    public func begin(
        _ id: DictationID, target: WindowInfo?, engine: String, locale: String, isPrivate: Bool = false,
        options: StartOptions = StartOptions(), at date: Date = Date()
    ) throws {
        try unsaved.withLock { unsaved in
            let state = DictationState(
                id: id, revision: 0, timestamp: DictationRow.date(DictationRow.milliseconds(date)),
                phase: .starting, target: target, engine: engine, locale: locale, isPrivate: isPrivate,
                options: options)
            unsaved.begin(state)
            if !isLocked { try write(&unsaved) }
        }
    }

    /// Remembers a dictation that this agent has claimed, so that it can be written completely to a store
    /// that lost it.
    public func adopt(_ state: DictationState) {
        unsaved.withLock { $0.adopt(state, at: Date()) }
    }

    /// Remembers the progress of others with a dictation that this agent has begun, for a store that lost it.
    public func note(_ state: DictationState) { unsaved.withLock { $0.note(state) } }

    /// Carries out one transition, now or as soon as the store accepts it.
    ///
    /// - Returns: the dictation after it.
    /// - Throws: ``TransitionRefused``, ``StoreError/noSuchDictation(_:)``.
    @discardableResult
    public func apply(
        _ transition: DictationTransition, to id: DictationID, at date: Date = Date()
    ) throws -> DictationState {
        try unsaved.withLock { unsaved in
            if unsaved.records[id] == nil {
                guard let state = try store.dictation(id) else { throw StoreError.noSuchDictation(id) }
                unsaved.adopt(state, at: date)
            }
            var isToBeTried = !isLocked
            // The store is right, unless it is behind.
            if isToBeTried, let record = unsaved.records[id], record.isSaved {
                do {
                    let state = try store.apply(transition, to: id, at: date, waitsForDisk: false)
                    try? unsaved.add(.init(transition: transition, date: date), to: id)
                    unsaved.saved(state)
                    return state
                } catch StoreError.noSuchDictation {
                    unsaved.lost(id)
                } catch let error as StoreError where error.isTransient {
                    // Kept, below.
                    tryLater()
                    isToBeTried = false
                }
            }
            try unsaved.add(.init(transition: transition, date: date), to: id)
            let state = unsaved.records[id]?.state
            if isToBeTried { try write(&unsaved) }
            guard let state = unsaved.records[id]?.state ?? state else {
                throw StoreError.noSuchDictation(id)
            }
            return state
        }
    }

    /// Ends a dictation as a command: an edit or a replacement. A command waits for no disk: unlike a text, it is lost with it.
    ///
    /// - Parameters:
    ///   - action: names the dictation.
    ///   - timeToLive: milliseconds that it may wait for its turn.
    /// - Throws: ``TransitionRefused``, ``StoreError``.
    public func apply(
        _ text: DictationTransition.Recognized, asking action: Intent.Action, of id: DictationID,
        timeToLive: Int, at date: Date = Date()
    ) throws {
        try unsaved.withLock { unsaved in
            if let record = unsaved.records[id], !record.isSaved { try write(&unsaved) }
            let state = try store.apply(text, asking: action, of: id, timeToLive: timeToLive, at: date)
            unsaved.saved(state)
        }
    }

    /// The dictations that this process has begun, and that are still spoken.
    public var begun: Set<DictationID> { unsaved.withLock { $0.begun } }

    /// How many dictations wait to be written.
    public var waiting: Int { unsaved.withLock { $0.unsaved.count } }

    /// Writes what waits. If that fails, it is tried again by itself.
    private func write(_ unsaved: inout UnsavedDictations) throws {
        for record in unsaved.unsaved {
            do {
                if let state = try store.write(record) {
                    unsaved.saved(state)
                } else {
                    // Another process has ended it in the meantime: nothing of it can be written any more.
                    unsaved.forget(record.state.id)
                }
            } catch let error as StoreError where error.isTransient {
                tryLater()
                return
            }
        }
        retry.worked()
    }

    /// The store itself has told the user.
    private func tryLater() {
        retry.failed { [weak self] in self?.writeWhatWaits() }
    }

    /// Whether another program kept the store locked when it was last tried, and it is tried again by itself: each attempt
    /// waits for seconds, and speaking and typing would wait as well.
    private var isLocked: Bool {
        guard retry.isWaiting, case .busy = store.trouble else { return false }
        return true
    }

    /// Tries again to write what waits; also called when the agent ends.
    public func writeWhatWaits() {
        unsaved.withLock { unsaved in
            // The store has reported a permanent refusal.
            try? write(&unsaved)
        }
    }
}

extension StateStore {
    /// Brings a dictation to the agent's state, in one transaction.
    ///
    /// - Returns: the resulting dictation; nil if the table of transitions allows none of its changes.
    func write(_ record: UnsavedDictations.Record) throws -> DictationState? {
        let changes = record.whole.map(\.transition)
        let isSure = changes.contains { $0.durability == .power }
        return try write(durability: isSure ? .powerSoon : .process) { transaction in
            let id = record.state.id
            let existing = try Self.dictation(id, transaction.db)
            var state =
                try existing
                ?? Self.begin(
                    id, target: record.state.target, engine: record.state.engine, locale: record.state.locale,
                    isPrivate: record.state.isPrivate, options: record.state.options,
                    at: record.state.timestamp, transaction)
            var hasChanged = existing == nil
            for change in existing == nil ? record.whole : record.unsaved {
                do {
                    state = try Self.apply(change.transition, to: state, at: change.date, transaction)
                    hasChanged = true
                } catch is TransitionRefused {
                    // Replaced by later changes.
                }
            }
            return hasChanged || record.unsaved.isEmpty ? state : nil
        }
    }
}
