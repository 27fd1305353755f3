/// Whether the store can be used, and the messages when that changes: once for each problem, once when it
/// is over.
///
///     a write finds the disk full ──► report: the disk is full
///     the next one as well ─────────► (nothing)
///     a read works ─────────────────► (nothing: reading needs no room)
///     a write works ────────────────► report: it works again
///
/// A pure value: no clock, no file.
struct StoreHealth: Equatable {
    enum Event: Equatable {
        case worked(Use)
        case failed(StoreError)
    }

    enum Use: Equatable {
        case reading, writing
        /// Writing that can wait: it makes no missing store again.
        case tidying
    }

    private(set) var trouble: StoreError?

    mutating func handle(_ event: Event) -> StoreNotice? {
        switch (event, trouble) {
        case (.failed(let new), let old):
            trouble = new
            return new == old ? nil : .trouble(new)
        case (.worked, nil):
            return nil
        case (.worked(let use), let old?):
            // Trouble with writing alone is over when a write has worked.
            guard use != .reading || !old.hindersOnlyWriting else { return nil }
            trouble = nil
            return .recovered(from: old)
        }
    }
}

/// A notice of a store that is not an answer to a call.
public enum StoreNotice: Equatable, Sendable, CustomStringConvertible {
    /// A store that could not be used was moved aside, and a new one has replaced it.
    case movedAside(DamagedStore)
    case trouble(StoreError)
    case recovered(from: StoreError)
    /// Another process keeps all others waiting.
    case waitsForLock(LockWait)
    /// A commit is in memory, where all processes find it, but the disk did not take it.
    case notOnDisk(reason: String)

    public var description: String {
        switch self {
        case .movedAside(let store):
            "A store that could not be used was moved aside to \(store.path) (\(store.story)). "
                + "A new one is in its place; nothing was deleted."
        case .trouble(let error): "\(error)"
        case .recovered: "The store works again."
        case .waitsForLock(let wait): "\(wait)"
        case .notOnDisk(let reason):
            "The disk did not take the newest dictation (\(reason)). It is kept in memory and used from there, "
                + "but a power failure would lose it. Check the disk: `journalctl --dmesg` shows its errors."
        }
    }

    /// Whether it needs attention.
    public var isProblem: Bool {
        if case .recovered = self { false } else { true }
    }
}
