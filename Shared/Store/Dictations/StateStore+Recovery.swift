import Foundation
import GRDB

/// Handles dictations whose host-agent died.
///
/// Two steps. The process that notices first, a new host or any other process, ends the rows at once
/// (`error`, code `host-died`): a dictation without a living owner would keep all later ones from being
/// typed. The sound is still there, and the next host recognizes it when it has time, which makes a held text
/// of the row.
extension StateStore {
    /// Ends the unfinished work of a dead host; does nothing while a host runs.
    ///
    /// Any number of processes may call this at once: the first one changes the rows.
    ///
    /// - Returns: the dictations that were ended.
    @discardableResult
    public func resolveDeadHost(at date: Date = Date()) throws -> [DictationState] {
        guard try RoleLock.holder(of: .host, in: group) == nil else { return [] }
        // Asked again under the writers' lock: as long as we have that, a host that starts now begins no dictation.
        return try endRecordings(at: date) { try RoleLock.holder(of: .host, in: $0) == nil }
    }

    /// Ends the unfinished work of an earlier host. Called by the host, which holds the role.
    ///
    /// - Parameter ours: the dictations that this host has begun, and that are still spoken; evaluated after
    ///   the store was read, so that one that begins in between is not among them.
    @discardableResult
    public func resolveEarlierHost(
        sparing ours: () -> Set<DictationID> = { [] }, at date: Date = Date()
    ) throws -> [DictationState] {
        let found = Set(try unfinished().filter(\.belongsToHost).map(\.id))
        return try endRecordings(among: found.subtracting(ours()), at: date) { _ in true }
    }

    /// - Parameter left: nil for all that are there.
    private func endRecordings(
        among left: Set<DictationID>? = nil, at date: Date, if isDead: (AppGroup) throws -> Bool
    ) throws -> [DictationState] {
        func isToEnd(_ state: DictationState) -> Bool {
            state.belongsToHost && left?.contains(state.id) != false
        }
        guard try unfinished().contains(where: isToEnd) else { return [] }
        return try write(durability: .power) { transaction in
            guard try isDead(group) else { return [] }
            return try Self.unfinished(transaction.db).filter(isToEnd).map { state in
                let hasSound = group.audioFiles.existingRecording(of: state.id) != nil
                return try Self.apply(
                    .failed(.hostDied(hasSound: hasSound)), to: state, at: date, transaction)
            }
        }
    }

    /// Makes a row for a recording that has none, as if its host had died: the store was lost, or had no room.
    ///
    /// - Returns: nil if there already is a row.
    public func adoptRecording(
        _ id: DictationID, engine: String, locale: String
    ) throws -> DictationState? {
        try write(durability: .power) { transaction in
            guard try Self.dictation(id, transaction.db) == nil else { return nil }
            let state = try Self.begin(
                id, target: nil, engine: engine, locale: locale, at: id.date, transaction)
            return try Self.apply(.failed(.hostDied(hasSound: true)), to: state, at: id.date, transaction)
        }
    }
}

extension DictationState {
    /// Whether the host-agent that began it has still something to do for it.
    var belongsToHost: Bool {
        switch phase {
        case .starting, .recording, .processing: true
        case .ready, .failed, .cancelled: false
        }
    }
}

extension DictationFailure {
    /// The host ended in the middle of a dictation.
    public static func hostDied(hasSound: Bool) -> DictationFailure {
        hasSound
            ? DictationFailure(
                code: .hostDied, message: "host-agent ended in the middle of this dictation.",
                kept: "what was recorded until then; host-agent recognizes it when it runs again")
            : DictationFailure(
                code: .hostDied,
                message: "host-agent ended in the middle of this dictation; nothing was recorded.")
    }
}
