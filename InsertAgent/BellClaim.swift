import DictationSettings
import DictationShared
import Foundation
import Synchronization

/// Claims a text as soon as the bell rings, without having read first what has changed: a reader's look at the store, and
/// the way of what it found to the agent, take as long as the claim itself.
final class BellClaim: Sendable {
    private let store: StateStore
    private let settings: LiveSettings
    private let expectation = Mutex(BellExpectation())

    init(store: StateStore, settings: LiveSettings) {
        self.store = store
        self.settings = settings
    }

    /// To be called with all that is read of the store, in order.
    func note(_ changes: ChangeSet) { expectation.withLock { $0.note(changes) } }

    /// - Returns: what is to be typed now; nil where it must be looked at first, or there is nothing.
    func claim() -> DictationState? {
        guard let revision = expectation.withLock(\.revisionBeforeText) else { return nil }
        let (patience, policy) = settings.read { ($0.insert.patience, $0.insert.policy) }
        // A text may have to wait for its window.
        if policy == .origin { return nil }
        // What the store cannot do now, whoever reads the changes hears of as well.
        return try? store.claimNext(
            by: .current, patience: TimeInterval(patience), isAwaited: true, ifNothingAskedSince: revision)
    }
}

/// Whether a text may be there when the bell rings next: a pure value.
struct BellExpectation: Equatable {
    private var revision: Revision = 0
    /// What is being spoken: until its recording ends, each bell is for a partial result, and none of its words is to be
    /// typed.
    private var spoken: Set<DictationID> = []

    mutating func note(_ changes: ChangeSet) {
        revision = changes.revision
        if changes.isComplete { spoken = [] }
        for state in changes.dictations {
            if [.starting, .recording].contains(state.status) {
                spoken.insert(state.id)
            } else {
                spoken.remove(state.id)
            }
        }
        spoken.subtract(changes.removed)
    }

    /// What was read last, where the next commit may be a text; nil where it is none, or nothing was read yet.
    var revisionBeforeText: Revision? { spoken.isEmpty && revision > 0 ? revision : nil }
}
