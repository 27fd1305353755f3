import Desktop
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Synchronization

/// The attempt to insert a text by one method.
struct InsertionAttempt: Sendable {
    let delivery: Delivery
    let backend: InsertionBackend
    let context: AgentContext
    let survey: TypingSurvey
    /// Called after each batch; throws to stop typing there.
    let checkMayType: @Sendable () throws -> Void

    enum Outcome {
        case done(TypingOutcome)
        case copied
        /// This is unknown.
        case unsure
        /// Nothing was done, so that another method is safe.
        case notDone(because: String)
    }

    private var window: WindowInfo { delivery.window }
    private var style: InsertionStyle { delivery.style }

    nonisolated(nonsending) func carryOut(by method: InsertMethod) async throws -> Outcome {
        let whole = delivery.framed.whole
        // A replaced selection may lie between two lines: no key is pressed after its replacement. If no key
        // can be pressed, a newline is text.
        let isSplit = delivery.replaced == nil && (survey.onlyCommits == nil || style.pressesEnter)
        let (text, isEnterPressed) = isSplit ? style.splitEnter(off: whole, for: method) : (whole, false)
        let outcome = text.isEmpty ? .done(.typed(0)) : try await insert(text, by: method)
        guard isEnterPressed, case .done(.typed(let count)) = outcome else { return outcome }
        switch try await type("\n", TypingOptions(newline: .return), after: count) {
        case .typed(let more): return .done(.typed(count + more))
        case .stopped(let more, let reason): return .done(.stopped(count + more, reason: reason))
        }
    }

    nonisolated(nonsending) private func insert(
        _ text: String, by method: InsertMethod
    ) async throws -> Outcome {
        switch method {
        case .type: return .done(try await type(text, style.options))
        case .paste: return try await paste(text)
        case .ibus: return try await commit(text)
        case .copy:
            guard let clipboard = backend.clipboard else { return .notDone(because: Self.noClipboard) }
            // The text that will be before it is not known.
            let body = delivery.framed.body
            try await clipboard.copy(style.options.plain(body) ?? body)
            try note(by: InsertionRoute(.copy, isConfirmed: true))
            return .copied
        case .xdotool: return try await runCommand(text)
        case .none: return .notDone(because: "the settings say so")
        }
    }

    private static let noClipboard = "there is no clipboard"

    /// - Parameter done: how many characters of the whole are there already.
    nonisolated(nonsending) private func type(
        _ text: String, _ options: TypingOptions, after done: Int = 0
    ) async throws -> TypingOutcome {
        let teller = teller(after: done)
        return try await backend.typing.type(
            text, into: window, options: options, pace: style.pace, record: delivery.record(after: done),
            progress: teller)
    }

    /// Records the progress and the way of a text, and asks whether to continue.
    ///
    /// - Parameter done: how many characters of the whole are there already.
    private func teller(after done: Int) -> @Sendable (TypingProgress) throws -> Void {
        let written = TellingState(delivery.state)
        return { progress in
            let read = delivery.count(of: done + progress.read)
            let before = written.last.withLock { $0 }
            // Enter after a text may take another way; the text's way counts.
            let isNewWay = done == 0 && progress.route != before.route
            try note(read > before.count ? read : nil, by: isNewWay ? progress.route : nil)
            written.last.withLock { $0 = (max(read, before.count), progress.route) }
            try checkMayType()
        }
    }

    private final class TellingState: Sendable {
        let last: Mutex<(count: Int, route: InsertionRoute?)>

        init(_ state: DictationState) { last = Mutex((state.insertedCount, state.route)) }
    }

