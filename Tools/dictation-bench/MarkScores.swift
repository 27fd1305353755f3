import CleanupSets
import DictationText
import Foundation

/// How many of a text's marks and capitals the clean-up puts where it gets the words alone.
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
    private static let rules: Set<CleaningRule> = [.properWords, .capitals, .finalMark, .pauses]

    init(_ set: CleanupSet) {
        let cleaner = TextCleaner(options: .init(rules: Self.rules))
        var counts: [Sign: (hits: Int, wanted: Int, given: Int)] = [:]
        var words = 0
        for pair in set.pairs {
            let wanted = pair.written.split(separator: " ").filter { $0.contains(where: \.isLetter) }
            let given = cleaner.clean(Self.bare(wanted)).text.split(separator: " ")
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
        self.set = set.name
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

    /// The words as a recognizer without marks and capitals gives them.
    private static func bare(_ words: [Substring]) -> String {
        words.map { $0.lowercased().trimmingCharacters(in: .punctuationCharacters) }.joined(separator: " ")
    }
}
