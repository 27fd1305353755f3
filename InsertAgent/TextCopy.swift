import Desktop
import DictationService
import DictationShared
import DictationSystem

/// Puts a text on the clipboard, which this process owns until another program does.
struct TextCopy {
    let context: AgentContext
    let backend: InsertionBackend

    /// How many dictations are searched if the user names none.
    static let recent = 100

    /// - Parameter named: nil takes the newest dictation that has a text.
    func carryOut(_ named: DictationID?) async throws -> Intent.Phase {
        let state =
            try named.map { try context.store.dictation($0) }
            ?? context.store.history(limit: Self.recent).first { !$0.cleanedText.isEmpty }
        // A text that an older version stored may have control characters.
        guard let state, case let text = state.cleanedText.withoutControls, !text.isEmpty else {
            return .refused("there is no such text")
        }
        guard let clipboard = backend.clipboard else { return .refused("insert-agent has no clipboard here") }
        if let problem = try await clipboard.copyForAll(text) { return .refused(problem) }
        return .done("copied \(text.count.counted("character"))", dictation: state.id)
    }
}
