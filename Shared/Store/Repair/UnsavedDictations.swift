import Foundation

/// The changes of one agent to its dictations that the store does not have yet.
///
///     begin A, A starts recording         (saved)
///     A: partial "one" ─── the disk is full ─► A: [partial one]
///     A: partial "one two" ─────────────────► A: [partial one two]
///     A: recognized ────────────────────────► A: [partial one two, recognized]
///     the disk has room ────────────────────► A is written and forgotten
///
/// Saved changes are remembered too while an agent works on a dictation: should the store be replaced by a fresh
/// one in the middle, all of it is written again. A pure value: no store, no clock.
struct UnsavedDictations: Equatable {
    struct Change: Equatable {
        let transition: DictationTransition
        let date: Date
    }

    struct Record: Equatable {
        /// The state after all changes, saved or not.
        fileprivate(set) var state: DictationState
        fileprivate(set) var saved: [Change] = []
        fileprivate(set) var unsaved: [Change] = []
        /// False while the store has no row for it.
        fileprivate(set) var hasRow: Bool
        /// Whether this agent records it.
        fileprivate(set) var isBegunHere = false
        /// Whether this agent has found it in the store, to type it.
        fileprivate(set) var isAdopted = false
        /// The changes from `starting` to the first known state, for a store that has no row.
        fileprivate(set) var origin: [Change] = []

        var isSaved: Bool { hasRow && unsaved.isEmpty }
        /// All that a store without its row needs.
        var whole: [Change] { origin + saved + unsaved }
    }

    private(set) var records: [DictationID: Record] = [:]
    /// In the order in which they came to this agent.
    private var order: [DictationID] = []

    /// The dictations to write, in their order.
    var unsaved: [Record] { order.compactMap { records[$0] }.filter { !$0.isSaved } }

    /// A dictation that this agent began, which the store does not know yet.
    mutating func begin(_ state: DictationState) {
        add(Record(state: state, hasRow: false, isBegunHere: true))
    }

    /// Those that this agent has begun, and that are still spoken.
    var begun: Set<DictationID> { Set(records.filter(\.value.isBegunHere).keys) }

    /// A dictation that this agent found in the store.
    mutating func adopt(_ state: DictationState, at date: Date) {
        // One agent may be both, the one that records and the one that types.
        add(
            Record(
                state: state, hasRow: true, isBegunHere: records[state.id]?.isBegunHere == true,
                isAdopted: true, origin: state.origin.map { Change(transition: $0, date: date) }))
    }

    private mutating func add(_ record: Record) {
        if records.updateValue(record, forKey: record.state.id) == nil { order.append(record.state.id) }
    }

    /// Adds a change that is not written yet.
    ///
    /// - Throws: ``TransitionRefused``.
    mutating func add(_ change: Change, to id: DictationID) throws {
        guard var record = records[id] else { return }
        record.state = try record.state.applying(change.transition)
        record.unsaved.append(replacing: change)
        records[id] = record
    }

    /// All changes of a dictation are in the store, which now has it as `state`. One on which the agent has nothing
    /// more to do is forgotten.
    mutating func saved(_ state: DictationState) {
        guard var record = records[state.id] else { return }
        for change in record.unsaved { record.saved.append(replacing: change) }
        record.unsaved = []
        record.hasRow = true
        record.state = state
        if record.isInWork { records[state.id] = record } else { forget(state.id) }
    }

    /// Others have changed a dictation that this agent has begun.
    mutating func note(_ state: DictationState) {
        guard let record = records[state.id], record.isBegunHere, record.isSaved,
            state.revision > record.state.revision
        else { return }
        records[state.id]?.state = state
    }

    /// The store has no row for it any more.
    ///
    /// How far an inserter got with a growing text, was recorded only in that row: written again, the text is
    /// held after what is known of it, so that nothing is typed twice.
    mutating func lost(_ id: DictationID) {
        guard var record = records[id] else { return }
        record.hasRow = false
        if record.isBegunHere, !record.isAdopted, record.state.growth != nil {
            let last = (record.saved + record.unsaved).last
            if let held = try? record.state.applying(.held(.typingFailed)) { record.state = held }
            record.origin = record.state.origin.map {
                Change(transition: $0, date: last?.date ?? record.state.timestamp)
            }
            record.saved = []
        }
        records[id] = record
    }

    mutating func forget(_ id: DictationID) {
        records[id] = nil
        order.removeAll { $0 == id }
    }
}

extension UnsavedDictations.Record {
    /// Whether this agent works on it at this moment: it is spoken here, or typed here.
    fileprivate var isInWork: Bool {
        isBegunHere && state.isBeingSpoken || isAdopted && state.claimant != nil
    }
}

extension [UnsavedDictations.Change] {
    /// Adds a change. Of changes that replace each other, the newest is enough: so a dictation takes no more
    /// memory than its text, even if it is long.
    fileprivate mutating func append(replacing change: Element) {
        if change.transition.isWholeText {
            removeAll { $0.transition.isReplaced(by: change.transition) }
        } else if let last, last.transition.isReplaced(by: change.transition) {
            removeLast()
        }
        append(change)
    }
}

extension DictationState {
    /// The changes from `starting` to this state.
    fileprivate var origin: [DictationTransition] {
        switch phase {
        case .failed, .cancelled: return []
        case .starting: return grown
        case .recording: return [.recordingStarted] + grown
        case .processing: return [.processingStarted(recording: timings.recording ?? 0)] + grown
        case .ready(let delivery):
            guard case .claimed(let claimant) = delivery else { return [recognized()] }
            // Only a recount knows the typed part of a torn character.
            return tornScalars == 0
                ? [recognized(), .claimed(by: claimant), .progress(insertedCount)]
                : [
                    recognized(held: .inserterDied), .recounted(scalars: typedScalars), .requeued,
                    .claimed(by: claimant),
                ]
        }
    }

    private var grown: [DictationTransition] {
        guard let growth, !cleanedText.isEmpty else { return [] }
        var changes: [DictationTransition] = [.grown(cleanedText)]
        if isBegun || isGrowthClaimed {
            changes += [.claimed(by: claimant ?? .current), .progress(insertedCount)]
            if !isGrowthClaimed { changes.append(.paused(insertedCount)) }
        }
        if case .held(let reason) = growth { changes.append(.held(reason)) }
        return changes
    }

    private func recognized(held: HoldReason? = nil) -> DictationTransition {
        .recognized(
            .init(
                rawText: rawText, cleanedText: cleanedText, held: held, notice: notice, timings: timings,
                engine: engine))
    }
}

extension DictationTransition {
    /// Whether it brings all of a text that grows, so that earlier ones of its kind are not needed,
    /// independent of those between.
    fileprivate var isWholeText: Bool {
        switch self {
        case .partial, .grown, .regrown: true
        default: false
        }
    }

    /// Whether nothing is left of this one after the next.
    fileprivate func isReplaced(by next: DictationTransition) -> Bool {
        switch (self, next) {
        case (.partial, .partial), (.loading, .loading), (.grown, .grown), (.regrown, .regrown),
            (.progress, .progress):
            true
        default: false
        }
    }
}
