/// The newest revision of the store and of its parts, so that a reader looks only where something has changed. They
/// lie in the rows of `live` that stand for no dictation, on the page that every commit writes anyway.
struct Newest {
    /// The raw values are the rows' numbers.
    enum Part: Int64, CaseIterable {
        /// Every commit; those that change an unfinished dictation change no other part.
        case any = 0
        case finished = -1
        case intents = -2
        /// The newest commit that removed a dictation.
        case removals = -3
        /// Of older removals it is no longer known which dictations they were: who has seen less starts anew.
        case unknownRemovals = -4
        /// The newest removal whose traces may still be in the file; 0 when there are none.
        case traces = -5
    }

    private var any: Revision = 0
    private var finished: Revision = 0
    private var intents: Revision = 0
    private var removals: Revision = 0
    private var unknownRemovals: Revision = 0
    private var traces: Revision = 0

    subscript(part: Part) -> Revision {
        get {
            switch part {
            case .any: any
            case .finished: finished
            case .intents: intents
            case .removals: removals
            case .unknownRemovals: unknownRemovals
            case .traces: traces
            }
        }
        set {
            switch part {
            case .any: any = newValue
            case .finished: finished = newValue
            case .intents: intents = newValue
            case .removals: removals = newValue
            case .unknownRemovals: unknownRemovals = newValue
            case .traces: traces = newValue
            }
        }
    }

    /// Whether a reader that has seen a revision needs nothing but what is unfinished.
    func isNewOnlyUnfinished(since revision: Revision) -> Bool {
        any >= revision && max(finished, intents, removals, unknownRemovals) <= revision
    }
}
