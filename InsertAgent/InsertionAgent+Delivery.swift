import Desktop
import DesktopX11
import DictationBus
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Logging
import Synchronization

/// Getting one text into its window: where, how, and what when that does not work.
extension InsertionAgent {
    func deliver(_ state: DictationState) async throws {
        context.keeper.adopt(state)
        do {
            try checkMayType(state.id)
            try settle(state.id, try await insert(state, since: .now))
        } catch let away as UserAway {
            try settle(state.id, .held(DeliveryPolicy.holdReason(for: away.absence)))
        } catch is Interrupted {
            try settle(state.id, .held(.interrupted))
        } catch let error as DesktopError {
            // The text is kept; an agent without a display cannot go on.
            try settle(state.id, .held(.typingFailed))
            throw error
        } catch {
            context.logger.error("typing failed: \(error)")
            try settle(state.id, .held(.typingFailed))
        }
    }

    /// Thrown to stop typing in the middle.
    private struct UserAway: Error {
        let absence: SessionWatch.Absence
    }

    /// Whoever asked for the text wants no more of it. Thrown to stop typing in the middle.
    private struct Interrupted: Error {}

    /// - Throws: ``UserAway``, ``Interrupted``.
    private nonisolated func checkMayType(_ id: DictationID) throws {
        try checkPresence()
        // What the store cannot say now hinders no typing.
        if (try? context.store.isAskedToHold(id)) == true { throw Interrupted() }
    }

    /// - Throws: ``UserAway`` where the session is locked, in the background, or about to sleep.
    private nonisolated func checkPresence() throws {
        if let absence = session.absence { throw UserAway(absence: absence) }
    }

    /// - Returns: how it ends.
    private func insert(
        _ claimed: DictationState, since began: ContinuousClock.Instant
    ) async throws -> DictationTransition {
        var state = claimed
        while true {
            switch try await insertOnce(state, since: began) {
            case .end(let transition): return transition
            case .waitForKeyboard(let now): state = now
            }
            guard try await isKeyboardFreeInTime() else { return .held(.keyboardBusy) }
            try checkPresence()
            // What has begun in one window does not go on in another.
            if state.isBegun, try await typist.focusedWindow()?.id != last?.window.id {
                return .held(.focusMoved)
            }
        }
    }

    /// What one attempt to insert a text comes to.
    private enum Turn {
        case end(DictationTransition)
        /// The user holds the hotkey to dictate the next text: until then no window gets a key. With how far it got.
        case waitForKeyboard(DictationState)
    }

    /// Waits while the hotkey is held; where it was only tapped, the keyboard is free at once.
    private func isKeyboardFreeInTime() async throws -> Bool {
        context.logger.info("a text waits while the hotkey is held for the next one")
        let wait = try DesktopWait(forKeyboardWithin: .seconds(policy.patience))
        await withTaskCancellationHandler {
            await wait.value()
        } onCancel: {
            wait.stop()
        }
        return try await !typist.isKeyboardTaken() && !Task.isCancelled
    }

    private func insertOnce(
        _ state: DictationState, since began: ContinuousClock.Instant
    ) async throws -> Turn {
        let isAsked = asked[state.id] != nil
        let focused = try await typist.focusedWindow()
        switch policy.decide(state, focused: focused, isAsked: isAsked) {
        case .settle(let transition): return .end(transition)
        case .insert(let window): return try await insert(state, into: window, since: began)
        case .activate(let origin):
            let window = WindowInfo(
                id: origin.id, windowClass: origin.windowClass, title: origin.title, pid: origin.pid)
            guard try await typist.activate(window) else { return .end(.held(.focusMoved)) }
            return try await insert(state, into: window, since: began)
        }
    }

