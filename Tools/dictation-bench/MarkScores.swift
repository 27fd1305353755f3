import CleanupSets
import DictationText
import Foundation
import TestSupport

/// How many of a text's marks and capitals the clean-up restores from the words alone.
struct MarkScores: Encodable {
    struct Score: Encodable {
        let mark: String
        /// How many there should be.
        let wanted: Int
        let precision: Double
        let recall: Double
        let f1: Double
    }

    let set: String
    let words: Int
    let scores: [Score]

    private enum Sign: String, CaseIterable {
        case comma
        case fullStop = "full stop"
        case question = "question mark"
        case capital

        func isAt(_ word: Substring) -> Bool {
            switch self {
            case .comma: word.hasSuffix(",")
            case .fullStop: word.hasSuffix(".") || word.hasSuffix("!") || word.hasSuffix(";")
            case .question: word.hasSuffix("?")
            case .capital: word.first?.isUppercase == true
            }
        }
    }

    /// The rules that give marks and capitals; the words stay the same.
    private static let rules: Set<CleaningRule> = [.properWords, .capitals, .finalMark, .marks, .pauses]

    /// - Parameters:
    ///   - pausing: the speaker pauses as in ``MadePauses``; otherwise no times are known.
    ///   - off: rules that are off.
    init(_ set: CleanupSet, pausing: Bool, off: [CleaningRule]) {
        let cleaner = TextCleaner(options: .init(rules: Self.rules.subtracting(off)))
        var pauses = MadePauses()
        var counts: [Sign: (hits: Int, wanted: Int, given: Int)] = [:]
        var words = 0
        for pair in set.pairs {
            let wanted = pair.written.split(separator: " ").filter { $0.contains(where: \.isLetter) }
            let bare = wanted.map(Self.bare)
            let cleaned =
                pausing
                ? cleaner.clean(pauses.timed(bare, marked: wanted))
                : cleaner.clean(bare.joined(separator: " "))
            let given = cleaned.text.split(separator: " ")
            guard wanted.count == given.count else { continue }
            words += wanted.count
            for (wanted, given) in zip(wanted, given) {
                for sign in Sign.allCases {
                    let (isWanted, isGiven) = (sign.isAt(wanted), sign.isAt(given))
                    var count = counts[sign] ?? (0, 0, 0)
                    count.hits += isWanted && isGiven ? 1 : 0
                    count.wanted += isWanted ? 1 : 0
                    count.given += isGiven ? 1 : 0
                    counts[sign] = count
                }
            }
        }
        self.set = set.name + (pausing ? ", pauses" : "")
        self.words = words
        scores = Sign.allCases.compactMap { sign in
            guard let count = counts[sign], count.wanted > 0 else { return nil }
            return Score(
                mark: sign.rawValue, wanted: count.wanted,
                precision: DisfluencyScores.percent(count.hits, count.given),
                recall: DisfluencyScores.percent(count.hits, count.wanted),
                f1: DisfluencyScores.percent(2 * count.hits, count.wanted + count.given))
        }
    }

    /// The word as a recognizer without marks and capitals gives it.
    private static func bare(_ word: Substring) -> String {
        word.lowercased().trimmingCharacters(in: .punctuationCharacters)
    }
}

/// Times for words, with pauses drawn at random. They are made up, as no set of texts has any: nine of ten
/// periods and half of the commas have one, and 4 of 100 other places, where people think.
private struct MadePauses {
    private var generator = SeededGenerator(seed: 29)
    /// Seconds.
    private static let word = 0.3

    mutating func timed(_ words: [String], marked: [Substring]) -> [TimedWord] {
        var time = 0.0
        return zip(words, marked).map { word, marked in
            let start = time
            time += Self.word + pause(behind: marked)
            return TimedWord(text: word, start: start, end: start + Self.word)
        }
    }

    private mutating func pause(behind word: Substring) -> Double {
        let (share, range) =
            switch word.last {
            case ".", "?", "!", ";": (0.9, 0.4...1.2)
            case ",": (0.5, 0.15...0.6)
            default: (0.04, 0.1...0.8)
            }
        guard Double.random(in: 0..<1, using: &generator) < share else { return 0 }
        return Double.random(in: range, using: &generator)
    }
}
