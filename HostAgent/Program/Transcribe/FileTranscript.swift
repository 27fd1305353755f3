import DictationSpeech
import DictationSystem
import DictationText
import Foundation

/// The recognized text of a file, divided into segments at the pauses.
struct FileTranscript: Equatable, Sendable {
    struct Word: Equatable, Sendable, Encodable {
        let text: String
        /// Seconds from the beginning of the file.
        let start: Double
        let end: Double
        /// 0…1; nil if the engine does not know it.
        let confidence: Double?
    }

    struct Segment: Equatable, Sendable {
        let text: String
        /// Seconds from the beginning of the file.
        let start: Double
        let end: Double
        /// Empty if the engine gives no times.
        let words: [Word]
    }

    let file: String
    let text: String
    /// Of sound.
    let seconds: Double
    /// That recognition took.
    let decodingSeconds: Double
    let segments: [Segment]
}

extension FileTranscript {
    /// - Parameter cleaner: cleans the text and each segment; the words stay as they were recognized.
    init(
        file: String, _ transcript: Transcript, decodingSeconds: Double, cleaner: TextCleaner? = nil
    ) {
        func clean(_ text: String) -> String { cleaner?.clean(text).text ?? text }
        self.init(
            file: file, text: clean(transcript.plainText), seconds: transcript.duration,
            decodingSeconds: decodingSeconds,
            segments: transcript.results.filter(\.isFinal).compactMap { result in
                // A player of subtitles may obey them.
                let text = clean(result.plainText.withoutControls)
                guard text.contains(where: { !$0.isWhitespace }) else { return nil }
                return Segment(
                    text: text, start: result.range.lowerBound, end: result.range.upperBound,
                    words: result.words)
            })
    }
}

extension TranscriptionResult {
    fileprivate var words: [FileTranscript.Word] {
        text.runs.compactMap { run in
            guard let range = run.audioTimeRange else { return nil }
            let word = String(text[run.range].characters).trimmingCharacters(in: .whitespaces)
            return word.isEmpty
                ? nil
                : .init(
                    text: word, start: range.lowerBound, end: range.upperBound,
                    confidence: run.transcriptionConfidence)
        }
    }
}
