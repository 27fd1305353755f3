/// How high a segment of sound is drawn, in the overlay as in the terminal.
public enum SoundBar {
    /// In dB below full scale: a quiet room.
    private static let floor = 48.0

    /// By the square, which is close to the perceived loudness, so that syllables are visible also in a loud
    /// voice, whose peaks all come close to full scale.
    ///
    /// - Parameter peak: the loudest sample, in dB relative to full scale.
    /// - Returns: from 0 (−48 dB or less) to 1 (full scale); speech into a good microphone reaches 0.3 to 0.9.
    public static func height(ofPeak peak: Double) -> Double {
        let level = min(1, max(0, 1 + peak / floor))
        return level * level
    }
}
