import Desktop
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import DictationText
import Logging

/// Edits the last insertion, and undoes edits: removes its end with BackSpace, up to the first character that
/// changes, and types the rest like any text.
extension TextDelivery {
    /// The outcome of a command.
    struct Edited {
        let answer: Intent.Phase
        /// Whether it cannot have been meant as a command, if its words are a sentence as well.
        var isNoCommand = false
        /// The dictation that an edit had removed completely, and that is typed again. Its insertion is the
        /// answer.
        var restored: DictationID?
        /// The agent cannot continue.
        var failure: (any Error)?

        static func refused(_ reason: String) -> Edited { Edited(answer: .refused(reason)) }
    }

    /// Undoes the last edit, or removes the last insertion.
    func undo() async throws -> Edited {
        try await edit(.undo, language: .english, TextEdit(language: .english))
    }

    func edit(_ request: Intent.EditRequest) async throws -> Edited {
        let settings = context.settings.current
        let languages = Language.candidates(request.locale ?? settings.speech.locale)
        let found = languages.lazy.compactMap { language in
            EditCommands(language: language).command(request.words).map { (language, $0) }
        }.first
        guard let (language, command) = found else {
            let names = languages.map(\.identifier).joined(separator: ", ")
            guard languages.contains(where: \.isKnown) else {
                let known = Language.all.map(\.identifier).joined(separator: ", ")
                return .refused("there are no edit commands in “\(names)”; there are in \(known)")
            }
            return .refused(
                "“\(request.words)” is not an edit command in \(names): docs/daily-use.md lists them")
        }
        let dictionary = LiveDictionary(file: DictionaryFile(beside: .standard()), logger: context.logger)
        return try await edit(
            command, language: language, TextEdit(language: language, dictionary: dictionary.current))
    }

    private func edit(
        _ command: EditCommand, language: Language, _ edit: TextEdit
    ) async throws -> Edited {
        do {
            try checkPresence()
        } catch let away as UserAway {
            return .refused(DeliveryPolicy.holdReason(for: away.absence).explanation)
        }
        switch command {
        case .stopListening: return .refused("a recording ends with: dictstate stop")
        case .insert: return .refused("that is text, not an edit command")
        case .press(let key): return try await press(key)
        case .undo: if let restored = try await restoreErased() { return restored }
        case .scratch, .delete, .replace, .setCase, .select: break
        }
        guard let last = history.last else {
            return Edited(
                answer: .refused("insert-agent has typed nothing that can be undone"), isNoCommand: true)
        }
        if command.hasFreeWords {
            do throws(TextEdit.Refusal) {
                _ = try edit.apply(command, to: last.text)
            } catch .notFound(let words) {
                return Edited(
                    answer: .refused("\(TextEdit.Refusal.notFound(words)): nothing was changed"),
                    isNoCommand: true)
            } catch {
                // The words are there.
            }
        }
        guard let undo = backend.undo else { return .refused("nothing can be undone there") }
        guard try await last.window.isSameWindow(as: backend.windows.focusedWindow()) else {
            let name = last.window.title
            return Edited(
                answer: .refused("the last text went to the window “\(name)”, which is no longer focused"),
                isNoCommand: true)
        }
        if let obstacle = try await obstacle(to: undo, of: last) { return .refused(obstacle) }
        switch command {
        case .select: return try await select(last, by: undo)
        case .scratch: return try await remove(last, by: undo)
        case .undo:
            guard let former = last.formerTexts.last else { return try await remove(last, by: undo) }
            return try await revise(last, by: undo, isUndo: true) { _ throws(TextEdit.Refusal) in former }
        default:
            return try await revise(last, by: undo) { text throws(TextEdit.Refusal) in
                try edit.apply(command, to: text)
            }
        }
    }

    /// Why the last insertion cannot be edited: it must be right before the caret, with nothing typed or clicked since.
    private func obstacle(to undo: any TextUndo, of last: LastInsertion) async throws -> String? {
        let name = "“\(last.window.title)”"
        if history.watch?.seesKeys == false {
            // The user's keys are not visible there: the window itself has to show that the text is still
            // before the caret.
            switch try await undo.isBeforeCaret(last.text, in: last.window) {
            case true?: break
            case false?: return "the text in \(name) was changed since: nothing was changed"
            case nil: return "what was typed in \(name) since cannot be seen: nothing was changed"
            }
        } else if !history.isUntouched(in: last.window) {
            return "something was typed or clicked in \(name) since: nothing was changed"
        }
        return nil
    }

