import DictationSystem
import Foundation
import Synchronization

/// Listens to the sound of a session next to the recognizer: how loud it is, and whether somebody speaks.
///
/// One for a session, over all its utterances; its readers may come and go.
final class SoundMonitor: Sendable {
    private let engines: EngineFolder
    private let state: Mutex<State>

    private struct State {
        var detection: VoiceDetection
        /// Between ``begin()`` and ``end()``: another detector would have heard nothing of the utterance so far.
        var isListening = false
        var sensitivity = SpeechSensitivity.medium
        let loudness = LoudnessVoiceDetector(sensitivity: .medium)
        var model: SileroVoiceDetector?
        /// The path of the model; another one is loaded if it changes.
        var modelSensitivity = SpeechSensitivity.medium
        /// A missing model does not come back by asking again, before it is installed.
        var isModelMissing = false
        /// 30 a second: as smooth as a display shows it.
        var frames = Frames<Int16>(of: SpeechAudio.sampleRate / 30)
        var isSpeech = false
        let levels = Broadcast<AudioLevel>(keeping: 4)
        let activity = Broadcast(newest: false, keeping: 4)

        var detector: any VoiceActivityDetector { model ?? loudness }

        mutating func restart() {
            detector.reset()
            tell()
        }

        mutating func tell() {
            let isSpeechNow = detector.activity.isSpeech
            guard isSpeechNow != isSpeech else { return }
            isSpeech = isSpeechNow
            activity.send(isSpeech)
        }

        mutating func tellLevels(_ samples: [Int16]) {
            guard levels.hasReaders else { return }
            for frame in frames.add(samples) { levels.send(AudioLevel(frame)) }
        }
    }

    init(_ detection: VoiceDetection, _ engines: EngineFolder) {
        self.engines = engines
        state = Mutex(State(detection: detection))
    }

    /// Loads the voice activity detector, if there is one: it takes 0.05 to 0.1 s.
    func prepare() { state.withLock { if !$0.isListening { load(&$0) } } }

    /// From the next utterance on, voices are detected in this way; a missing model is searched again.
    func detect(_ detection: VoiceDetection) {
        state.withLock { state in
            state.detection = detection
            state.isModelMissing = false
            guard !state.isListening else { return }
            if detection == .loudness { state.model = nil }
            load(&state)
        }
    }

    private func load(_ state: inout State) {
        guard state.detection == .automatic, !state.isModelMissing,
            state.model == nil || state.modelSensitivity != state.sensitivity
        else { return }
        // Without it, or if it is broken, loudness decides.
        state.model = makeModel(state.sensitivity)
        state.modelSensitivity = state.sensitivity
        state.isModelMissing = state.model == nil
    }

    private func makeModel(_ sensitivity: SpeechSensitivity) -> SileroVoiceDetector? {
        (try? SherpaLibrary(engines.sherpaLibrary)).flatMap { library in
            try? SileroVoiceDetector(library, model: engines.voiceActivityModel, sensitivity: sensitivity)
        }
    }

    /// A separate one for a recording, because the next utterance may have begun already; nil if loudness
    /// decides.
    func modelForRecording() -> SileroVoiceDetector? {
        let sensitivity = state.withLock { $0.model == nil ? nil : $0.sensitivity }
        return sensitivity.flatMap(makeModel)
    }

    /// Whether the model decides.
    var tellsVoices: Bool { state.withLock { $0.model != nil } }

    /// A new utterance begins: the state of the last one no longer counts.
    func begin() {
        state.withLock { state in
            state.isListening = true
            if state.detection == .loudness { state.model = nil }
            load(&state)
            state.frames = Frames(of: state.frames.length)
            state.restart()
        }
    }

    /// - Returns: the voices up to the end of these samples.
    @discardableResult
    func add(_ samples: [Int16]) -> VoiceActivity {
        state.withLock { state in
            state.detector.add(samples)
            // Whole segments are not needed here, and would be kept.
            _ = state.detector.takeSegments()
            state.tell()
            state.tellLevels(samples)
            return state.detector.activity
        }
    }

    /// The sound has ended: nobody speaks into a closed microphone.
    func end() {
        state.withLock { state in
            state.isListening = false
            state.restart()
        }
    }

    var activity: VoiceActivity { state.withLock { $0.detector.activity } }

    var sensitivity: SpeechSensitivity {
        get { state.withLock { $0.sensitivity } }
        set {
            state.withLock { state in
                state.sensitivity = newValue
                state.loudness.sensitivity = newValue
            }
        }
    }

    var levels: AsyncStream<AudioLevel> { state.withLock { $0.levels }.stream() }

    /// Whether somebody speaks, now and at each change.
    var changes: AsyncStream<Bool> { state.withLock { $0.activity }.stream() }
}
