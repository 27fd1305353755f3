import DictationSpeech
import DictationText
import Foundation
import Testing

@testable import DictationHost

@Suite("How an utterance ends")
struct UtteranceOutcomeTests {
    private static let lost = SpeechSessionError.microphoneLost(device: "d", reason: "r", seconds: 1)
    private static let server = SpeechSessionError.serverFailed(engine: "remote", reason: "r")
    private static let engine = SpeechSessionError.engineFailed(engine: "e", reason: "r")

    @Test(
        "a text counts if the whole recording was recognized; otherwise all of it waits for another attempt",
        arguments: [
            (nil, "hello", "complete"), (nil, "", "complete"),
            (lost, "hello", "interrupted"), (lost, "", "failed"),
            (server, "hello", "failed"), (server, "", "failed"), (engine, "hello", "failed"),
        ] as [(SpeechSessionError?, String, String)])
    func ends(failure: SpeechSessionError?, text: String, expected: String) {
        let results =
            text.isEmpty
            ? [] : [TranscriptionResult(text: AttributedString(text), isFinal: true, range: 0..<1)]
        func end(_ progress: SpeechService.Utterance.Progress) -> String {
            let outcome = progress.outcome(
                Transcript(results: results), words: [], engine: "e", locale: "en-US", failure: failure)
            return switch outcome.end {
            case .complete: "complete"
            case .cancelled: "cancelled"
            case .interrupted: "interrupted"
            case .failed: "failed"
            }
        }
        let progress = SpeechService.Utterance.Progress()
        #expect(end(progress) == expected)
        progress.cancel()
        #expect(end(progress) == "cancelled")
    }

    @Test(
        "parts of words with times of their own are no words",
        arguments: [
            (["Send", " ", "e", "-mail", " ", "at", " ", "10", ":30"], ["Send", "e-mail", "at", "10:30"]),
            (["你", "好", " ", "ok"], ["你好", "ok"]),
            ([" ", "one ", "two", " three"], ["one ", "two", " three"]),
        ])
    func timedWords(parts: [String], expected: [String]) {
        var text = AttributedString()
        for (number, part) in parts.enumerated() {
            var run = AttributedString(part)
            if part.contains(where: { !$0.isWhitespace }) {
                run[AudioTimeRangeAttribute.self] = Double(number)..<Double(number + 1)
            }
            text += run
        }
        let result = TranscriptionResult(text: text, isFinal: true, range: 0..<9)
        #expect(result.timedWords?.map(\.text) == expected)
        #expect(result.timedWords?.last?.end == Double(parts.count))
    }
}
