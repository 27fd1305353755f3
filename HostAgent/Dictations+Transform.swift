import Desktop
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import DictationViews
import Foundation
import Logging

/// Dictations with an instruction for the selected text.
extension Dictations {
    /// The transform of a window, from which on words are awaited.
    func beginTransform(of id: DictationID, in window: WindowInfo?) -> TransformRun {
        TransformRun(transforms.flow(for: window), by: transforms) { [overlay] answer in
            overlay?.handle(.answer(id, answer))
        }
    }

    /// Reports why no transform begins, as a failed dictation.
    ///
    /// - Returns: whether it was refused.
    func refuseTransform(
        _ number: DictationFlow.Number, in window: WindowInfo?, _ options: StartOptions
    ) -> Bool {
        guard let problem = transforms.flow(for: window).obstacle else { return false }
        let id = DictationID()
        beginRow(id, window, options)
        overlay?.handle(.began(id, options.summary))
        fail(id, because: problem)
        handle(.ended(number))
        return true
    }

    /// A transform with a written instruction.
    func transform(
        _ number: DictationFlow.Number, _ instruction: String, in window: WindowInfo?,
        _ options: StartOptions
    ) {
        let id = DictationID()
        beginRow(id, window, options)
        overlay?.handle(.began(id, options.summary))
        if let state = context.save(.processingStarted(recording: 0), of: id) {
            overlay?.handle(.changed(state))
        }
        let run = beginTransform(of: id, in: window)
        let task = Task {
            _ = await run.look(at: window, for: id)
            await run.instruct(instruction)
            await finish(run, of: id, said: instruction, by: nil)
            ended(number)
        }
        add(number, id: id, transform: run, task: task)
    }

    private func beginRow(_ id: DictationID, _ window: WindowInfo?, _ options: StartOptions) {
        let settings = context.settings.current
        do {
            try context.keeper.begin(
                id, target: window, engine: DictationState.noEngine, locale: settings.speech.locale,
                isPrivate: options.isPrivate || settings.history.isPrivate, options: options)
        } catch {
            context.logger.error("the dictation cannot be written to the store: \(error)")
        }
    }

    /// Waits for the model, and has the inserter replace the selection.
    ///
    /// - Parameters:
    ///   - words: the instruction.
    ///   - engine: the engine that has recognized it.
    func finish(_ run: TransformRun, of id: DictationID, said words: String, by engine: String?) async {
        let began = ContinuousClock.now
        switch await run.end() {
        case .failed(let problem): fail(id, because: problem)
        case .replace(let request):
            await waitForKeys()
            if endIfCancelled(id) { break }
            let milliseconds = began.duration(to: .now).milliseconds
            context.logger.info("dictation \(id): the model has answered after \(milliseconds) ms")
            // Its words were not spoken: no length of a recording belongs to them.
            let problem = context.save(
                .init(
                    rawText: words, cleanedText: "", timings: Timings(cleaning: milliseconds), engine: engine),
                asking: .replace(request, spokenIn: id), of: id)
            if let problem { context.save(.failed(.notTransformed(problem)), of: id) }
        }
        context.group.audioFiles.remove(id)
    }

    func fail(_ id: DictationID, because problem: TransformFlow.Problem) {
        if problem == .cancelled {
            context.save(.cancelled, of: id)
            context.logger.info("dictation \(id) was canceled; the selected text is as it was")
            return
        }
        let failure = DictationFailure.notTransformed("\(problem)")
        context.logger.notice("\(failure.message)")
        context.save(.failed(failure), of: id)
        context.group.audioFiles.remove(id)
    }
}
