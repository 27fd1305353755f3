import Foundation
import GRDB

/// A selected text is nowhere else while it is replaced or restored: its inserter may be killed when it is
/// gone from its window. The intent has it until the work is done.
extension StateStore {
    /// Keeps a text that will be restored in a window, until the intent is answered.
    ///
    /// - Parameter id: the dictation that has replaced it.
    /// - Returns: the intent.
    public func keepFormerText(_ text: String, of id: DictationID, at date: Date = Date()) throws -> Int64 {
        try write(durability: .power) { transaction in
            let intent = try Self.submit(
                .replace(Intent.ReplaceRequest(selection: text, text: ""), spokenIn: id),
                timeToLive: Intent.defaultTimeToLive, at: date, transaction)
            try Self.set(.taken, of: intent.id, transaction)
            return intent.id
        }
    }

    /// Holds the selected texts that a dead inserter was replacing or restoring, if they may be missing from
    /// their windows.
    ///
    /// The inserter calls it after it has counted the characters that the dead one typed, and before it takes
    /// anything.
    ///
    /// - Returns: the dictations that are held now.
    public func holdFormerTexts(at date: Date = Date()) throws -> [DictationState] {
        guard try !read({ try Self.takenReplacements($0) }).isEmpty else { return [] }
        return try write(durability: .power) { transaction in
            try Self.takenReplacements(transaction.db).compactMap {
                try Self.holdFormerText(of: $0, isEnded: true, at: date, transaction)
            }
        }
    }

    /// Holds a text that could not be restored.
    ///
    /// - Parameter id: of the intent that keeps it.
    /// - Returns: nil if its dictation was private, so that nothing of it is kept.
    public func holdFormerText(_ id: Int64, at date: Date = Date()) throws -> DictationState? {
        try write(durability: .power) { transaction in
            try Self.takenReplacements(transaction.db).first { $0.id == id }.flatMap {
                try Self.holdFormerText(of: $0, isEnded: false, at: date, transaction)
            }
        }
    }

    /// - Parameter isEnded: whether the inserter has died: then the text may be where it was.
    private static func holdFormerText(
        of intent: Intent, isEnded: Bool, at date: Date, _ transaction: Transaction
    ) throws -> DictationState? {
        guard case .replace(let request, let id) = intent.action else { return nil }
        let reason = isEnded ? "insert-agent ended before it was done" : "it is held"
        try set(.refused(reason), of: intent.id, transaction)
        guard let state = try dictation(id, transaction.db),
            !isEnded || request.text.isEmpty || state.mayHaveArrived
        else { return nil }
        let former = try begin(
            DictationID(date: date), target: nil, engine: DictationState.noEngine, locale: state.locale,
            isPrivate: state.isPrivate, isExact: true, at: date, transaction)
        let text = request.selection
        return try apply(
            .recognized(.init(rawText: text, cleanedText: text, held: .formerText)), to: former, at: date,
            transaction)
    }

    private static func takenReplacements(_ db: Database) throws -> [Intent] {
        try takenIntents(.inserter, db).filter { if case .replace = $0.action { true } else { false } }
    }
}

extension DictationState {
    /// Whether some of the text may be in a window. Host-agent does not see native windows: more may be there
    /// than was counted.
    fileprivate var mayHaveArrived: Bool {
        isBegun || target == nil || delivery == .held(.pasteUnsure) || delivery == .held(.notResponding)
            || delivery == .inserted
    }
}
