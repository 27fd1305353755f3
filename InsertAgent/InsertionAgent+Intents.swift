import DictationService
import DictationSettings
import DictationShared
import DictationText

/// Carries out the intents for this agent; texts need no intent.
extension InsertionAgent {
    func handle(_ intent: Intent) async throws {
        do {
            if let answer = try await carryOut(intent) { try context.store.answer(intent.id, answer) }
        } catch let error as TransitionRefused {
            try context.store.answer(intent.id, .refused("\(error)"))
        } catch let error as StoreError {
            try context.store.answer(intent.id, .refused("\(error)"))
        }
    }

    /// - Returns: the answer; nil if it follows later.
    private func carryOut(_ intent: Intent) async throws -> Intent.Phase? {
        switch intent.action {
        case .insert(let named):
            let state =
                try named.map { try context.store.dictation($0) }
                ?? policy.dictationToInsert(among: try context.store.history(limit: TextCopy.recent))
            guard let state else {
                return .refused(
                    named == nil ? "there is no text to type" : "there is no such dictation")
            }
            // A request that names no dictation does not mean a discarded one.
            if named == nil, state.delivery == .discarded {
                return .refused(Intent.discardedNewest(state.id))
            }
            if state.isCommand { return .refused("dictation \(state.id) was a command, and has no text") }
            // No text is typed twice unless that is asked for: a key that runs the command may be pressed with nothing
            // held, and the rest of a named text may have been counted to its end since.
            if state.delivery == .inserted {
                return .refused(
                    named == nil ? Intent.insertedNewest(state.id) : Intent.alreadyInserted(state.id))
            }
            if state.delivery != .pending, state.growth != .open || !state.isBeingSpoken {
                try context.store.apply(.requeued, to: state.id)
            }
            answers.awaitSettling(of: state.id, for: intent.id)
            return nil
        case .insertAgain(let id, let seen):
            guard let state = try context.store.dictation(id), state.revision == seen else {
                return .refused(
                    "dictation \(id) has changed since it was asked for; nothing was typed. See: dictstate show \(id)"
                )
            }
            try context.store.apply(.requeued, to: id)
            answers.awaitSettling(of: id, for: intent.id)
            return nil
        case .hold(let id):
            let state = try context.store.dictation(id)
            if state?.delivery == .pending || state?.growth == .open {
                try context.store.apply(.held(.interrupted), to: id)
            }
            let now = try context.store.dictation(id)
            let isHeld = now?.delivery == .held(.interrupted) || now?.heldGrowth == .interrupted
            return isHeld ? .done("held", dictation: id) : .refused("it is not being typed")
        case .undo:
            edits.append((intent.id, nil))
            return nil
        case .edit(let request, nil): return try edit(request, for: intent.id)
        case .readSelection(let id): return try await delivery.readSelection(for: id)
        // It is handled at its dictation's turn.
        case .edit(_, let id?), .replace(_, let id):
            return try context.store.dictation(id)?.isCommand == true ? nil : .refused("it is over")
        case .copy(let named): return try await TextCopy(context: context, backend: backend).carryOut(named)
        case .discard(let id):
            try context.store.apply(.discarded, to: id)
            return .done("discarded", dictation: id)
        // The store gives the inserter its own intents only.
        case .record, .key, .recognize, .transform: return nil
        }
    }

    /// - Returns: the answer; nil if it follows later.
    private func edit(_ request: Intent.EditRequest, for intent: Int64) throws -> Intent.Phase? {
        let locale = request.locale ?? context.settings.current.speech.locale
        let command = Language.candidates(locale).lazy.compactMap {
            EditCommands(language: $0).command(request.words)
        }.first
        guard case .insert(let layout)? = command else {
            edits.append((intent, request))
            return nil
        }
        let added = try context.store.add(text: layout, locale: locale, isExact: true)
        answers.awaitSettling(of: added.id, for: intent)
        return nil
    }
}
