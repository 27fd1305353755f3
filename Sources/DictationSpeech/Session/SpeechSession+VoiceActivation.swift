import DictationSystem
import Foundation
import Synchronization

extension SpeechSession {
    /// Whether a model distinguishes voices from other sounds, and not only loudness.
    public var tellsVoices: Bool { monitor.tellsVoices }

    /// Sets how voices are distinguished from other sounds, from the next utterance on. A model that was
    /// missing when it was last needed is searched again.
    public func detectVoices(_ detection: VoiceDetection) { monitor.detect(detection) }

    /// Classifies the sound of a recording without words; nil if there is no voice model, or the recording
    /// cannot be read.
    public func soundWithoutWords(in recording: URL) -> SoundWithoutWords? {
        guard let detector = monitor.modelForRecording() else { return nil }
        do {
            // In pieces: a recording may last for hours.
            let file = try AudioFile(url: recording)
            while !detector.activity.hasHeardSpeech, let chunk = try file.next() {
                detector.add(chunk.samples)
                // Whole segments are not needed here, and would be kept.
                _ = detector.takeSegments()
            }
        } catch { return nil }
        detector.flush()
        let activity = detector.activity
        return activity.hasHeardSpeech ? .voice : activity.isAudible ? .noise : .silence
    }

    /// Chooses how easily sound counts as speech, from now on; if a model decides, from the next utterance on.
    public func configureVoiceActivation(sensitivity: SpeechSensitivity) { monitor.sensitivity = sensitivity }

    /// Whether somebody speaks at this moment; false while nothing is recorded.
    public var isSpeechDetected: Bool { monitor.activity.isSpeech }

    /// Whether somebody speaks: now, and at each change. It continues over utterances, until the reader stops
    /// reading.
    public var speechDetectionStream: AsyncStream<Bool> { monitor.changes }

    /// How loud it is while something is recorded, 30 times a second; for meters. A slow reader gets the newest.
    public var volumeStream: AsyncStream<AudioLevel> { monitor.levels }

    /// How often frames were lost, in all utterances, because the machine was too busy to fetch them.
    public var overruns: Int { state.withLock { $0.overruns + ($0.current?.capture.overruns ?? 0) } }
}

/// The sound of a recording without words.
public enum SoundWithoutWords: Sendable {
    case silence
    /// As loud as speech, but no voice: wind, a fan; or somebody whispered.
    case noise
    /// Somebody spoke, and the recognizer understood nothing.
    case voice
}
