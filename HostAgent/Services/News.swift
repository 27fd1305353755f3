import DictationShared

/// Distinguishes what is new since the agent started from older states, which are not announced again.
struct News: Equatable {
    /// The store's revision when the agent began; nil as long as it could not be read.
    private var past: Revision?

    init(since past: Revision?) { self.past = past }

    /// - Parameter changes: what the agent reads, in order.
    mutating func take(from changes: ChangeSet) -> [DictationState] {
        var past = past ?? changes.revision
        // A store that was made again counts from its beginning.
        if changes.revision < past { past = 0 }
        self.past = past
        return changes.dictations.filter { $0.revision > past }
    }
}
