import DictationProgram
import DictationShared
import DictationSystem
import Foundation

/// Follows the store from one revision on, and the agents that change it: one thread and one descriptor for
/// each agent, for any number of waits, one after another.
///
/// ```swift
/// let follower = try StoreFollower(session, since: intent.revision, waitingFor: .host)
/// let phase = try follower.wait { _ in try store.intent(intent.id)?.phase }
/// ```
final class StoreFollower {
    private let session: Session
    /// The agent that brings the answer; nil to wait for any change.
    private let role: AgentRole?
    private let rung: WakeUp
    private let failure = FirstFailure()
    private let watcher: StateWatcher
    private var agents: AgentEnds
    private var last: Revision
    private var generation: Int

    /// - Parameters:
    ///   - revision: reports what changed after it.
    ///   - role: the agent that brings the answer; nil to wait for any change.
    /// - Throws: ``SystemError``, ``StoreError``.
    init(_ session: Session, since revision: Revision, waitingFor role: AgentRole? = nil) throws {
        self.session = session
        self.role = role
        let rung = try WakeUp()
        self.rung = rung
        watcher = try StateWatcher(
            store: session.store, since: revision, onChange: { _ in rung.signal() },
            onFailure: { [failure] in
                failure.set($0)
                rung.signal()
            })
        agents = try AgentEnds(role.map { [$0] } ?? AgentRole.allCases, in: session.group)
        last = revision
        generation = session.store.generation
    }

    deinit { watcher.stop() }

    /// Waits until `decide` has an answer. It is called at once, and again after each change.
    ///
    /// - Parameters:
    ///   - limit: nil waits without limit.
    ///   - others: descriptors that also wake this; `decide` is then called, and must read them.
    ///   - decide: gets the changes since its last call.
    /// - Returns: nil when the time is over.
    func wait<Answer>(
        within limit: Duration? = nil, alsoWaitingFor others: () -> [Int32] = { [] },
        until decide: (ChangeSet) throws -> Answer?
    ) throws -> Answer? {
        let store = session.store
        let deadline = limit.map { ContinuousClock.now + $0 }
        var hasEnded = false
        while true {
            rung.clear()
            if let error = failure.get() { throw error }
            // States of a store that was replaced say nothing about this one.
            if generation != store.generation { last = 0 }
            generation = store.generation
            let changes = try store.changes(since: last)
            last = changes.revision
            if let answer = try decide(changes) { return answer }
            if role == nil { try agents.lookForNewOnes() }
            // An agent that ended before it was followed is not waited for.
            let isGone =
                try role.map { role in
                    try agents.waited.isEmpty && RoleLock.holder(of: role, in: session.group) == nil
                } ?? false
            let ready =
                isGone ? [] : try waitUntilReadable([rung.raw] + agents.waited + others(), until: deadline)
            if ready.isEmpty, !isGone { return nil }
            guard isGone || agents.hasEnded(among: ready) else { continue }
            if let role {
                // Its last commit comes first. It is in the store, though this process may not have been
                // notified of it yet.
                if !hasEnded || ready.contains(rung.raw) {
                    hasEnded = true
                    continue
                }
                throw CommandProblem(status: .failed, message: "\(role.rawValue) ended before it answered.")
            }
            agents.forgetEnded(among: ready)
            try session.resolveWhatTheDeadLeft()
        }
    }

    /// Waits until a dictation meets a condition.
    ///
    /// - Parameters:
    ///   - limit: nil waits without limit.
    ///   - others: descriptors that also wake it; `isThere` must read them.
    /// - Returns: ``Found/late`` when the time is over, ``Found/removed`` when the dictation is removed before.
    func wait(
        for id: DictationID, within limit: Duration? = nil, alsoWaitingFor others: () -> [Int32] = { [] },
        until isThere: (DictationState) throws -> Bool
    ) throws -> Found {
        let found = try wait(within: limit, alsoWaitingFor: others) { _ -> Found? in
            // By its row: the change that matters may have come during another wait.
            guard let state = try session.store.dictation(id) else { return .removed }
            return try isThere(state) ? .state(state) : nil
        }
        return found ?? .late
    }

    /// The result of the wait for a dictation.
    enum Found {
        case state(DictationState)
        case removed
        case late

        var state: DictationState? { if case .state(let state) = self { state } else { nil } }
    }
}
