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

    /// - Parameter isPaced: false: as fast as it is read.
    init(isPaced: Bool) { self.isPaced = isPaced }

    /// The samples that are spoken next.
    func load(_ samples: [Int16]) { state.withLock { $0 = State(samples: samples) } }

    /// When the last sample was handed over: the user lets the key go.
    var finishedAt: ContinuousClock.Instant? { state.withLock { $0.finishedAt } }

    /// 20 ms, as a microphone gives them.
    private static let period = SpeechAudio.sampleRate / 50

    func start(_ receive: @escaping @Sendable (AudioEvent) -> Void) -> any AudioCapture {
        let samples = state.withLock { $0.samples }
        return PacedCapture(
            task: Task { [self] in
                let began = ContinuousClock.now
                for start in stride(from: 0, to: samples.count, by: Self.period) {
                    let end = min(samples.count, start + Self.period)
                    if isPaced {
                        // The pace of speech itself; nothing is waited for.
                        try? await Task.sleep(
                            until: began + SpeechAudio.duration(ofSamples: end), clock: .continuous)
                    }
                    if Task.isCancelled { break }
                    receive(.samples(Array(samples[start..<end])))
                }
                state.withLock { $0.finishedAt = .now }
                receive(.ended(nil))
            })
    }
}

private struct PacedCapture: AudioCapture {
    let task: Task<Void, Never>
    let overruns = 0

    func stop(tail: Duration) { task.cancel() }
}
