import Foundation

/// A text in tones, as the models in `Tests/ToneModels` read them: for each letter 100 ms of its own, then 60 ms of silence;
/// with silence around all.
///
/// - Parameters:
///   - text: small letters, blanks, and `'.,`.
///   - loudness: 0…1.
///   - before: seconds of silence.
///   - after: seconds of silence.
/// - Returns: 16,000 samples a second.
public func tones(
    of text: String, loudness: Double = 0.5, before: Double = 0.2, after: Double = 0.4
) throws -> [Int16] {
    let data = try Data(contentsOf: URL(filePath: repositoryFile("Tests/ToneModels/tones.json")))
    let tones = try JSONDecoder().decode([String: Double].self, from: data)
    let rate = 16_000.0
    let (length, fade) = (Int(0.1 * rate), 0.005 * rate)
    var samples = [Int16](repeating: 0, count: Int(before * rate))
    for letter in text {
        guard let tone = tones[String(letter)] else { throw NoTone(letter: letter) }
        for index in 0..<length {
            let edge = min(1, Double(min(index, length - 1 - index)) / fade)
            samples.append(Int16(32767 * loudness * edge * sin(2 * .pi * tone * Double(index) / rate)))
        }
        samples += [Int16](repeating: 0, count: Int(0.06 * rate))
    }
    return samples + [Int16](repeating: 0, count: Int(after * rate))
}

/// There is no tone for a letter.
public struct NoTone: Error {
    public let letter: Character
}
