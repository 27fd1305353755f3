import Desktop
import DictationService
import DictationShared
import DictationSystem
import Logging

/// Replaces the selected text of a window: copies it first, so that nothing else is replaced.
extension TextDelivery {
    /// The outcome of a replacement.
    struct Replaced {
        let ending: Ending
        /// Why nothing was replaced; nil if the replacement was begun.
        var refusal: String?

        static func refused(_ reason: String, _ transition: DictationTransition) -> Replaced {
            Replaced(ending: Ending(transition: transition), refusal: reason)
        }
    }

    /// Replaces the selection by a text, if it is still selected, to the byte, in the window of the
    /// dictation, and if that window has the focus.
    ///
    /// - Parameter state: claimed, still a command. It gets the text, so that nothing is lost.
    func replace(_ request: Intent.ReplaceRequest, for state: DictationState) async throws -> Replaced {
        context.keeper.adopt(state)
        let text = try context.keeper.apply(.adapted(request.text), to: state.id)
        do {
            try checkPresence()
            let read = selectionWindow.flatMap { $0.dictation == text.id ? $0.window : nil }
            guard let window = text.target ?? read else {
                return .refused(
                    "insert-agent was restarted, and no longer knows the window of the selection",
                    .held(.notReplaced))
            }
            if let reason = try await obstacle(to: request, in: window) {
                return .refused(reason, .held(.notReplaced))
            }
            return Replaced(
                ending: Ending(
                    transition: try await insert(text, into: window, replacing: request.selection)))
        } catch let away as UserAway {
            return .refused(
                away.absence.explanation, .held(DeliveryPolicy.holdReason(for: away.absence)))
        } catch let error as DesktopError {
            return Replaced(
                ending: Ending(transition: .held(.typingFailed), failure: error), refusal: "\(error)")
        }
    }

    /// Why the selection cannot be replaced.
    private func obstacle(to request: Intent.ReplaceRequest, in window: WindowInfo) async throws -> String? {
        guard let selection = backend.selection else {
            return "selected text cannot be replaced on this desktop"
        }
        let name = "“\(window.title)”"
        guard !policy.style(for: window).isTerminal else {
            return "selected text in a terminal cannot be replaced"
        }
        guard try await window.isSameWindow(as: backend.windows.focusedWindow()) else {
            return "the window \(name), in which it was selected, is no longer focused"
        }
        switch try await selection.copySelection(in: window) {
        case .copied(let text) where text.utf8.elementsEqual(request.selection.utf8): return nil
        case .copied: return "another text is selected in \(name) now"
        case .nothing: return "the text is no longer selected in \(name), or cannot be copied by Ctrl+Insert"
        case .unreadable: return "the selection in \(name) cannot be read"
        case .stopped(let reason): return "\(reason)"
        case .notPossible(let reason): return reason
        }
    }

    /// For an answer that may have replaced a selected text only in part: that text is nowhere else.
    ///
    /// - Parameter intent: the intent that holds the selected text.
    func holdFormerText(_ intent: Int64, of id: DictationID, because reason: HoldReason) throws {
        let isBegun = try context.store.dictation(id)?.isBegun ?? false
        guard isBegun || [.pasteUnsure, .notResponding].contains(reason),
            let former = try context.store.holdFormerText(intent)
        else { return }
        context.logger.warning(
            "the selected text may be gone from its window. It is held: dictstate insert \(former.id)")
    }

    // MARK: - Reading

    /// Copies the selection of the focused window.
    ///
    /// - Parameter id: of the dictation with the instruction.
    func readSelection(for id: DictationID) async throws -> Intent.Phase {
        do {
            try checkPresence()
            guard let window = try await backend.windows.focusedWindow(), let selection = backend.selection
            else { throw SelectionObstacle.noWindow }
            let name = window.title.isEmpty ? window.windowClass : window.title
            if policy.style(for: window).isTerminal { throw SelectionObstacle.terminal(window: name) }
            if policy.isKeptFromModel(window) { throw SelectionObstacle.keptFromModel(window: name) }
            switch try await selection.copySelection(in: window) {
            case .copied(let text):
                selectionWindow = (id, window)
                return .done(text, dictation: id)
            case .nothing: throw SelectionObstacle.nothingSelected(window: name)
            case .unreadable: throw SelectionObstacle.unreadable(window: name)
            case .stopped(let reason): return .refused("\(reason)")
            case .notPossible(let reason): return .refused(reason)
            }
        } catch let obstacle as SelectionObstacle {
            return .refused("\(obstacle)")
        } catch let away as UserAway {
            return .refused(away.absence.explanation)
        }
    }

    // MARK: - Undo

    /// Restores the text that a replacement had removed, after the replacement itself is removed.
    ///
    /// - Returns: the reason why the text is not back; nil if it is.
    func putBack(_ replaced: String, in window: WindowInfo) async throws -> String? {
        let style = policy.style(for: window)
        if let clipboard = backend.clipboard, let plain = TypingOptions.exact.plain(replaced) {
            let record = TypingRecord(text: "\(Claimant.current) former-text", scalars: 0)
            let outcome = try await clipboard.paste(
                plain, into: window, keys: style.pasteKey, isTerminal: style.isTerminal, record: record,
                adding: 0, taken: {})
            switch outcome {
            case .pasted: return nil
            case .stopped(let reason): return "\(reason)"
            case .unsure, .stillWaiting: return "the application may or may not have taken it"
            case .notTaken, .notPossible: break
            }
        }
        let outcome = try await backend.typing.type(
            replaced, into: window, options: style.options, pace: style.pace, record: nil, progress: { _ in })
        if case .stopped(_, let reason) = outcome { return "\(reason)" }
        return nil
    }
}

extension TypingOptions {
    /// Newlines and tabs are kept: for a text that was in the window, or is pasted in the place of one.
    static let exact = TypingOptions(newline: .return, tab: .key)
}
