import Desktop
import DictationShared
import DictationSystem

/// The selected text of native windows of a Wayland session. host-agent sees none of them, and presses no keys: it has
/// insert-agent copy the text.
struct NativeSelections: Sendable {
    let store: StateStore
    /// insert-agent may have a text to type first, and the window to copy.
    private static let limit: Duration = .seconds(15)

    /// - Parameter id: of the dictation with the instruction. insert-agent keeps the window for it.
    func read(for id: DictationID) async -> TransformFlow.Event {
        do {
            guard try RoleLock.holder(of: .inserter, in: store.group) != nil else {
                return .unselectable("insert-agent is not running; it is needed to read windows here")
            }
            let intent = try store.submit(.readSelection(for: id))
            switch try await answer(to: intent) {
            case .done?:
                let text = try store.takeSelection(intent.id)
                return text.map { .selected(.text($0)) } ?? .unselectable("the selected text is lost")
            case .refused(let reason)?: return .unselectable(reason)
            case .pending?, .taken?, nil: return .unselectable("insert-agent has not answered")
            }
        } catch {
            return .unselectable("\(error)")
        }
    }

    /// - Returns: nil if the time is over.
    private func answer(to intent: Intent) async throws -> Intent.Phase? {
        try await withThrowingTaskGroup(of: Intent.Phase?.self) { group in
            let store = store
            group.addTask {
                let changes = StateWatcher.changes(of: store, since: intent.revision - 1)
                for try await change in changes {
                    switch change.intents.first(where: { $0.id == intent.id })?.phase {
                    case .done(let outcome, let dictation)?: return .done(outcome, dictation: dictation)
                    case .refused(let reason)?: return .refused(reason)
                    case .pending?, .taken?, nil: break
                    }
                }
                return nil
            }
            group.addTask {
                try await pause(for: Self.limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
