import DictationHost
import DictationService
import DictationSpeech
import DictationSystem
import DictationText
import Foundation
import Synchronization

/// Recognizes files, several at once, and writes each transcript to its place.
struct TranscriptionRun: Sendable {
    let format: TranscriptFormat
    let destination: TranscriptDestination
    /// For a text.
    let cleaner: (@Sendable (String) -> TextCleaner)?
    /// Whether files that have a transcript are recognized again.
    let overwrites: Bool
    /// One for each file that is recognized at the same time.
    let sessions: [SpeechSession]
    /// Identifies the recognizer and its settings.
    let fingerprint: String

    /// - Parameter onFailure: is notified of each file that has no transcript now.
    func transcribe(_ files: [String], onFailure: @escaping @Sendable (String, any Error) -> Void) async {
        let due = files.filter { overwrites || !destination.hasTranscript(of: $0, as: format) }
        if due.count < files.count {
            for file in Set(files).subtracting(due) {
                destination.transcript(of: file, as: format).map(TranscriptDraft.removeLeft)
            }
            Complaint.say(
                "\(files.count - due.count) of \(files.count) files have a transcript already; --overwrite makes it again."
            )
        }
        guard !due.isEmpty else { return }
        let output = TranscriptOutput(files: due)
        await withTaskGroup(of: Void.self) { group in
            for session in sessions.prefix(due.count) {
                group.addTask { await work(on: due, with: session, output, onFailure: onFailure) }
            }
        }
        output.end()
    }

    /// Takes one file after the other, until none is left.
    private func work(
        on files: [String], with session: SpeechSession, _ output: TranscriptOutput,
        onFailure: @escaping @Sendable (String, any Error) -> Void
    ) async {
        while !Task.isCancelled, let index = output.takeFile() {
            do {
                let text = try await transcribe(files[index], with: session) { message in
                    output.pause { Complaint.say(message) }
                } onProgress: {
                    output.progress(of: index, is: $0)
                }
                output.finish(index, with: text)
            } catch {
                output.pause { onFailure(files[index], error) }
                output.finish(index, with: nil)
            }
        }
    }

    /// - Parameter tell: prints a message for the user.
    /// - Returns: the text to print; nil if it was written into a file.
    private func transcribe(
        _ file: String, with session: SpeechSession, tell: @Sendable (String) -> Void,
        onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> String? {
        let url = URL(fileURLWithPath: file)
        let before = FileStamp(of: file)
        let target = destination.transcript(of: file, as: format)
        var draft: TranscriptDraft?
        if let target, let before {
            draft = TranscriptDraft(beside: target, of: before, by: fingerprint)
        }
        defer { draft?.removeIfEmpty() }
        if let place = draft?.place {
            tell("an earlier run ended in the middle of \(file). This run continues at \(place).")
        }
        let converted = try await ConvertedAudio.ifNeeded(url)
        let began = ContinuousClock.now
        let elapsed = { @Sendable in began.duration(to: .now) / .seconds(1) }
        let transcript: Transcript
        let count = Mutex(draft?.earlier.dropLast().count ?? 0)
        do {
            transcript = try await session.transcribe(
                audioFile: converted?.url ?? url, after: draft?.earlier ?? [], onProgress: onProgress,
                onResult: { [draft] result in
                    draft?.add(result, after: elapsed())
                    count.withLock { $0 += 1 }
                })
        } catch let error as SpeechSessionError where error.isOfServer && count.withLock({ $0 }) > 1 {
            throw TranscriptionProblem.serverFailed(file, error.story, isKept: draft != nil)
        } catch SpeechSessionError.unreadableAudio(_, let reason) {
            // The time of the recording, not of its conversion.
            throw SpeechSessionError.unreadableAudio(path: file, reason: reason)
        }
        withExtendedLifetime(converted) {}
        let recognized = FileTranscript(
            file: file, transcript, decodingSeconds: (draft?.earlierSeconds ?? 0) + elapsed(),
            cleaner: cleaner?(transcript.plainText))
        let text = try format.contents(of: recognized)
        // An empty transcript looks like a mistake.
        if recognized.text.isEmpty { tell("no speech was recognized in \(file).") }
        guard let target else { return text }
        guard FileStamp(of: file) == before else {
            draft?.remove()
            throw TranscriptionProblem.stillWritten(file)
        }
        // It may be an older transcript, or the user's notes.
        if !overwrites, let kept = try backUpFile(at: target) {
            tell("\(target) was there already. It is kept as \(kept).")
        }
        // Users who may read the recording may read its words.
        try replaceFile(at: target, with: Array(text.utf8), mode: (before?.mode ?? 0o600) & 0o666)
        // Not earlier: if this fails, the finished part is kept.
        draft?.remove()
        return nil
    }
}

enum TranscriptionProblem: Error, CustomStringConvertible {
    case stillWritten(String)
    /// In the middle of it.
    case serverFailed(_ file: String, _ story: String, isKept: Bool)

    var description: String {
        switch self {
        case .stillWritten(let file):
            "\(file) was changed while it was recognized, so no transcript was written. Try again when it is complete."
        case .serverFailed(let file, let story, true):
            "\(file): \(story) The text before that is kept: the same command continues there."
        case .serverFailed(let file, let story, false):
            "\(file): \(story) With --output or --beside, the text before that is kept, and the next run continues there."
        }
    }
}

extension SpeechSessionError {
    fileprivate var isOfServer: Bool {
        guard case .serverFailed = self else { return false }
        return true
    }
}
