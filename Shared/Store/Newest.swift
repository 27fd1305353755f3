import GRDB

/// The newest revision of the store and of its parts, so that a reader looks only where something has changed: the one
/// row of `store_revision`.
struct Newest: Equatable {
    /// The raw values are the columns.
    enum Part: String, CaseIterable {
        /// Every commit but those of ``DictationRow/setUnfinished(_:_:)``, which leave their revision in the
        /// dictation's own row alone: a partial result writes one page.
        case any = "newest"
        case finished
        case intents
        /// The newest commit that removed a dictation.
        case removals
        /// The newest removal whose dictations are no longer known. A reader that has not seen it starts
        /// again.
        case unknownRemovals = "unknown_removals"
        /// The newest removal whose traces may still be in the file; 0 if there are none.
        case traces
    }

    let any, finished, intents, removals, unknownRemovals: Revision

    /// The columns that ``init(_:from:)`` reads, of `store_revision` as `r`.
    static let columns = "(\(newest)), r.finished, r.intents, r.removals, r.unknown_removals"

    /// The newest commit of all.
    static let newest = """
        SELECT max(newest, ifnull((SELECT max(revision) FROM unfinished_dictation), 0)) FROM store_revision
        """

    /// - Parameter first: the first of ``columns`` in the row.
    init(_ row: borrowing DirectStatement, from first: CInt) {
        any = row.integer(first)
        finished = row.integer(first + 1)
        intents = row.integer(first + 2)
        removals = row.integer(first + 3)
        unknownRemovals = row.integer(first + 4)
    }

    /// Whether a reader that has seen a revision needs only the unfinished dictations.
    func isNewOnlyUnfinished(since revision: Revision) -> Bool {
        any >= revision && max(finished, intents, removals, unknownRemovals) <= revision
    }
}

extension DatabaseError {
    /// The row of `store_revision` is not there.
    static let counterGone = DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the counter is gone")
}