    /// Why the characters of the last insertion cannot be counted in its window.
    private func obstacle(toCounting last: LastInsertion) -> String? {
        guard policy.style(for: last.window).alteration == .words, !last.isPasted else { return nil }
        return
            "“\(last.window.title)” corrects typed words, and may have changed the text: nothing was changed"
    }

    /// Why the end of the last insertion cannot be removed by BackSpace.
    func obstacle(toRemoving end: String, of last: LastInsertion) -> String? {
        let style = policy.style(for: last.window)
        let name = "“\(last.window.title)”"
        if let obstacle = obstacle(toCounting: last) { return obstacle }
        if style.alteration.indents(last.text) {
            return
                "BackSpace removes whole steps of indentation in \(name), and the text has some: nothing was changed"
        }
        // Toolkits differ in how many BackSpaces a letter with an accent or a family takes, and do not report
        // it.
        if backend.keyboard != nil, !last.window.isNative,
            let character = end.first(where: { $0.unicodeScalars.count > 1 })
        {
            return
                "BackSpace may remove “\(character)” in several steps in \(name): nothing was changed"
        }
        if style.isEnter(in: end) {
            return "Enter was pressed in \(name), which cannot be undone: nothing was changed"
        }
        return nil
    }

    // MARK: - Removing

    /// - Parameter canReturn: whether "undo that" brings it back.
    private func remove(
        _ last: LastInsertion, by undo: any TextUndo, canReturn: Bool = false
    ) async throws -> Edited {
        if let obstacle = obstacle(toRemoving: last.text, of: last) { return .refused(obstacle) }
        // Until it is in the window again, the text that was selected is kept where a kill leaves it.
        let former = try last.replaced.map { try context.store.keepFormerText($0, of: last.id) }
        switch try await remove(last.text, of: last, by: undo, canReturn: canReturn) {
        case .failure(let stop): return .refused(stop.reason + held(former))
        case .success:
            guard let former, let replaced = last.replaced else {
                return Edited(
                    answer: .done("removed \(last.text.count.counted("character"))", dictation: last.id))
            }
            // The text before the caret has moved.
            history.clear()
            if let problem = try await putBack(replaced, in: last.window) {
                return .refused(
                    "the new text was removed, but the old one could not be put back: \(problem)"
                        + held(former))
            }
            try context.store.answer(former, .done("put back", dictation: last.id))
            return Edited(
                answer: .done("put back \(replaced.count.counted("character"))", dictation: last.id))
        }
    }

    /// Holds the formerly selected text if it could not be restored.
    ///
    /// - Parameter former: the intent that keeps it; nil if nothing was selected.
    /// - Returns: a sentence about it for the answer; empty if nothing is held.
    private func held(_ former: Int64?) -> String {
        do {
            guard let former, let state = try context.store.holdFormerText(former) else { return "" }
            return ". The text that was selected is held: dictstate insert \(state.id)"
        } catch {
            context.logger.error("the text that was selected cannot be held: \(error)")
            return ""
        }
    }

    /// Why BackSpaces stopped in the middle.
    struct Stop: Error {
        let cause: TypingOutcome.StopReason
        /// For a person: how much was removed.
        let reason: String
    }

    /// Presses BackSpace for the end of the last insertion. If that stops in the middle, the rest of the
    /// dictation is held.
    func remove(
        _ end: String, of last: LastInsertion, by undo: any TextUndo, canReturn: Bool = false
    ) async throws -> Result<Void, Stop> {
        guard !end.isEmpty else { return .success(()) }
        let context = context
        let outcome = try await undo.undo(
            end, in: last.window, record: Delivery.undoRecord(of: last, by: .current)
        ) { Self.note(last.count(afterUndoing: $0), of: last.id, in: context) }
        let count = outcome.characterCount
        Self.note(last.count(afterUndoing: count), of: last.id, in: context)
        let (watch, isTyped) = await watchBehind(last.window)
        if case .stopped(_, let reason) = outcome {
            switch reason {
            // The number of characters left is known, and nothing else was typed.
            case .hotkeyPressed where !isTyped, .keyboardBusy where !isTyped:
                if count > 0 { history.removeLast(count, watch: watch) }
            default: history.clear()
            }
            return .failure(
                Stop(
                    cause: reason,
                    reason: "\(reason); \(count) of \(end.count.counted("character")) were removed"))
        }
        if isTyped {
            history.clear()
        } else {
            history.removeLast(end.count, watch: watch)
            if canReturn { history.noteErased(last, watch: watch) }
        }
        return .success(())
    }

