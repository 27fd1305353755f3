import DictationSettings
import DictationShared
import DictationSpeech
import DictationText
import Foundation
import Logging

/// Recognizes the recordings that were never recognized, including those of an earlier host, and removes what
/// is no longer needed.
///
/// Recognition happens in a child process of low priority: new dictations do not wait for it, and a recording on
/// which the recognizer crashes harms nothing else.
struct LeftoverRecovery: Sendable {
    let store: StateStore
    let logger: Logger
    /// For a text in a language, as the settings are now.
    let cleaner: @Sendable (String?, String) -> TextCleaner
    let recognizer: ChildRecognizer
    /// As the settings say now and have said within the last minute; the present ones first.
    let limits: @Sendable () -> [KeepingLimits]
    let engine: String
    let locale: String
    var atWork = RecordingsAtWork()

    /// Less speech than this in a recording without recognized words is a cough or a key: it is not kept.
    private static let leastSpeech = 0.3

    /// The recordings that are there.
    struct Stock: Sendable {
        fileprivate var contents = AudioFolder.Contents()
        /// Whether a recording without a row was left by an earlier host; later it may be one that begins.
        fileprivate var isOfStart = false
    }

    private var audio: AudioFolder { store.group.audioFiles }

    /// Reads the folder. Call it before the first dictation of this host; it is quick.
    func takeStock() -> Stock {
        do {
            return Stock(contents: try audio.contents(), isOfStart: true)
        } catch {
            logger.error("what an earlier host-agent left cannot be read: \(error)")
            return Stock()
        }
    }

    /// The recordings that are there later.
    func takeStockAgain() -> Stock { (try? audio.contents()).map { Stock(contents: $0) } ?? Stock() }

    /// Recognizes and cleans up; returns early when its task is canceled, or a recognizer is missing.
    ///
    /// - Returns: whether recordings are left because a recognizer was missing.
    @discardableResult
    func recover(_ stock: Stock) async -> Bool {
        guard stock.isOfStart else { return await recognize(stock) }
        for id in stock.contents.remains { audio.remove(id) }
        let limits = limits()
        if let recordings = limits.first?.recordings, limits.count == 1 {
            audio.removeSuperfluous(recordings)
        }
        return await recognize(stock)
    }

    private func recognize(_ stock: Stock) async -> Bool {
        var refusals = RecognizerRefusals()
        // The newest first: the user waits for that one.
        for id in stock.contents.recordings.sorted(by: >) where !Task.isCancelled {
            do {
                try await recover(id, isOfStart: stock.isOfStart, &refusals)
            } catch {
                logger.error("the recording of dictation \(id) cannot be processed: \(error)")
            }
        }
        return !refusals.isEmpty
    }

    /// Removes the sound of everything delivered, discarded or canceled by now.
    func clearUp() {
        guard let contents = try? audio.contents() else { return }
        for id in contents.recordings {
            if let state = try? store.dictation(id) { clearUp(state) }
        }
    }

    /// Removes the sound of a dictation, if it was delivered, discarded or canceled; not before its text is
    /// on the disk.
    func clearUp(_ state: DictationState) {
        switch Leftover(phase: state.phase, attempts: 0) {
        case .remove: store.whenOnDisk { audio.remove(state.id) }
        case .deliver: store.whenOnDisk { deliver(state) }
        case .keep, .recognize: break
        }
    }

    /// Of what is private, nothing is kept. While limits have just changed, a recording is kept that one of them would keep.
    private func deliver(_ state: DictationState) {
        let limits = limits()
        if state.isPrivate {
            audio.remove(state.id)
        } else if let recordings = limits.first?.recordings, limits.count == 1 {
            audio.deliver(state.id, retention: recordings)
        } else if limits.contains(where: { $0.recordings != .never }) {
            audio.keepDelivered(state.id)
        } else {
            audio.remove(state.id)
        }
    }