    private func insert(
        _ state: DictationState, into window: WindowInfo, since began: ContinuousClock.Instant
    ) async throws -> Turn {
        // The settings as they are now hold to the end.
        let policy = policy
        let style = policy.style(for: window)
        var state = state
        if !state.isBegun {
            let words =
                state.isExact
                ? state.cleanedText : style.words(raw: state.rawText, cleaned: state.cleanedText)
            // The store says what the window gets.
            if words != state.cleanedText {
                state = try context.keeper.apply(.adapted(words), to: state.id)
            }
        }
        let framed =
            state.isExact
            ? FramedText(exactly: state.remainder)
            : FramedText(
                state.remainder, after: before(state, in: window, within: policy.insert.spacingSeconds),
                style: style)
        let survey = try await typist.survey(framed.whole, options: style.options, window: window)
        let methods = policy.methods(style, text: framed.whole, survey: survey)
        let delivery = Delivery(state: state, window: window, style: style, framed: framed)
        for (index, method) in methods.enumerated() {
            let attempt = try await attempt(method, delivery)
            let elapsed = Int((began.duration(to: .now) / .milliseconds(1)).rounded())
            switch attempt {
            case .done(let outcome):
                remember(outcome, of: delivery)
                if case .stopped(let count, let reason) = outcome {
                    let now = try context.keeper.apply(.progress(delivery.count(of: count)), to: state.id)
                    if try policy.givesWay(reason, whileRecording: isRecording()) {
                        return .waitForKeyboard(now)
                    }
                    // More may arrive: what stands before the caret is not known, and not to be taken back.
                    if reason == .notResponding { last = nil }
                    context.logger.warning("typing stopped: \(reason)")
                }
                return .end(policy.settle(outcome, milliseconds: elapsed))
            case .unsure: return .end(.held(.pasteUnsure))
            case .copied:
                try context.keeper.apply(.noticed(Notice.copied), to: state.id)
                return .end(.inserted(milliseconds: elapsed))
            case .notDone(let reason):
                guard index + 1 < methods.count else { return .end(.held(.typingFailed)) }
                let notice = Notice.fallback(from: method, to: methods[index + 1], because: reason)
                context.logger.warning("\(notice.message)")
                try context.keeper.apply(.noticed(notice), to: state.id)
            }
        }
        return .end(.held(.bySetting))
    }

    /// What stands before the text in its window; nil where that is not known, or is the text's own beginning.
    private func before(_ state: DictationState, in window: WindowInfo, within seconds: Int) -> String? {
        guard let last, !state.isBegun || last.id != state.id else { return nil }
        return last.isBeforeCaret(in: window, within: seconds) ? last.text : nil
    }

    private func isRecording() throws -> Bool {
        try context.store.unfinished().contains { [.starting, .recording].contains($0.status) }
    }

    /// A text on its way into a window.
    struct Delivery: Sendable {
        let state: DictationState
        let window: WindowInfo
        let style: InsertionStyle
        let framed: FramedText

        /// How many characters of the dictation are there when so many of the whole are typed.
        func count(of typed: Int) -> Int {
            let count = framed.bodyCount(of: typed)
            if state.tornScalars == 0 { return state.insertedCount + count }
            // The rest of a torn character is one in itself, or joins the next.
            return state.characters(in: state.typedScalars + framed.body.prefix(count).unicodeScalars.count)
                .count
        }

        /// - Parameter typed: how many characters of the whole are there already.
        func record(after typed: Int = 0) -> TypingRecord {
            // What stands before the text is not counted.
            TypingRecord(
                text: InsertionAgent.record(of: state.id, by: .current),
                scalars: state.typedScalars - framed.before.unicodeScalars.count
                    + framed.whole.prefix(typed).unicodeScalars.count)
        }
    }

    // MARK: - Methods

    private enum Attempt {
        case done(TypingOutcome)
        case copied
        /// Nobody knows.
        case unsure
        /// Nothing was done, so that another method is safe.
        case notDone(because: String)
    }

    private func attempt(_ method: InsertMethod, _ delivery: Delivery) async throws -> Attempt {
        let (text, isEnterPressed) = delivery.style.splitEnter(off: delivery.framed.whole, for: method)
        let attempt =
            text.isEmpty ? .done(.typed(0)) : try await insert(text, by: method, of: delivery)
        guard isEnterPressed, case .done(.typed(let count)) = attempt else { return attempt }
        switch try await type("\n", TypingOptions(newline: .return), after: count, of: delivery) {
        case .typed(let more): return .done(.typed(count + more))
        case .stopped(let more, let reason): return .done(.stopped(count + more, reason: reason))
        }
    }

    private func insert(
        _ text: String, by method: InsertMethod, of delivery: Delivery
    ) async throws -> Attempt {
        switch method {
        case .type: return .done(try await type(text, delivery.style.options, of: delivery))
        case .paste: return try await paste(text, of: delivery)
        case .copy:
            // Nobody knows what it will stand behind.
            let body = delivery.framed.body
            try await typist.copy(delivery.style.options.plain(body) ?? body)
            return .copied
        case .xdotool: return try await runXdotool(text, of: delivery)
        case .none: return .notDone(because: "the settings say so")
        }
    }

    /// - Parameter done: how many characters of the whole are there already.
    private func type(
        _ text: String, _ options: TypingOptions, after done: Int = 0, of delivery: Delivery
    ) async throws -> TypingOutcome {
        let keeper = context.keeper
        let written = Mutex(delivery.state.insertedCount)
        return try await typist.type(
            text, into: delivery.window, options: options, pace: delivery.style.pace,
            record: delivery.record(after: done)
        ) { progress in
            let read = delivery.count(of: done + progress.read)
            if read > written.withLock({ $0 }) {
                try keeper.apply(.progress(read), to: delivery.state.id)
                written.withLock { $0 = read }
            }
            try self.checkMayType(delivery.state.id)
        }
    }

