import Foundation

/// Handles a text that was being typed when its inserter died.
///
/// The process that notices first holds it, so that nobody believes that it is still being typed: the next inserter, or
/// `dictstate`. How far it got is known to the store up to the last batch, and to the display exactly; the next
/// inserter asks the display, and corrects the count where somebody else was first.
extension StateStore {
    /// Holds what a dead inserter had claimed; does nothing while an inserter runs.
    ///
    /// Any number of processes may call this at once: the first one changes the rows.
    ///
    /// - Returns: what was held.
    @discardableResult
    public func resolveDeadInserter(at date: Date = Date()) throws -> [DictationState] {
        // In this order: the one who claimed them before the role was found free, is dead. One that starts now is another.
        let claimants = try unfinished().compactMap(\.claimant)
        guard !claimants.isEmpty, try RoleLock.holder(of: .inserter, in: group) == nil else { return [] }
        return try releaseClaims(of: { claimants.contains($0) }, at: date)
    }

    /// Holds what an earlier inserter has begun to type while the user spoke, and would go on typing: this one does not
    /// know the window where it did.
    ///
    /// To be called by the inserter, before it claims anything.
    ///
    /// - Returns: what was held.
    @discardableResult
    public func holdContinued(at date: Date = Date()) throws -> [DictationState] {
        guard try unfinished().contains(where: \.continuesLive) else { return [] }
        return try write(durability: .power) { transaction in
            try Self.unfinished(transaction.db).filter(\.continuesLive).map { state in
                try Self.apply(.held(.inserterDied), to: state, at: date, transaction)
            }
        }
    }

    /// Corrects how much was typed of texts whose inserter died, or whose application did not respond then and has read its
    /// keys since.
    ///
    /// To be called by the inserter, for what was not claimed again meanwhile.
    ///
    /// - Parameter typed: the Unicode scalars that the display knows to be typed.
    /// - Returns: what was corrected.
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

    /// Gives the reason why a text is held whose inserter died, where somebody else has held it who cannot ask the display.
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
        // Even if somebody asked for the rest meanwhile: what the display knows is typed.
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
