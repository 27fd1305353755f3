import DictationSpeech
import Foundation
import Synchronization

/// Recordings that speak as one microphone would: at the pace of real time, one after another.
final class PacedRecording: AudioInput {
    /// The same for all recordings: what is learned about a microphone is kept under it.
    let name = "bench:microphone"
    private let isPaced: Bool
    private let state = Mutex(State())

    private struct State {
        var samples: [Int16] = []
        var finishedAt: ContinuousClock.Instant?
    }

    /// - Parameter isPaced: false: as fast as it is taken.
    init(isPaced: Bool) { self.isPaced = isPaced }

    /// What speaks next.
    func load(_ samples: [Int16]) { state.withLock { $0 = State(samples: samples) } }

    /// When the last sample was handed over: the user lets the key go.
    var finishedAt: ContinuousClock.Instant? { state.withLock { $0.finishedAt } }

    func start() -> any AudioCapture {
        PacedCapture(state.withLock { $0.samples }, isPaced: isPaced) { [self] in
            state.withLock { $0.finishedAt = .now }
        }
    }
}

private final class PacedCapture: AudioCapture {
    let chunks: AsyncThrowingStream<AudioChunk, any Error>
    let overruns = 0
    private let task: Task<Void, Never>

    /// 20 ms, as a microphone gives them.
    private static let period = SpeechAudio.sampleRate / 50

    init(_ samples: [Int16], isPaced: Bool, finished: @escaping @Sendable () -> Void) {
        let (stream, output) = AsyncThrowingStream<AudioChunk, any Error>.makeStream()
        chunks = stream
        task = Task {
            let began = ContinuousClock.now
            for start in stride(from: 0, to: samples.count, by: Self.period) {
                let end = min(samples.count, start + Self.period)
                if isPaced {
                    // The pace of speech itself; nothing is waited for.
                    try? await Task.sleep(
                        until: began + SpeechAudio.duration(ofSamples: end), clock: .continuous)
                }
                if Task.isCancelled { break }
                output.yield(AudioChunk(samples: Array(samples[start..<end]), position: start))
            }
            finished()
            output.finish()
        }
    }

    func stop(tail: Duration) { task.cancel() }
}
