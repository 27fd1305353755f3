import DictationSystem
import Foundation
import GRDB

extension StateStore {
    /// Begins a dictation in status `starting`.
    ///
    /// - Parameters:
    ///   - isPrivate: whether it is removed when it is done.
    ///   - options: how it differs from the settings.
    @discardableResult
    public func begin(
        _ id: DictationID? = nil, target: WindowInfo?, engine: String, locale: String,
        isPrivate: Bool = false, options: StartOptions = StartOptions(), at date: Date = Date()
    ) throws -> DictationState {
        try write {
            try Self.begin(
                id ?? DictationID(date: date), target: target, engine: engine, locale: locale,
                isPrivate: isPrivate, options: options, at: date, $0)
        }
    }

    static func begin(
        _ id: DictationID, target: WindowInfo?, engine: String, locale: String, isPrivate: Bool = false,
        isExact: Bool = false, options: StartOptions = StartOptions(), at date: Date,
        _ transaction: Transaction
    ) throws -> DictationState {
        let state = DictationState(
            id: id, revision: try transaction.revision(of: .any),
            timestamp: DictationRow.date(DictationRow.milliseconds(date)), phase: .starting, target: target,
            engine: engine, locale: locale, isPrivate: isPrivate, isExact: isExact, options: options)
        return try DictationRow.insert(state, transaction.db)
    }

    /// Puts a text into the store that was not spoken, ready to be typed after all that was spoken before.
    ///
    /// - Parameter isExact: whether it is typed unchanged, with nothing put before it, unlike a dictation.
    public func add(
        text: String, locale: String, isPrivate: Bool = false, isExact: Bool = false, at date: Date = Date()
    ) throws -> DictationState {
        try write(durability: .power) { transaction in
            let state = try Self.begin(
                DictationID(date: date), target: nil, engine: DictationState.noEngine, locale: locale,
                isPrivate: isPrivate,
                isExact: isExact, at: date, transaction)
            return try Self.apply(
                .recognized(.init(rawText: text, cleanedText: text)), to: state, at: date, transaction)
        }
    }

    /// Puts a text into the store that was recognized from the recording of another dictation, held.
    public func add(
        _ text: DictationTransition.Recognized, heldBecause reason: HoldReason, locale: String,
        isPrivate: Bool, at date: Date = Date()
    ) throws -> DictationState {
        var text = text
        text.held = reason
        return try write(durability: .power) { transaction in
            let state = try Self.begin(
                DictationID(date: date), target: nil, engine: text.engine ?? "", locale: locale,
                isPrivate: isPrivate, at: date, transaction)
            return try Self.apply(.recognized(text), to: state, at: date, transaction)
        }
    }

    /// Carries out one transition.
    ///
    /// A ready text or a failure is on the disk when this returns; the other transitions survive the death
    /// of any process, but the newest of them may be lost when the power fails.
    ///
    /// - Parameter waitsForDisk: if not, another thread syncs it: see ``whenOnDisk(_:)``.
    /// - Throws: ``TransitionRefused``, ``StoreError/noSuchDictation(_:)``.
    @discardableResult
    public func apply(
        _ transition: DictationTransition, to id: DictationID, at date: Date = Date(),
        waitsForDisk: Bool = true
    ) throws -> DictationState {
        let durability = transition.durability
        return try write(
            durability: durability == .power && !waitsForDisk ? .powerSoon : durability
        ) { transaction in
            guard let state = try Self.dictation(id, transaction.db) else {
                throw StoreError.noSuchDictation(id)
            }
            return try Self.apply(transition, to: state, at: date, transaction)
        }
    }

    static func apply(
        _ transition: DictationTransition, to state: DictationState, at date: Date, _ transaction: Transaction
    ) throws -> DictationState {
        var next = try state.applying(transition)
        if transition.isProgress {
            next.revision = try transaction.revision(of: nil)
            try DictationRow.setUnfinished(next, transaction.db)
            return next
        }
        next.revision = try transaction.revision(of: next.isUnfinished ? .any : .finished)
        // The user's word makes an old text young again, and so do words that were spoken just now.
        let hasGrown = next.isBeingSpoken && next.cleanedText != state.cleanedText
        let becomesPending =
            next.isClaimable && (!state.isClaimable || state.delivery != next.delivery || hasGrown)
        try DictationRow.update(next, readyAt: becomesPending ? date : nil, transaction.db)
        return next
    }