    /// Writes down how many characters of a dictation are left. A private one that is gone from the store needs no account.
    private static func note(_ count: Int, of id: DictationID, in context: AgentContext) {
        guard let state = try? context.store.dictation(id) else { return }
        if count < state.insertedCount {
            _ = try? context.keeper.apply(.undone(count), to: id)
        } else if count > state.insertedCount {
            // More was announced than has gone.
            _ = try? context.store.recount([id: state.cleanedText.prefix(count).unicodeScalars.count])
        }
    }

    /// Requests typing of a dictation that an edit had removed completely, if nothing was typed instead.
    private func restoreErased() async throws -> Edited? {
        guard let erased = history.erased, history.watch?.isTouched() == false,
            try context.store.dictation(erased.id)?.delivery == .held(.undone),
            try await erased.window.isSameWindow(as: backend.windows.focusedWindow())
        else { return nil }
        try context.store.apply(.requeued, to: erased.id)
        return Edited(answer: .taken, restored: erased.id)
    }

    // MARK: - Revising

    /// - Parameter isUndo: whether an edit is undone.
    private func revise(
        _ last: LastInsertion, by undo: any TextUndo, isUndo: Bool = false,
        _ edit: (String) throws(TextEdit.Refusal) -> String
    ) async throws -> Edited {
        guard let state = try context.store.dictation(last.id) else {
            return .refused("the last text was private, and nothing of it is kept: it can only be removed")
        }
        guard state.delivery == .inserted, last.countBefore + last.bodyCount == state.cleanedText.count
        else { return .refused("the last text was not typed to its end: it can only be removed") }
        let revision: TextRevision
        do {
            revision = try TextRevision(of: last, cleaned: state.cleanedText, by: edit)
        } catch {
            return .refused("\(error): nothing was changed")
        }
        if revision.isRemoval { return try await remove(last, by: undo, canReturn: true) }
        if let obstacle = obstacle(toRemoving: revision.removed, of: last) { return .refused(obstacle) }
        if case .failure(let stop) = try await remove(revision.removed, of: last, by: undo) {
            return .refused(stop.reason)
        }
        let revised = try context.keeper.apply(
            .revised(revision.text, typed: revision.kept, by: .current), to: last.id)
        let ending = await deliver(revised, isAsked: true, only: last.window)
        let settled = try context.settle(last.id, ending.transition)
        if case .held(let reason) = settled.delivery {
            return Edited(
                answer: .refused("\(reason.explanation); the rest of the new text is held"),
                failure: ending.failure)
        }
        let former = String(state.cleanedText.dropFirst(last.countBefore))
        history.noteEdited(
            last.id, formerTexts: isUndo ? last.formerTexts.dropLast() : last.formerTexts + [former])
        return Edited(
            answer: .done(
                "removed \(revision.removed.count.counted("character")), typed \((revision.text.count - revision.kept).counted("character"))",
                dictation: last.id), failure: ending.failure)
    }

    // MARK: - Keys

    private func select(_ last: LastInsertion, by undo: any TextUndo) async throws -> Edited {
        let style = policy.style(for: last.window)
        guard !style.isTerminal else { return .refused("nothing can be selected by keys in a terminal") }
        if let obstacle = obstacle(toCounting: last) { return .refused(obstacle) }
        if style.isEnter(in: last.text) {
            return .refused("Enter was pressed in “\(last.window.title)”: nothing was selected")
        }
        let text = String(last.text.dropFirst(last.leadCount))
        guard let outcome = try await undo.select(text, in: last.window) else {
            return .refused("nothing can be selected there")
        }
        // The next text replaces the selection.
        history.clear()
        if case .stopped(let count, let reason) = outcome {
            return .refused("\(reason); \(count) of \(text.count.counted("character")) were selected")
        }
        return Edited(
            answer: .done("selected \(text.count.counted("character"))", dictation: last.id))
    }

    private func press(_ key: EditKey) async throws -> Edited {
        guard let window = try await backend.windows.focusedWindow() else {
            return .refused("no window has the focus")
        }
        let style = policy.style(for: window)
        guard style.pressesEnter else {
            return .refused(
                "no profile allows keys in \(window.windowClass): [[profile]] with press-enter = true does")
        }
        let (text, options) = (
            String(key.character), TypingOptions(newline: .return, tab: .key, pressesEscape: true)
        )
        guard try await backend.typing.survey(text, options: options, window: window).pressesKeys else {
            return .refused("keys cannot be pressed there")
        }
        let outcome = try await backend.typing.type(
            text, into: window, options: options, pace: style.pace, record: nil, progress: { _ in })
        history.clear()
        if case .stopped(_, let reason) = outcome { return .refused("\(reason)") }
        return Edited(answer: .done("pressed \(key.rawValue)", dictation: nil))
    }
}
