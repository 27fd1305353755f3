import ArgumentParser
import DictationSpeech
import Foundation

/// Long speech without pauses: recordings of one speaker, one after another, with the silence between and
/// inside them left out.
///
/// Recordings whose names agree up to the last underscore are of one speaker. Each of them begins one of the joined
/// recordings; the next ones follow, and the first ones again, until it has 30, 45, 60, 80 or 100 s. The same files make
/// the same recordings each time.
enum JoinedRecordings {
    /// A choice made by measuring is measured again on speech that no choice has seen.
    enum Half: String, ExpressibleByArgument, CaseIterable {
        case first, second
    }

    /// Seconds, in turn.
    private static let lengths = [30, 45, 60, 80, 100]
    /// Quiet that is left of a pause: as long as the closure of a "p" or "t", and too short to count as a pause.
    private static let longestQuiet = 10
    /// Sound this far below the speech's own level is not speech, in dB.
    private static let quiet = 25.0
    /// 10 ms.
    private static let frame = SpeechAudio.sampleRate / 100

    /// - Parameter half: of each speaker's recordings; of a single one, the second. Nil for all.
    static func items(_ items: [SpeechBenchmark.Item], half: Half?) throws -> [SpeechBenchmark.Item] {
        var speakers: [(name: Substring, items: [SpeechBenchmark.Item])] = []
        for item in items {
            let name = item.file.lastIndex(of: "_").map { item.file[..<$0] } ?? item.file[...]
            if speakers.last?.name == name {
                speakers[speakers.count - 1].items.append(item)
            } else {
                speakers.append((name, [item]))
            }
        }
        var number = 0
        return try speakers.flatMap { speaker in
            let middle = speaker.items.count / 2
            let items =
                switch half {
                case .first: speaker.items[..<middle]
                case .second: speaker.items[middle...]
                case nil: speaker.items[...]
                }
            let parts = try items.map { ($0, speech(in: try $0.samples())) }
            let seconds = parts.map(\.1.count).reduce(0, +) / SpeechAudio.sampleRate
            // A recording that has to be repeated more often than twice is not long speech.
            let possible = lengths.filter { $0 <= 3 * seconds }
            return try parts.indices.compactMap { start -> SpeechBenchmark.Item? in
                guard !possible.isEmpty else { return nil }
                defer { number += 1 }
                let length = possible[number % possible.count]
                return try joined(parts, from: start, seconds: length)
            }
        }
    }

    private static func joined(
        _ parts: [(item: SpeechBenchmark.Item, samples: [Int16])], from start: Int, seconds: Int
    ) throws -> SpeechBenchmark.Item {
        var (samples, words): ([Int16], [String]) = ([], [])
        var next = start
        while samples.count < seconds * SpeechAudio.sampleRate {
            samples += parts[next].samples
            words.append(parts[next].item.reference)
            next = (next + 1) % parts.count
        }
        let all = samples
        return SpeechBenchmark.Item(
            file: "\(parts[start].item.file)+\(seconds)", reference: words.joined(separator: " ")
        ) { all }
    }

    /// A recording without its pauses.
    private static func speech(in samples: [Int16]) -> [Int16] {
        let frames = stride(from: 0, to: samples.count - frame + 1, by: frame).map {
            samples[$0..<$0 + frame]
        }
        let levels = frames.map { AudioLevel($0).rms }
        // Of the loudest fifth: vowels.
        guard let level = levels.nearest(toRank: 0.8) else { return [] }
        var quietFrames = 0
        return zip(frames, levels).flatMap { frame, own -> ArraySlice<Int16> in
            quietFrames = own < level - quiet ? quietFrames + 1 : 0
            return quietFrames <= longestQuiet ? frame : []
        }
    }
}