    /// Holds the texts that a dead inserter had claimed. Their `insertedCount` says how much was certainly
    /// typed.
    ///
    /// The process that holds the inserter's role calls it before it claims anything.
    ///
    /// - Parameter typed: the Unicode scalars of a claimed text that are typed, as the display knows; nil if
    ///   it does not know. If that is more than the store knows, it counts; a text that was typed to its end
    ///   is inserted, not held.
    /// - Parameter left: how many characters are left, as the display knows, if the owner of the claim
    ///   removed some.
    /// - Parameter reason: why the text of a claim is held, if more is known than that its inserter died.
    /// - Returns: the dictations whose claim was released.
    @discardableResult
    public func releaseClaims(
        of dead: (Claimant) -> Bool, typed: (Claimant, DictationID) -> Int? = { _, _ in nil },
        left: (Claimant, DictationID) -> Int? = { _, _ in nil },
        reason: (Claimant, DictationID) -> HoldReason? = { _, _ in nil },
        at date: Date = Date()
    ) throws -> [DictationState] {
        try write(durability: .power) { transaction in
            try Self.unfinished(transaction.db).compactMap { state in
                guard let claimant = state.claimant, dead(claimant) else { return nil }
                if state.isCommand {
                    return try Self.apply(
                        .failed(.notEdited("insert-agent ended before it was done")), to: state, at: date,
                        transaction)
                }
                var state = state
                if let left = left(claimant, state.id), left < state.insertedCount {
                    state = try Self.apply(.undone(left), to: state, at: date, transaction)
                }
                if state.remainder.isEmpty, state.delivery == .claimed(by: claimant) {
                    return try Self.apply(.inserted(milliseconds: 0), to: state, at: date, transaction)
                }
                let why = reason(claimant, state.id) ?? .inserterDied
                let held = try Self.apply(.held(why), to: state, at: date, transaction)
                return try typed(claimant, state.id).flatMap { scalars in
                    try Self.recount(held, scalars: scalars, at: date, transaction)
                } ?? held
            }
        }
    }

    // MARK: - Looking

    public func dictation(_ id: DictationID) throws -> DictationState? {
        try read { try Self.dictation(id, $0) }
    }

    /// The dictations whose identifiers have this end, the oldest first.
    ///
    /// - Parameter end: at least four characters; none has a shorter one.
    public func dictations(endingIn end: String) throws -> [DictationID] {
        guard end.count >= DictationRow.endOfIDLength else { return [] }
        return try read { db in
            var rows = try DirectStatement(
                """
                SELECT id FROM dictation WHERE \(DictationRow.endOfID) = ?
                    AND substr(id, -length(?2)) = ?2 ORDER BY id
                """, db)
            try rows.bind(String(end.suffix(DictationRow.endOfIDLength)))
            try rows.bind(end)
            var ids: [DictationID] = []
            while try rows.step() { ids.append(DictationID(trusted: rows.text(0))) }
            return ids
        }
    }

    /// The open work for an agent that starts: dictations that need an agent, and unanswered intents, with the
    /// revision from which on it follows the store. Finished dictations need no agent, however many there are.
    public func openWork() throws -> ChangeSet {
        try read { db in
            ChangeSet(
                revision: try Self.revision(db), inAnyOrder: try Self.unfinished(db),
                intents: try Self.openIntents(db))
        }
    }

    /// The newest dictations, newest first.
    public func history(limit: Int) throws -> [DictationState] {
        try read { db in
            var rows = try DirectStatement(
                DictationRow.newest, db)
            try rows.bind(limit)
            return try DictationRow.decodeAll(rows)
        }
    }

    /// The newest dictation with a held text, which may still grow; nil if none of the newest 100 has one. A selected text
    /// that is held next to its replacement comes last.
    public func newestHeld() throws -> DictationState? {
        let held = try history(limit: 100).filter { $0.delivery?.heldReason != nil || $0.heldGrowth != nil }
        return held.first { $0.delivery != .held(.formerText) } ?? held.first
    }

    /// Dictations that still need an agent, in the order in which they were spoken.
    public func unfinished() throws -> [DictationState] {
        try read { try Self.unfinished($0) }
    }

    /// All that changed after a revision, in the order of the revisions. A revision that the store has not
    /// reached is of an earlier store: then everything is new. The same applies if it is no longer known what
    /// was removed after the revision.
    public func changes(since revision: Revision) throws -> ChangeSet {
        if revision > 0 {
            // Nearly always all that is new is unfinished.
            let (newest, dictations) = try readStatement { try Self.unfinished(since: revision, $0) }
            if newest.isNewOnlyUnfinished(since: revision) {
                return ChangeSet(revision: newest.any, inAnyOrder: dictations)
            }
        }
        return try read { try Self.changes(since: revision, $0) }
    }

