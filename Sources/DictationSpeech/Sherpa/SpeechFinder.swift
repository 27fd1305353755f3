import CSherpaOnnx
import Foundation

/// Finds the stretches of a recording in which somebody speaks. Not for two threads at once.
protocol SpeechFinder: AnyObject {
    func reset()
    /// The next sound, in both forms.
    func add(_ samples: [Int16], _ floats: [Float])
    /// The sound has ended.
    func flush()
    /// Whether somebody speaks at the end of what was added.
    var isSpeech: Bool { get }
    /// Those that have ended since the last call: ranges of samples from the beginning of the recording.
    func takeStretches() -> [Range<Int>]
}

/// By loudness alone, where there is no model.
final class LoudnessSpeechFinder: SpeechFinder {
    private var detector = SpeechDetector(sensitivity: .high)
    private var position = 0
    private var begin: Int?
    private var found: [Range<Int>] = []

    private static let frame = SpeechAudio.sampleRate / 50
    /// What the detector needs to be sure that speech has begun.
    private static let onset = SpeechAudio.sampleRate * 6 / 100

    func reset() {
        detector = SpeechDetector(sensitivity: .high)
        position = 0
        begin = nil
        found = []
    }

    func add(_ samples: [Int16], _ floats: [Float]) {
        // A file comes in long pieces, in which speech may begin and end.
        for start in stride(from: 0, to: samples.count, by: Self.frame) {
            take(Array(samples[start..<min(start + Self.frame, samples.count)]))
        }
    }

    private func take(_ samples: [Int16]) {
        position += samples.count
        detector.add(samples)
        if detector.isSpeech {
            begin = begin ?? max(0, position - samples.count - Self.onset)
        } else if let begin {
            found.append(begin..<max(begin, position - SpeechAudio.samples(in: detector.silence)))
            self.begin = nil
        }
    }

    func flush() {
        guard let begin else { return }
        found.append(begin..<position)
        self.begin = nil
    }

    var isSpeech: Bool { detector.isSpeech }

    func takeStretches() -> [Range<Int>] {
        defer { found = [] }
        return found
    }
}

/// By silero's model: 0.1 ms for 32 ms of sound, and it tells a voice from a door.
final class SileroSpeechFinder: SpeechFinder {
    private let library: SherpaLibrary
    private let detector: OpaquePointer
    private var pending: [Float] = []

    /// The model hears pieces of 32 ms.
    private static let window = 512
    /// Pauses of a quarter of a second are where people draw breath, and where cutting costs the fewest words.
    private static let pause: Float = 0.25
    /// Shorter sounds are no words.
    private static let shortest: Float = 0.1
    /// The library's own threshold, of a probability.
    private static let threshold: Float = 0.5

    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    init(_ library: SherpaLibrary, model: String) throws {
        self.library = library
        let text = CStrings()
        var config = SherpaOnnxVadModelConfig()
        config.silero_vad.model = text(model)
        config.silero_vad.threshold = Self.threshold
        config.silero_vad.min_silence_duration = Self.pause
        config.silero_vad.min_speech_duration = Self.shortest
        config.silero_vad.window_size = Int32(Self.window)
        config.silero_vad.max_speech_duration = Float(StretchCutter.longest) / Float(SpeechAudio.sampleRate)
        config.sample_rate = Int32(SpeechAudio.sampleRate)
        config.num_threads = 1
        config.provider = text("cpu")
        // Its buffer holds a stretch of the longest kind twice.
        let detector = withExtendedLifetime(text) {
            library.functions.SherpaOnnxCreateVoiceActivityDetector(&config, 60)
        }
        guard let detector else {
            throw SpeechSessionError.modelUnusable(
                engine: SherpaRecognizer.name, model: model, reason: "the library does not take it")
        }
        self.detector = detector
    }

    deinit { library.functions.SherpaOnnxDestroyVoiceActivityDetector(detector) }

    func reset() {
        pending = []
        library.functions.SherpaOnnxVoiceActivityDetectorReset(detector)
        _ = takeStretches()
    }

    func add(_ samples: [Int16], _ floats: [Float]) {
        pending += floats
        var start = 0
        while pending.count - start >= Self.window {
            take(pending[start..<start + Self.window])
            start += Self.window
        }
        pending.removeFirst(start)
    }

    func flush() {
        if !pending.isEmpty {
            // The model takes whole windows only.
            take((pending + [Float](repeating: 0, count: Self.window - pending.count))[...])
            pending = []
        }
        library.functions.SherpaOnnxVoiceActivityDetectorFlush(detector)
    }

    private func take(_ window: ArraySlice<Float>) {
        window.withUnsafeBufferPointer { buffer in
            library.functions.SherpaOnnxVoiceActivityDetectorAcceptWaveform(
                detector, buffer.baseAddress, Int32(clamping: buffer.count))
        }
    }

    var isSpeech: Bool { library.functions.SherpaOnnxVoiceActivityDetectorDetected(detector) != 0 }

    func takeStretches() -> [Range<Int>] {
        var found: [Range<Int>] = []
        while library.functions.SherpaOnnxVoiceActivityDetectorEmpty(detector) == 0 {
            if let segment = library.functions.SherpaOnnxVoiceActivityDetectorFront(detector) {
                let start = Int(segment.pointee.start)
                found.append(start..<start + Int(segment.pointee.n))
                library.functions.SherpaOnnxDestroySpeechSegment(segment)
            }
            library.functions.SherpaOnnxVoiceActivityDetectorPop(detector)
        }
        return found
    }
}
