import Foundation
import GRDB

/// A dictation that was a command: it has its place among the texts, and an intent with the command.
extension StateStore {
    /// Ends a dictation as a command: its row, without a text, and its intent come in one commit. The inserter carries it
    /// out when all that was spoken before has come to rest.
    ///
    /// - Parameters:
    ///   - action: names the dictation.
    ///   - timeToLive: milliseconds that it may wait for its turn.
    func apply(
        _ text: DictationTransition.Recognized, asking action: Intent.Action, of id: DictationID,
        timeToLive: Int, at date: Date
    ) throws -> DictationState {
        try write(durability: .power) { transaction in
            guard let state = try Self.dictation(id, transaction.db) else {
                throw StoreError.noSuchDictation(id)
            }
            _ = try Self.submit(action, timeToLive: timeToLive, at: date, transaction)
            return try Self.apply(.recognized(text), to: state, at: date, transaction)
        }
    }

    /// Takes the intent of a command whose turn it is.
    ///
    /// - Returns: nil if it no longer has one, or it is too late.
    public func takeCommand(of id: DictationID, at now: Date = Date()) throws -> Intent? {
        try write { transaction in
            guard let intent = try Self.openCommand(of: id, transaction.db) else { return nil }
            if intent.isExpired(at: now) {
                try Self.set(.refused("too late"), of: intent.id, transaction)
                return nil
            }
            try Self.set(.taken, of: intent.id, transaction)
            return intent
        }
    }
}
