import Foundation
import Synchronization

/// Listens to the sound of a session beside the recogniser: how loud it is, and whether somebody speaks.
///
/// One for a session, over all its utterances; its readers may come and go.
final class SoundMonitor: Sendable {
    private let state = Mutex(State())

    private struct State {
        var sensitivity = SpeechSensitivity.medium
        var detector = SpeechDetector()
        var pending: [Int16] = []
        var isSpeech = false
        var levels: [Int: AsyncStream<AudioLevel>.Continuation] = [:]
        var activity: [Int: AsyncStream<Bool>.Continuation] = [:]
        var lastReader = 0

        mutating func tell() {
            guard detector.isSpeech != isSpeech else { return }
            isSpeech = detector.isSpeech
            for reader in activity.values { reader.yield(isSpeech) }
        }
    }

    /// 30 a second: as smooth as a display shows it.
    private static let meterFrame = SpeechAudio.sampleRate / 30

    /// A new utterance begins: what the last one was like counts no more.
    func begin() {
        state.withLock { state in
            state.detector = SpeechDetector(sensitivity: state.sensitivity)
            state.pending = []
            state.tell()
        }
    }

    func add(_ samples: [Int16]) {
        state.withLock { state in
            state.detector.add(samples)
            state.tell()
            guard !state.levels.isEmpty else { return }
            state.pending += samples
            while state.pending.count >= Self.meterFrame {
                let level = AudioLevel(state.pending[..<Self.meterFrame])
                for reader in state.levels.values { reader.yield(level) }
                state.pending.removeFirst(Self.meterFrame)
            }
        }
    }

    /// The sound has ended: nobody speaks into a closed microphone.
    func end() {
        state.withLock { state in
            state.detector = SpeechDetector(sensitivity: state.sensitivity)
            state.tell()
        }
    }

    var detector: SpeechDetector { state.withLock { $0.detector } }

    var sensitivity: SpeechSensitivity {
        get { state.withLock { $0.sensitivity } }
        set {
            state.withLock { state in
                state.sensitivity = newValue
                state.detector.sensitivity = newValue
            }
        }
    }

    var levels: AsyncStream<AudioLevel> {
        AsyncStream(bufferingPolicy: .bufferingNewest(4)) { continuation in
            let reader = state.withLock { state in
                state.lastReader += 1
                state.levels[state.lastReader] = continuation
                return state.lastReader
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.levels.removeValue(forKey: reader) }
            }
        }
    }

    /// Whether somebody speaks, now and at each change.
    var activity: AsyncStream<Bool> {
        AsyncStream(bufferingPolicy: .bufferingNewest(4)) { continuation in
            let reader = state.withLock { state in
                state.lastReader += 1
                state.activity[state.lastReader] = continuation
                continuation.yield(state.isSpeech)
                return state.lastReader
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.activity.removeValue(forKey: reader) }
            }
        }
    }
}
