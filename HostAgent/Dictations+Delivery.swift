import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import DictationText
import Foundation
import Logging

/// The way of the recognized text into the store: cleaned, passed to the hooks, and committed.
extension Dictations {
    /// Cleans the recognized text, and commits it.
    func deliver(
        _ outcome: SpeechService.Outcome, of id: DictationID, _ likelyTerms: [String],
        notice: DictationFailure?
    ) async {
        let clock = ContinuousClock()
        let began = clock.now
        let isTaken = dictations.values.first { $0.id == id }?.held == .askedFor
        // From here on, releasing the key does not release more of it for typing: it may become a command.
        let mayRevise = dictations.values.first { $0.id == id }?.live?.mayRevise == true
        for number in dictations.keys where dictations[number]?.id == id { dictations[number]?.live = nil }
        let given = (try? context.store.dictation(id))??.cleanedText ?? ""
        let origin = origin(of: id, likelyTerms: likelyTerms)
        let result = await text.clean(outcome, for: origin, behind: given, isTaken: isTaken)
        // It may have waited for the language model. No hook gets a canceled text.
        if endIfCancelled(id) { return }
        let hooked = await hooked(result, outcome, of: id)
        let cleaned = hooked.text
        let timings = Timings(
            recording: outcome.milliseconds, recognition: outcome.finalMilliseconds,
            cleaning: began.duration(to: clock.now).milliseconds)
        if result.stopsListening {
            context.save(.cancelled, of: id)
            context.logger.info("dictation \(id) was “stop listening”; nothing is typed")
            return
        }
        if let edit = result.edit { return await command(edit, outcome, of: id, timings) }
        // Text that is already typed cannot be undone.
        let isBegun = (try? context.store.dictation(id))?.map { $0.isBegun || $0.isGrowthClaimed } ?? false
        guard !cleaned.isEmpty || isBegun else {
            return await endWithoutText(result, outcome, of: id, notice: notice)
        }
        // A hotkey that is still down holds the keyboard: nothing could be typed, and its release would follow.
        await waitForKeys()
        if endIfCancelled(id) { return }
        let held = dictations.values.first { $0.id == id }?.held
        let saved = context.save(
            .recognized(
                .init(
                    rawText: outcome.text, cleanedText: cleaned, held: held,
                    notice: notice ?? hooked.failure ?? result.notice, timings: timings,
                    engine: outcome.engine, locale: result.locale, mayBeMended: mayRevise)),
            of: id)
        if let wrong = saved?.wrongCommits, wrong > 0, saved?.revisedText == nil {
            context.logger.notice(
                "dictation \(id): \(wrong.counted("word")) typed while you spoke and different in the final text"
            )
        }
        context.logger.info(
            "dictation \(id): \(outcome.milliseconds) ms of sound, text \(outcome.finalMilliseconds) ms after its end"
        )
        recovery.handle(.dictationRecognized)
        // Another process types it; this one has nothing to wait for.
        await settle(id)
    }

    /// Nothing was said, or nothing is left of it.
    private func endWithoutText(
        _ result: TextService.Result, _ outcome: SpeechService.Outcome, of id: DictationID,
        notice: DictationFailure?
    ) async {
        let audio = context.group.audio(of: id)
        // If something went wrong, the sound may hold what the recognizer did not hear.
        var failure = notice?.keeping(audio) ?? .scratched
        var logged: DictationFailure?
        if notice == nil, result.isEmptied {
            let isPrivate = (try? context.store.dictation(id))??.isPrivate ?? true
            failure = .emptied(isPrivate ? nil : outcome.text)
            // The words are nobody's business who reads the log.
            logged = .emptied(nil)
        } else if notice == nil, !result.isScratched {
            failure = await speech.explainSilence(outcome, in: audio)
        }
        if endIfCancelled(id) { return }
        context.logger.notice("\((logged ?? failure).message)")
        context.save(.failed(failure), of: id)
        if failure.kept == nil { context.group.audioFiles.remove(id) }
    }

    /// Runs the user's hooks on a text and returns their result. They do not see the Enter after it.
    private func hooked(
        _ result: TextService.Result, _ outcome: SpeechService.Outcome, of id: DictationID
    ) async -> (text: String, failure: DictationFailure?) {
        let enter = result.text.hasSuffix("\n") ? "\n" : ""
        let text = String(result.text.dropLast(enter.count))
        guard !text.isEmpty, result.edit == nil else { return (result.text, nil) }
        let hooks = Hooks(settings: context.settings, logger: context.logger)
        let dictation = (try? context.store.dictation(id)) ?? nil
        let revised = await hooks.revise(text, raw: outcome.text, of: dictation)
        return (revised.text + enter, revised.failure)
    }

    /// The dictation is a command. If it cannot be carried out, and may also be a sentence, it is kept as a
    /// held text.
    private func command(
        _ edit: Intent.EditRequest, _ outcome: SpeechService.Outcome, of id: DictationID, _ timings: Timings
    ) async {
        await waitForKeys()
        if endIfCancelled(id) { return }
        let isEscaped = dictations.values.first { $0.id == id }?.held == .escapePressed
        let problem =
            isEscaped
            ? "Escape was pressed"
            : context.save(
                .init(rawText: outcome.text, cleanedText: "", timings: timings, engine: outcome.engine),
                asking: .edit(edit, spokenIn: id), of: id)
        if let problem, let sentence = edit.sentence {
            context.save(
                .recognized(
                    .init(
                        rawText: outcome.text, cleanedText: sentence,
                        held: isEscaped ? .escapePressed : .notEdited, notice: .notEdited(problem),
                        timings: timings, engine: outcome.engine)),
                of: id)
        } else {
            if let problem { context.save(.failed(.notEdited(problem)), of: id) }
            context.group.audioFiles.remove(id)
        }
        await settle(id)
    }

    /// The window where recording began, and the requested options.
    func origin(of id: DictationID, likelyTerms: [String] = []) -> TextOrigin {
        let state = (try? context.store.dictation(id)) ?? nil
        let options = state?.options ?? StartOptions()
        return TextOrigin(target: state?.target, options: options, likelyTerms: likelyTerms)
    }
}
