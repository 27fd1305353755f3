import DictationSettings
import DictationShared
import DictationSpeech
import DictationText
import Foundation
import Logging

/// Recognises what an earlier host left, and clears away what is of no use any more.
///
/// Recognition happens in a child process of low priority: new dictations do not wait for it, and a recording on
/// which the recogniser crashes takes nothing else with it.
struct LeftoverRecovery: Sendable {
    let store: StateStore
    let logger: Logger
    let cleaner: TextCleaner
    let recognizer: ChildRecognizer
    /// As the settings say now.
    let retention: @Sendable () -> AudioRetention
    let engine: String
    let locale: String

    /// Less speech than this in a recording without recognised words is a cough or a key: nobody wants it back.
    private static let leastSpeech = 0.3

    /// What was there when the host started.
    struct Stock: Sendable {
        fileprivate var contents = AudioFolder.Contents()
    }

    private var audio: AudioFolder { store.group.audioFiles }

    /// Ends the rows of an earlier host, and looks at what lies in the folder. To be called before the first
    /// dictation of this host, and quick.
    func takeStock() -> Stock {
        do {
            for state in try store.resolveEarlierHost() {
                logger.notice("dictation \(state.id) was interrupted when host-agent ended")
            }
            return Stock(contents: try audio.contents())
        } catch {
            logger.error("what an earlier host-agent left cannot be read: \(error)")
            return Stock()
        }
    }

    /// Recognises and clears away; returns early when its task is cancelled.
    func recover(_ stock: Stock) async {
        for id in stock.contents.remains { audio.remove(id) }
        audio.removeSuperfluous(retention())
        // The newest first: it is the one that somebody waits for.
        for id in stock.contents.recordings.sorted(by: >) where !Task.isCancelled {
            do {
                try await recover(id)
            } catch {
                logger.error("the recording of dictation \(id) cannot be dealt with: \(error)")
            }
        }
    }

    /// Clears away the sound of what was delivered, discarded or cancelled by now.
    func clearUp() {
        guard let contents = try? audio.contents() else { return }
        for id in contents.recordings {
            if let state = try? store.dictation(id) { clearUp(state) }
        }
    }

    /// Clears away the sound of a dictation, if it was delivered, discarded or cancelled.
    func clearUp(_ state: DictationState) {
        switch Leftover(phase: state.phase, attempts: 0) {
        case .remove: audio.remove(state.id)
        case .deliver: deliver(state)
        case .keep, .recognise: break
        }
    }

    /// Of what is private, nothing is kept.
    private func deliver(_ state: DictationState) {
        audio.deliver(state.id, retention: state.isPrivate ? .never : retention())
    }

    private func recover(_ id: DictationID) async throws {
        let state = try store.dictation(id)
        switch Leftover(phase: state?.phase, attempts: audio.attempts(at: id)) {
        case .keep: break
        case .remove: audio.remove(id)
        case .deliver: if let state { deliver(state) }
        case .recognise(let hasRow): try await recognise(id, hasRow: hasRow)
        }
    }

    private func recognise(_ id: DictationID, hasRow: Bool) async throws {
        let recording = audio.recording(of: id)
        if try WaveFileWriter.repair(recording) == 0 {
            if hasRow { try store.apply(.failed(.hostDied(hasSound: false)), to: id) }
            return audio.remove(id)
        }
        if !hasRow {
            guard try store.adoptRecording(id, engine: engine, locale: locale) != nil else { return }
            logger.notice("found the recording of dictation \(id), of which the store knows nothing")
        }
        audio.noteAttempt(at: id)
        logger.notice("recognising what was recorded of dictation \(id) before host-agent ended")
        do {
            let heard = try await recognizer.recognise(recording)
            try offer(heard, of: id)
            audio.forgetAttempts(at: id)
        } catch is CancellationError {
            // The host ends in good order, which says nothing about the recording.
            audio.forgetAttempts(at: id)
        } catch let error as ChildRecognizer.Failure {
            let failure = DictationFailure.recoveryFailed(
                reason: "\(error)", attempts: audio.attempts(at: id), recording: recording.path)
            logger.error("dictation \(id): \(failure.message)")
            try store.apply(.failed(failure), to: id)
        }
    }

    /// Writes what was heard into the store, as a text that waits for the user's word.
    private func offer(_ heard: ChildRecognizer.Answer, of id: DictationID) throws {
        let clock = ContinuousClock()
        let began = clock.now
        let result = cleaner.clean(heard.text)
        let cleaned = result.text
        guard cleaned.isEmpty else {
            let timings = Timings(
                recording: Int(heard.seconds * 1000),
                cleaning: began.duration(to: clock.now).milliseconds)
            try store.apply(
                .recognised(
                    .init(
                        rawText: heard.text, cleanedText: cleaned, held: .recovered, notice: .recovered(id),
                        timings: timings, engine: heard.engine)),
                to: id)
            return logger.notice("dictation \(id) was recovered: dictstate insert \(id)")
        }
        if result.isScratched {
            try store.apply(.failed(.scratched), to: id)
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

extension AudioRetention {
    /// What the settings say; of a private text nothing is kept.
    init(_ settings: Settings) {
        switch settings.audio.keep {
        case _ where settings.history.isPrivate: self = .never
        case .never: self = .never
        case .days(let days): self = .days(days)
        case .count(let count): self = .count(count)
        }
    }
}