    nonisolated(nonsending) private func commit(_ text: String) async throws -> Outcome {
        guard let commit = backend.commit else { return .notDone(because: "IBus cannot type there") }
        if let stop = try await hindrance() { return .done(stop) }
        let outcome = try await commit.commit(
            text, into: window, options: style.options, confirmation: survey.onlyCommits ?? .needed,
            progress: teller(after: 0))
        switch outcome {
        case .ended(let outcome): return .done(outcome)
        case .notPossible(let obstacle): return .notDone(because: "\(obstacle)")
        case .unsure: return .unsure
        }
    }

    nonisolated(nonsending) private func paste(_ text: String) async throws -> Outcome {
        guard let clipboard = backend.clipboard else { return .notDone(because: Self.noClipboard) }
        let options = delivery.replaced == nil ? style.options : .exact
        guard let plain = options.plain(text) else {
            return .notDone(because: "its newlines are keys there")
        }
        let outcome = try await clipboard.paste(
            plain, into: window, keys: style.pasteKey, isTerminal: style.isTerminal,
            record: delivery.record(), adding: text.unicodeScalars.count
        ) {
            try note(delivery.count(of: text.count), by: InsertionRoute(.paste, isConfirmed: true))
        }
        switch outcome {
        case .pasted: return .done(.typed(text.count))
        case .stopped(let reason): return .done(.stopped(0, reason: reason))
        case .notTaken: return .notDone(because: "\(window.windowClass) did not accept the paste")
        case .notPossible(let obstacle): return .notDone(because: "\(obstacle)")
        case .stillWaiting:
            return .notDone(because: "\(window.windowClass) still waits for an interrupted paste")
        case .unsure: return .unsure
        }
    }

    /// The program itself, for those who want it, in pieces: it looks neither at the focus nor at a request to stop, and types
    /// its piece to the end if this process is killed. How far it got in a piece, it does not say.
    nonisolated(nonsending) private func runCommand(_ text: String) async throws -> Outcome {
        guard let command = backend.command else { return .notDone(because: "xdotool cannot type there") }
        guard style.options.plain(text) != nil else {
            return .notDone(because: "its newlines are keys there")
        }
        if let stop = try await hindrance() { return .done(stop) }
        let tell = teller(after: 0)
        var count = 0
        while count < text.count {
            let piece = String(text.dropFirst(count).prefix(Self.pieceLength))
            guard try await window.isSameWindow(as: backend.windows.focusedWindow()) else {
                return .done(.stopped(count, reason: .focusMoved(to: nil)))
            }
            switch try await command.type(style.options.plain(piece) ?? "") {
            case .done: count += piece.count
            case .notInstalled where count == 0: return .notDone(because: "xdotool is not installed")
            case .notInstalled, .failed: return .unsure
            }
            let route = InsertionRoute(.xdotool, isConfirmed: false)
            try tell(TypingProgress(sent: count, read: count, route: route))
        }
        return .done(.typed(count))
    }

    /// In characters; xdotool types one in 12 ms.
    private static let pieceLength = 20

    /// Why nothing may be typed there yet, by another way than the typist's own: the window may have read more of this text
    /// than is counted.
    nonisolated(nonsending) private func hindrance() async throws -> TypingOutcome? {
        guard !window.isNative else { return nil }
        // Typing an empty text asks the window.
        let outcome = try await backend.typing.type(
            "", into: window, options: style.options, pace: .zero, record: delivery.record(),
            progress: { _ in })
        if case .stopped = outcome { return outcome }
        return nil
    }

    /// Writes down how many characters of the dictation are there, and the way they went, if these have
    /// changed.
    private func note(_ count: Int? = nil, by route: InsertionRoute?) throws {
        let state = delivery.state
        do {
            if let route { try context.keeper.apply(.routed(route), to: state.id) }
            if let count { try context.keeper.apply(.progress(count), to: state.id) }
        } catch let refusal as TransitionRefused {
            // Another program has held it in the meantime. What is typed still counts: the rest begins after
            // it.
            if let count {
                try context.store.recount([state.id: state.cleanedText.prefix(count).unicodeScalars.count])
            }
            throw refusal
        }
    }
}
