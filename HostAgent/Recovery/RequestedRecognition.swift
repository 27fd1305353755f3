import DictationShared
import DictationSpeech
import DictationText
import Foundation
import Logging

/// Recognizes the recording of any dictation again because the user asks for it. The text is held, never
/// typed without a request.
///
/// | the dictation | the result |
/// | --- | --- |
/// | failed | it has the text now, held |
/// | has a text, in any state | it stays as it is; the new text is a new dictation, held, which names the old one |
/// | is still being dictated | refused |
/// | its recording is gone | refused |
struct RequestedRecognition: Sendable {
    let store: StateStore
    let logger: Logger
    let recognizer: ChildRecognizer
    let atWork: RecordingsAtWork
    /// For a text in a language, as the settings are now.
    let cleaner: @Sendable (String?, String) -> TextCleaner
    let locale: @Sendable () -> String

    /// Carries out an intent, and answers it.
    func carryOut(_ intent: Int64, _ id: DictationID, _ options: Intent.RecognitionOptions) async {
        do {
            let answer = try await run(id, options) { part in
                do { try store.note(progress: part, of: intent) } catch { logger.debug("\(error)") }
            }
            try store.answer(intent, answer)
        } catch is CancellationError {
            try? store.answer(intent, .refused("host-agent ended before it was done"))
        } catch {
            logger.error("the recording of dictation \(id) cannot be recognized: \(error)")
            try? store.answer(intent, .refused("\(error)"))
        }
    }

    /// - Parameter onProgress: called with how much is done, 0…1.
    /// - Returns: the answer to the intent.
    /// - Throws: `CancellationError` when the host ends; the store's errors.
    func run(
        _ id: DictationID, _ options: Intent.RecognitionOptions,
        onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> Intent.Phase {
        guard let state = try store.dictation(id) else { return .refused("there is no such dictation") }
        switch state.phase {
        case .starting, .recording, .processing: return .refused("it is still being dictated")
        case .ready, .failed, .cancelled: break
        }
        guard let recording = store.group.audioFiles.existingRecording(of: id),
            try WaveFileWriter.repair(recording) != 0
        else { return .refused(Self.recordingIsGone) }
        guard atWork.begin(id) else {
            return .refused("its recording is being recognized already; the text will be held")
        }
        defer { atWork.end(id) }
        // Unless other options are given, as it was dictated.
        let options = options == Intent.RecognitionOptions() ? state.options.recognition : options
        let heard: ChildRecognizer.Answer
        do {
            heard = try await recognizer.recognize(recording, options: options, onProgress: onProgress)
        } catch let failure as ChildRecognizer.Failure {
            logger.error("dictation \(id): \(failure)")
            return .refused("\(failure)")
        }
        let result = cleaner(options.language, heard.text).clean(heard.text)
        let cleaned = result.text
        guard !cleaned.isEmpty else {
            if result.isEmptied { return .refused("the dictionary leaves nothing of the recognized words") }
            return .refused("no words were recognized; another --engine or --model may hear some")
        }
        var text = DictationTransition.Recognized(
            rawText: heard.text, cleanedText: cleaned, held: .recognizedAgain,
            timings: Timings(recording: Int(heard.seconds * 1000)), engine: heard.engine)
        // It may have got a text in the meantime.
        if case .failed? = try store.dictation(id)?.phase {
            try store.apply(.recognized(text), to: id)
            return .done("recognized; the text is held", dictation: id)
        }
        text.notice = .recognizedAgain(from: id)
        let new = try store.add(
            text, heldBecause: .recognizedAgain, locale: options.language ?? locale(),
            isPrivate: state.isPrivate)
        return .done("recognized; the new text is held, and the old one stays as it is", dictation: new.id)
    }

    static let recordingIsGone = """
        its recording is gone: it is removed when its text is inserted or discarded, or the dictation is canceled. To keep recordings from now on: \
        dictstate settings set audio.keep "7 days"
        """
}

extension DictationFailure {
    static func recognizedAgain(from id: DictationID) -> DictationFailure {
        DictationFailure(
            code: .recognizedAgain, message: "Recognized again from the recording of dictation \(id).",
            kept: "the earlier text, as it was: dictstate show \(id)")
    }
}
