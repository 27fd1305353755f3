import DictationHost
import DictationSpeech
import DictationSystem
import DictationText
import Foundation

/// Recognizes files, several at once, and writes each transcript where it belongs.
struct TranscriptionRun: Sendable {
    let format: TranscriptFormat
    let destination: TranscriptDestination
    /// For a text.
    let cleaner: (@Sendable (String) -> TextCleaner)?
    /// Whether files that have a transcript are recognized again.
    let overwrites: Bool
    /// One for each file that is recognized at the same time.
    let sessions: [SpeechSession]
    /// Tells what they recognize with from anything else.
    let fingerprint: String

    /// - Parameter onFailure: is told of each file that has no transcript now.
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

    /// - Parameter tell: says something to the user.
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
        if let place = draft?.place {
            tell("an earlier run ended in the middle of \(file). This run continues at \(place).")
        }
        let converted = try await ConvertedAudio.ifNeeded(url)
        let began = ContinuousClock.now
        let elapsed = { @Sendable in began.duration(to: .now) / .seconds(1) }
        let transcript: Transcript
        do {
            transcript = try await session.transcribe(
                audioFile: converted?.url ?? url, after: draft?.earlier ?? [], onProgress: onProgress,
                onResult: { [draft] in draft?.add($0, after: elapsed()) })
        } catch SpeechSessionError.unreadableAudio(_, let reason) {
            // Of the recording, not of what was made of it.
            throw SpeechSessionError.unreadableAudio(path: file, reason: reason)
        }
        withExtendedLifetime(converted) {}
        let text = try format.contents(
            of: FileTranscript(
                file: file, transcript, decodingSeconds: (draft?.earlierSeconds ?? 0) + elapsed(),
                cleaner: cleaner?(transcript.plainText)))
        guard let target else { return text }
        guard FileStamp(of: file) == before else {
            draft?.remove()
            throw TranscriptionProblem.stillWritten(file)
        }
        // Everybody who may hear the recording may read its words.
        try replaceFile(at: target, with: Array(text.utf8), mode: (before?.mode ?? 0o600) & 0o666)
        // Not before: where that fails, what is done need not be done again.
        draft?.remove()
        return nil
    }
}

enum TranscriptionProblem: Error, CustomStringConvertible {
    case stillWritten(String)

    var description: String {
        switch self {
        case .stillWritten(let file):
            "\(file) was changed while it was recognized, so no transcript was written. Try again when it is complete."
        }
    }
}

/// Identifies one state of a file: it differs once the file has changed.
struct FileStamp: Hashable, Sendable {
    let size: Int64
    /// Nanoseconds since 1970.
    let modified: Int64
    let mode: mode_t

    /// Nil if there is no such file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        mode = status.st_mode
    }
}
