import CSherpaOnnx
import Foundation

/// By silero's model: 0.1 ms for 32 ms of sound, and it distinguishes a voice from a door.
final class SileroVoiceDetector: VoiceActivityDetector {
    private let library: SherpaLibrary
    private let handle: OpaquePointer
    private var windows = Frames<Float>(of: window)
    /// If nothing is loud, nobody speaks; this is known up to a pause sooner than from the model. In noise,
    /// and with a quiet microphone, a voice does not stand out: then only the model can tell.
    private var loudness: SpeechDetector
    private let sensitivity: SpeechSensitivity
    private var position = 0
    /// The end of the last window with a voice.
    private var lastVoice = 0
    private var hasHeardSpeech = false

    /// The model hears pieces of 32 ms.
    private static let window = 512
    /// Pauses of a quarter of a second are where people draw breath, and where cutting costs the fewest words.
    private static let pause = Duration.milliseconds(250)
    /// Two windows: "a" and "I" are words.
    private static let shortest: Float = 0.03
    /// Seconds of sound that the library holds: more than the longest speech.
    private static let held: Float = 60
    /// The one that there is. The library ends the process on some of its relatives, so no other is loaded.
    private static let hash = "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49"

    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    init(_ library: SherpaLibrary, model: URL, sensitivity: SpeechSensitivity = .medium) throws {
        let model = model.path(percentEncoded: false)
        func unusable(_ reason: String) -> SpeechSessionError {
            .modelUnusable(engine: SherpaRecognizer.name, model: model, reason: reason)
        }
        guard try ContentHash.of(model) == Self.hash else {
            throw unusable("it is not the one that this version knows")
        }
        self.library = library
        self.sensitivity = sensitivity
        loudness = SpeechDetector(sensitivity: sensitivity)
        let text = CStrings()
        var config = SherpaOnnxVadModelConfig()
        config.silero_vad.model = text(model)
        config.silero_vad.threshold = sensitivity.threshold
        config.silero_vad.min_silence_duration = Float(Self.pause / .seconds(1))
        config.silero_vad.min_speech_duration = Self.shortest
        config.silero_vad.window_size = Int32(Self.window)
        config.silero_vad.max_speech_duration =
            Float(SegmentCutter.longestSpeech) / Float(SpeechAudio.sampleRate)
        config.sample_rate = Int32(SpeechAudio.sampleRate)
        config.num_threads = 1
        config.provider = text("cpu")
        let handle = withExtendedLifetime(text) {
            library.functions.SherpaOnnxCreateVoiceActivityDetector(&config, Self.held)
        }
        guard let handle else { throw unusable("the library does not take it") }
        self.handle = handle
    }

    deinit { library.functions.SherpaOnnxDestroyVoiceActivityDetector(handle) }

    func reset() {
        windows = Frames(of: Self.window)
        loudness = SpeechDetector(sensitivity: sensitivity)
        (position, lastVoice, hasHeardSpeech) = (0, 0, false)
        library.functions.SherpaOnnxVoiceActivityDetectorReset(handle)
        _ = takeSegments()
    }

    func add(_ samples: [Int16]) {
        loudness.add(samples)
        for window in windows.add(SherpaHandle.floats(samples)) { take(window) }
    }

    func flush() {
        if !windows.rest.isEmpty {
            // The model accepts only whole windows.
            for window in windows.add([Float](repeating: 0, count: Self.window - windows.rest.count)) {
                take(window)
            }
        }
        library.functions.SherpaOnnxVoiceActivityDetectorFlush(handle)
    }

    private func take(_ window: ArraySlice<Float>) {
        window.withUnsafeBufferPointer { buffer in
            library.functions.SherpaOnnxVoiceActivityDetectorAcceptWaveform(
                handle, buffer.baseAddress, Int32(clamping: buffer.count))
        }
        position += window.count
        guard isVoice else { return }
        lastVoice = position
        hasHeardSpeech = true
    }

    private var isVoice: Bool { library.functions.SherpaOnnxVoiceActivityDetectorDetected(handle) != 0 }

    var activity: VoiceActivity {
        let known = SpeechAudio.duration(ofSamples: position - lastVoice)
        // A voice that has not stood out so far does not end either if nothing is loud.
        let quiet = loudness.hasHeardSpeech ? loudness.silence : .zero
        return VoiceActivity(
            isSpeech: isVoice, hasHeardSpeech: hasHeardSpeech,
            silence: max(known, min(quiet, known + Self.pause)),
            isAudible: loudness.hasHeardSpeech)
    }

    func takeSegments() -> [Range<Int>] {
        var found: [Range<Int>] = []
        while library.functions.SherpaOnnxVoiceActivityDetectorEmpty(handle) == 0 {
            if let segment = library.functions.SherpaOnnxVoiceActivityDetectorFront(handle) {
                let start = Int(segment.pointee.start)
                found.append(start..<start + Int(segment.pointee.n))
                library.functions.SherpaOnnxDestroySpeechSegment(segment)
            }
            library.functions.SherpaOnnxVoiceActivityDetectorPop(handle)
        }
        return found
    }
}

extension SherpaLibrary {
    /// Finds the segments for engines that hear each one as a whole.
    ///
    /// - Parameter model: nil, or missing: by loudness.
    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    func segmentDetector(_ model: URL?) throws -> any VoiceActivityDetector {
        guard let model, FileManager.default.isReadableFile(atPath: model.path(percentEncoded: false)) else {
            return LoudnessVoiceDetector()
        }
        return try SileroVoiceDetector(self, model: model)
    }
}

extension SpeechSensitivity {
    /// How probable a voice must be; the middle one is the library's own. Noises and tones are below 0.35.
    fileprivate var threshold: Float {
        switch self {
        case .low: 0.65
        case .medium: 0.5
        case .high: 0.35
        }
    }
}