    private func recover(
        _ id: DictationID, isOfStart: Bool, _ refusals: inout RecognizerRefusals
    ) async throws {
        let state = try store.dictation(id)
        switch Leftover(phase: state?.phase, attempts: audio.attempts(at: id)) {
        case .keep: break
        case .remove: audio.remove(id)
        case .deliver: if let state { deliver(state) }
        case .recognize(let hasRow):
            let options = state?.options.recognition ?? Intent.RecognitionOptions()
            guard hasRow || isOfStart, refusals.allow(options), atWork.begin(id) else { break }
            defer { atWork.end(id) }
            let refusal = try await recognize(id, options, after: state)
            refusals.note(refusal, of: options)
        }
    }

    /// - Parameter state: nil if the store knows nothing of it.
    /// - Returns: what a missing recognizer answered; nil if it was there.
    private func recognize(
        _ id: DictationID, _ options: Intent.RecognitionOptions, after state: DictationState?
    ) async throws -> FailureCode? {
        let hasRow = state != nil
        let recording = audio.recording(of: id)
        if try WaveFileWriter.repair(recording) == 0 {
            if hasRow { try store.apply(.failed(.hostDied(hasSound: false)), to: id) }
            audio.remove(id)
            return nil
        }
        if state?.options.transform != nil {
            // An instruction for a selection that is no longer known is not a text.
            try store.apply(.failed(.notTransformed("host-agent ended before it was done")), to: id)
            audio.remove(id)
            return nil
        }
        if !hasRow {
            guard try store.adoptRecording(id, engine: engine, locale: locale) != nil else { return nil }
            logger.notice("found the recording of dictation \(id), which the store does not know")
        }
        audio.noteAttempt(at: id)
        logger.notice("recognizing the recording of dictation \(id)")
        do {
            let heard = try await recognizer.recognize(recording, options: options)
            try offer(heard, of: id, after: state)
            audio.forgetAttempts(at: id)
        } catch is CancellationError {
            // The host ends in good order, which says nothing about the recording.
            audio.forgetAttempts(at: id)
        } catch ChildRecognizer.Failure.refused(let code, let message) where code.isOfMissingRecognizer {
            audio.forgetAttempts(at: id)
            let failure = DictationFailure.notRecognized(code, message, recording: recording.path)
            if state?.error != failure { try store.apply(.failed(failure), to: id) }
            logger.warning("dictation \(id): \(failure.message)")
            return code
        } catch let error as ChildRecognizer.Failure {
            let failure = DictationFailure.recoveryFailed(
                reason: "\(error)", attempts: audio.attempts(at: id), recording: recording.path)
            logger.error("dictation \(id): \(failure.message)")
            try store.apply(.failed(failure), to: id)
        }
        return nil
    }

    /// Writes the recognized text into the store, held until the user asks for it.
    private func offer(
        _ heard: ChildRecognizer.Answer, of id: DictationID, after state: DictationState?
    ) throws {
        let clock = ContinuousClock()
        let began = clock.now
        let result = cleaner(state?.options.locale, heard.text).clean(heard.text)
        let cleaned = result.text
        guard cleaned.isEmpty else {
            let timings = Timings(
                recording: Int(heard.seconds * 1000),
                cleaning: began.duration(to: clock.now).milliseconds)
            try store.apply(
                .recognized(
                    .init(
                        rawText: heard.text, cleanedText: cleaned, held: .recovered,
                        notice: .recovered(id, after: state?.error?.knownCode),
                        timings: timings, engine: heard.engine)),
                to: id, waitsForDisk: false)
            // Its recording goes when the disk has the text: until then it may be asked to be recognized again.
            return logger.notice("dictation \(id) was recovered: dictstate insert \(id)")
        }
        if result.isScratched {
            try store.apply(.failed(.scratched), to: id)
            return audio.remove(id)
        }
        if result.isEmptied {
            try store.apply(.failed(.emptied(state?.isPrivate == true ? nil : heard.text)), to: id)
            return audio.remove(id)
        }
        guard heard.speechSeconds >= Self.leastSpeech else {
            logger.notice("nothing was said in dictation \(id) before host-agent ended")
            try store.apply(.failed(.noSpeech), to: id)
            return audio.remove(id)
        }
        let failure = DictationFailure.noWords(recording: audio.recording(of: id).path)
        logger.warning("dictation \(id): \(failure.message)")
        try store.apply(.failed(failure), to: id)
    }
}
