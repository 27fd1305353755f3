import DictationSpeech
import Foundation
import Synchronization
import Testing

@testable import DictationHost

@Suite("Two utterances of one session", .timeLimit(.minutes(1)))
struct UtteranceCancelTests {
    /// Sound without end, a block of it for each recording until it is stopped.
    private struct Hum: AudioInput {
        let name = "hum"

        func start(_ receive: @escaping @Sendable (AudioEvent) -> Void) -> any AudioCapture {
            Capture(receive)
        }

        private final class Capture: AudioCapture {
            let overruns = 0
            private let blocks: AsyncStream<AudioEvent>.Continuation

            init(_ receive: @escaping @Sendable (AudioEvent) -> Void) {
                let (stream, blocks) = AsyncStream.makeStream(of: AudioEvent.self)
                self.blocks = blocks
                blocks.yield(.samples([Int16](repeating: 1_000, count: 1_600)))
                Task { for await event in stream { receive(event) } }
            }

            func stop(tail: Duration) {
                blocks.yield(.ended(nil))
                blocks.finish()
            }
        }
    }

    /// Hears the same word in every recording.
    private actor Word: SpeechRecognizer {
        nonisolated let engine = "word"
        nonisolated let locales = ["*"]
        /// No recording's words are there before this ends.
        private let pause: AsyncStream<Never>

        init(pause: AsyncStream<Never>) { self.pause = pause }

        func prepare() {}
        func begin(_ context: UtteranceContext) {}
        func accept(_ chunk: AudioChunk) -> [Recognition] { [] }
        func finish() async -> [Recognition] {
            for await _ in pause {}
            return [Recognition(text: "word", range: 0..<0.1)]
        }
        func cancel() {}
    }

    private func begin(in session: SpeechSession) -> SpeechService.Utterance {
        let progress = SpeechService.Utterance.Progress()
        let results = session.startTranscribing(onAudio: { _ = progress.add($0.samples.count) })
        return SpeechService.Utterance(
            session: session, pipeline: session.pipeline, loadingModel: nil, results: results,
            progress: progress, ended: {})
    }

    @Test("to cancel the first one late does nothing to the one that is recorded since")
    func lateCancel() async {
        let (pause, recognizing) = AsyncStream.makeStream(of: Never.self)
        let session = SpeechSession(
            recognizer: Word(pause: pause), input: Hum(), voiceDetection: .loudness)
        let first = begin(in: session)
        first.finish()
        let second = begin(in: session)
        first.cancel()
        recognizing.finish()
        second.finish()
        let (former, outcome) = (await first.outcome(), await second.outcome())
        guard case .cancelled = former.end, case .complete = outcome.end else {
            Issue.record("\(former.end), \(outcome.end)")
            return
        }
        #expect(outcome.text == "word")
    }

    @Test("to cancel the one that is recorded throws its words away")
    func cancel() async {
        let (pause, recognizing) = AsyncStream.makeStream(of: Never.self)
        recognizing.finish()
        let session = SpeechSession(
            recognizer: Word(pause: pause), input: Hum(), voiceDetection: .loudness)
        let utterance = begin(in: session)
        utterance.cancel()
        let outcome = await utterance.outcome()
        guard case .cancelled = outcome.end else {
            Issue.record("\(outcome.end)")
            return
        }
        #expect(outcome.text.isEmpty)
    }
}