    private static func changes(since revision: Revision, _ db: Database) throws -> ChangeSet {
        var (newest, dictations) = try unfinished(since: revision, db)
        // Another store, in place of the one that was read before; or it was read too long ago.
        if revision > 0, newest.any < revision || newest.unknownRemovals > revision {
            return try changes(since: 0, db)
        }
        if newest.finished > revision {
            var rows = try DirectStatement(DictationRow.finishedSince, db)
            try rows.bind(revision)
            dictations += try DictationRow.decodeAll(rows)
        }
        return ChangeSet(
            revision: newest.any, inAnyOrder: dictations,
            intents: newest.intents > revision ? try intents(since: revision, db) : [],
            removed: revision > 0 && newest.removals > revision ? try removals(since: revision, db) : [],
            isComplete: revision == 0)
    }

    /// Changed dictations that need an agent, with the newest revisions of the store's parts. Separate, so
    /// that its statement is free again when everything is to be read again.
    private static func unfinished(
        since revision: Revision, _ db: Database
    ) throws -> (Newest, [DictationState]) {
        var rows = try DirectStatement(DictationRow.unfinishedSince, db)
        try rows.bind(revision)
        var newest: Newest?
        var dictations: [DictationState] = []
        while try rows.step() {
            if newest == nil { newest = DictationRow.newest(rows) }
            if DictationRow.hasDictation(rows) { dictations.append(try DictationRow.decode(rows)) }
        }
        guard let newest else { throw DatabaseError.counterGone }
        return (newest, dictations)
    }

    static func dictation(_ id: DictationID, _ db: Database) throws -> DictationState? {
        var row = try DirectStatement(DictationRow.byID, db)
        try row.bind(id.description)
        return try row.step() ? DictationRow.decode(row) : nil
    }

    static func unfinished(_ db: Database) throws -> [DictationState] {
        try DictationRow.decodeAll(DirectStatement(DictationRow.unfinished, db))
    }
}

/// The changes between two revisions.
public struct ChangeSet: Equatable, Sendable {
    /// The newest commit that is contained.
    public let revision: Revision
    public let dictations: [DictationState]
    public let intents: [Intent]
    /// Dictations that are gone. A reader that keeps states drops these.
    public var removed: [DictationID] = []
    /// Whether ``dictations`` is complete: a reader that keeps states drops every other one. This is
    /// so for revision 0, and for a reader that was away so long that the store no longer knows what was
    /// removed since.
    public var isComplete = false

    package init(
        revision: Revision, inAnyOrder dictations: [DictationState], intents: [Intent] = [],
        removed: [DictationID] = [], isComplete: Bool = false
    ) {
        self.revision = revision
        self.dictations =
            dictations.count > 1 ? dictations.sorted { $0.revision < $1.revision } : dictations
        self.intents = intents
        self.removed = removed
        self.isComplete = isComplete
    }

    /// Whether something in it is typed while it is spoken.
    public var isTypedWhileSpoken: Bool { dictations.contains { $0.growth != nil && $0.isBeingSpoken } }

    /// Whether it contains more than partial results and the progress of typing, which come many times in a
    /// dictation and need no agent.
    public var isMoreThanProgress: Bool {
        isComplete || !intents.isEmpty || !removed.isEmpty
            || dictations.contains { state in
                switch state.phase {
                case .recording: state.partialText.isEmpty || state.isClaimable
                case .ready(.claimed): state.insertedCount == 0
                default: true
                }
            }
    }
}

extension DictationTransition {
    /// Whether it changes only the row of `unfinished_dictation`.
    var isProgress: Bool {
        switch self {
        case .partial, .loading, .progress: true
        default: false
        }
    }

    var durability: StateStore.Durability {
        switch self {
        // The words, and that they were typed, must survive a power failure; everything else can be
        // reconstructed. A claim that is lost with the power leaves a text from before the start, which is
        // not typed without a request.
        case .recognized, .failed, .inserted, .held, .discarded, .recounted, .undone, .revised: .power
        case .recordingStarted, .partial, .loading, .grown, .regrown, .processingStarted, .cancelled,
            .claimed, .progress, .paused, .mended, .requeued, .handedOver, .adapted, .noticed, .routed:
            .process
        }
    }
}
