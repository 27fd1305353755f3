/// The remedies of one call for the faults that it meets: each remedy once, in this order, and then it gives up.
///
///     damaged ─► open again, reading every page (damaged files are moved aside in that)
///     damaged ─► move the files aside, even if the check passes
///     damaged ─► give up
///
/// A pure value, made for each call.
struct StoreRepair: Equatable {
    enum Remedy: Equatable, CaseIterable {
        /// Closes the files and opens those that have their names now.
        case reopen
        /// Opens a read-only store for writing.
        case openToWrite
        /// The same, and every page is read: damage that SQLite can find leads to a fresh store.
        case reopenChecking
        /// Moves the files aside, and begins a new store.
        case replace
        /// Releases the reserved space.
        case releaseReserve
    }

    private(set) var tried: [Remedy] = []

    /// - Returns: what to do before the call is tried again; nil to give up.
    mutating func next(after fault: StoreFault) -> Remedy? {
        let remedies: [Remedy] =
            switch fault {
            case .replaced: [.reopen, .reopenChecking]
            case .openedToLook: [.openToWrite]
            case .damaged: [.reopenChecking, .replace]
            case .full: [.releaseReserve]
            case .readOnly, .unusable: [.reopen]
            // It was waited for; only the other program can end it.
            case .busy: []
            }
        guard let remedy = remedies.first(where: { !tried.contains($0) }) else { return nil }
        tried.append(remedy)
        return remedy
    }
}
