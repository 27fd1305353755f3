import Foundation

/// Mixes several channels into one, piece by piece.
///
/// The mean, usually. But a balanced microphone in a stereo input gives its sound on one channel, and the
/// inverted sound on the other one: their mean is silence. Then only the louder channel is used, for as long
/// as this lasts.
///
/// A pure value.
struct Downmix: Equatable {
    private let channels: Int
    /// Of the last sound: the energy of each channel, and of the mean of all.
    private var energies: [Float]
    private var mean: Float = 0

    /// Half a second or so: channels that cancel each other out for less do so by chance.
    private static let halfLife = 20_000.0
    /// The mean of channels that have nothing in common has the energy of all, divided by the square of their number; so
    /// has that of one channel among silent ones. This much less (15 dB) is a sound that cancels itself out.
    private static let cancelled: Float = 1 / 32

    init(channels: Int) {
        self.channels = channels
        energies = Array(repeating: 0, count: channels)
    }

    /// - Parameter samples: the next frames, interleaved.
    mutating func mix(_ samples: [Float]) -> [Float] {
        guard channels > 1 else { return samples }
        let count = samples.count / channels
        let scale = 1 / Float(channels)
        let mixed = (0..<count).map { frame in
            var sum: Float = 0
            for channel in 0..<channels { sum += samples[frame * channels + channel] }
            return sum * scale
        }
        let kept = Float(exp2(-Double(count) / Self.halfLife))
        mean = mean * kept + mixed.reduce(0) { $0 + $1 * $1 }
        for channel in 0..<channels {
            var energy = energies[channel] * kept
            for frame in 0..<count {
                let sample = samples[frame * channels + channel]
                energy += sample * sample
            }
            energies[channel] = energy
        }
        guard let loudest = energies.indices.max(by: { energies[$0] < energies[$1] }),
            mean < energies.reduce(0, +) * scale * scale * Self.cancelled
        else { return mixed }
        return (0..<count).map { samples[$0 * channels + loudest] }
    }
}
