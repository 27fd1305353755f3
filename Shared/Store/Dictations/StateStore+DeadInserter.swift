import Foundation

/// Handles a text that was being typed when its inserter died.
///
/// The process that notices first holds it, so that it does not seem to be still in progress: the next
/// inserter, or `dictstate`. How far it got is known to the store up to the last batch, and to the display
/// exactly; the next inserter asks the display, and corrects the count if another process was first.
extension StateStore {
    /// Holds the texts that a dead inserter had claimed; does nothing while an inserter runs.
    ///
    /// Any number of processes may call this at once: the first one changes the rows.
    ///
    /// - Returns: the dictations that are held now.
    @discardableResult
    public func resolveDeadInserter(at date: Date = Date()) throws -> [DictationState] {
        // In this order: an inserter that claimed before the role was found free is dead. One that starts now
        // is another.
        let claimants = try unfinished().compactMap(\.claimant)
        guard !claimants.isEmpty, try RoleLock.holder(of: .inserter, in: group) == nil else { return [] }
        return try releaseClaims(of: { claimants.contains($0) }, at: date)
    }

    /// Holds the texts that an earlier inserter had begun to type while the user spoke, and would have
    /// continued. This inserter does not know their window.
    ///
    /// Called by the inserter, before it claims anything.
    ///
    /// - Returns: the dictations that are held now.
    @discardableResult
    public func holdContinued(at date: Date = Date()) throws -> [DictationState] {
        guard try unfinished().contains(where: \.continuesLive) else { return [] }
        return try write(durability: .power) { transaction in
            try Self.unfinished(transaction.db).filter(\.continuesLive).map { state in
                try Self.apply(.held(.inserterDied), to: state, at: date, transaction)
            }
        }
    }

    /// Corrects the count of typed characters of texts whose inserter died, or whose application did not
    /// respond and has read its keys since.
    ///
    /// Called by the inserter, for texts that were not claimed again since.
    ///
    /// - Parameter typed: the Unicode scalars that the display knows to be typed.
    /// - Returns: the dictations whose count was corrected.
    @discardableResult
    public func recount(
        _ typed: [DictationID: Int], at date: Date = Date()
    ) throws -> [DictationState] {
        guard !typed.isEmpty else { return [] }
        return try write(durability: .power) { transaction in
            try typed.sorted { $0.key < $1.key }.compactMap { id, scalars in
                try Self.dictation(id, transaction.db).flatMap { state in
                    try Self.recount(state, scalars: scalars, at: date, transaction)
                }
            }
        }
    }

    /// Records why a text is held whose inserter died. The process that held it may have had no display to
    /// ask.
    public func explain(
        _ reasons: [DictationID: HoldReason], at date: Date = Date()
    ) throws {
        guard !reasons.isEmpty else { return }
        try write(durability: .power) { transaction in
            for (id, reason) in reasons.sorted(by: { $0.key < $1.key }) {
                guard let state = try Self.dictation(id, transaction.db), state.isExplained(by: reason) else {
                    continue
                }
                _ = try Self.apply(.held(reason), to: state, at: date, transaction)
            }
        }
    }

    /// - Returns: nil if nothing is new.
    static func recount(
        _ state: DictationState, scalars: Int, at date: Date, _ transaction: Transaction
    ) throws -> DictationState? {
        // Even if the rest was requested since: what the display knows is typed.
        switch state.delivery {
        case .pending, .held: break
        // Typed while the user spoke.
        case nil: if state.isGrowthClaimed || state.cleanedText.isEmpty { return nil }
        case .claimed, .inserted, .discarded: return nil
        }
        guard scalars > state.typedScalars else { return nil }
        let known = min(scalars, state.cleanedText.unicodeScalars.count)
        return try apply(.recounted(scalars: known), to: state, at: date, transaction)
    }
}