    private func paste(_ text: String, of delivery: Delivery) async throws -> Attempt {
        guard let plain = delivery.style.options.plain(text) else {
            return .notDone(because: "its newlines are keys there")
        }
        let keeper = context.keeper
        let outcome = try await typist.paste(
            plain, into: delivery.window, keys: delivery.style.pasteKey.keys,
            isTerminal: delivery.style.isTerminal, record: delivery.record(after: text.count)
        ) {
            try keeper.apply(.progress(delivery.count(of: text.count)), to: delivery.state.id)
        }
        switch outcome {
        case .pasted: return .done(.typed(text.count))
        case .stopped(let reason): return .done(.stopped(0, reason: reason))
        case .notTaken: return .notDone(because: "\(delivery.window.windowClass) did not take the paste")
        case .notPossible(let obstacle): return .notDone(because: "\(obstacle)")
        case .stillWaiting:
            let application = delivery.window.windowClass
            return .notDone(because: "\(application) still waits for a paste that broke off")
        case .unsure: return .unsure
        }
    }

    /// The program itself, for those who want it. How far it got when it fails, it does not say.
    private func runXdotool(_ text: String, of delivery: Delivery) async throws -> Attempt {
        guard let plain = delivery.style.options.plain(text) else {
            return .notDone(because: "its newlines are keys there")
        }
        guard try await typist.focusedWindow()?.id == delivery.window.id else {
            return .done(.stopped(0, reason: .focusMoved(to: nil)))
        }
        switch try Xdotool.type(plain) {
        case .done: return .done(.typed(text.count))
        case .notInstalled: return .notDone(because: "xdotool is not installed")
        case .failed: return .unsure
        }
    }

    private func remember(_ outcome: TypingOutcome, of delivery: Delivery) {
        let typed = outcome.characterCount
        guard typed > 0 else { return }
        let watch = try? TouchWatch(delivery.window)
        // Answers once it watches: a key of the user's that comes right behind the text is seen on a busy machine too.
        _ = watch?.isTouched()
        last = LastInsertion(
            id: delivery.state.id, window: delivery.window, text: String(delivery.framed.whole.prefix(typed)),
            countBefore: delivery.state.insertedCount, framed: delivery.framed, end: .now,
            watch: watch)
    }

    // MARK: - Taking back

    /// Takes back what was typed last, in the same window only, and only if nothing has touched it since.
    func takeBack() async throws -> Intent.Phase {
        guard let last else {
            return .refused("insert-agent has typed nothing that could be taken back")
        }
        let name = "“\(last.window.title)”"
        guard try await typist.focusedWindow()?.id == last.window.id else {
            return .refused("the last text went to the window \(name), which has not the focus now")
        }
        guard let watch = last.watch, !watch.isTouched() else {
            return .refused("something was typed or clicked in \(name) since: nothing was taken back")
        }
        guard !policy.style(for: last.window).alteration.indents(last.text) else {
            return .refused(
                "BackSpace takes back whole steps of indentation in \(name), and the text has such: nothing was taken back"
            )
        }
        let outcome = try await typist.takeBack(last.text.count, from: last.window)
        let count = outcome.characterCount
        self.last = nil
        if count > 0, try context.store.dictation(last.id) != nil {
            _ = try? context.keeper.apply(
                .takenBack(last.count(afterTakingBack: count)), to: last.id)
        }
        if case .stopped(_, let reason) = outcome {
            return .refused("\(reason); \(count) of \(last.text.count.counted("character")) were taken back")
        }
        return .done("took back \(count.counted("character"))", dictation: last.id)
    }
}

/// What the state says of a text that did not go the usual way.
enum Notice {
    static let copied = DictationFailure(
        code: .copied, message: "The text is on the clipboard, to be pasted by you",
        kept: "the text, in the history")

    static func fallback(
        from method: InsertMethod, to next: InsertMethod, because reason: String
    ) -> DictationFailure {
        DictationFailure(
            code: .methodFallback,
            message: "“\(method.rawValue)” was not possible (\(reason)); “\(next.rawValue)” was used instead")
    }
}

extension PasteKey {
    var keys: PasteKeys {
        switch self {
        case .shiftInsert: .shiftInsert
        case .ctrlV: .controlV
        case .ctrlShiftV: .controlShiftV
        }
    }
}
