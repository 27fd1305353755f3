import Foundation

/// When speech begins in a few hundred milliseconds of sound, by loudness alone: too little for silero's model, which knows
/// a voice only 30 to 400 ms after it began.
///
/// A pure function.
enum SpeechOnset {
    /// Consonants are some 10 dB below vowels, the noise of a room 15 dB and more below speech.
    private static let range = 15.0
    /// 10 ms; three in a row are checked together.
    private static let frame = SpeechAudio.sampleRate / 100

    /// - Returns: the first moment that is about as loud as the loudest one; nil if nothing is as loud as
    ///   speech.
    static func find(in samples: some RandomAccessCollection<Int16>) -> Duration? {
        let samples = Array(samples)
        let levels = stride(from: 0, to: samples.count - 3 * frame + 1, by: frame).map {
            AudioLevel(samples[$0..<$0 + 3 * frame]).rms
        }
        guard let loudest = levels.max(), loudest >= SpeechSensitivity.medium.floor,
            let first = levels.firstIndex(where: { $0 >= loudest - range })
        else { return nil }
        return SpeechAudio.duration(ofSamples: first * frame)
    }
}

extension SpeechSession {
    /// When speech begins in a short recording, or in its first part.
    ///
    /// - Parameters:
    ///   - recording: any that libsndfile reads.
    ///   - length: as much of it is listened to.
    /// - Returns: nil if nothing is as loud as speech.
    /// - Throws: ``SpeechSessionError`` if the recording cannot be read.
    public func speechOnset(in recording: URL, first length: Duration) throws -> Duration? {
        SpeechOnset.find(in: try AudioFile.samples(of: recording).prefix(SpeechAudio.samples(in: length)))
    }
}
