import CleanupSets
import DictationShared
import DictationText
import Foundation

/// Measures how much of a text would be typed while it is being spoken, word by word
/// (``TextCleaner/settledPrefix(of:unsure:wait:)``), and how many of these words are different in the whole text.
struct SettledScores: Encodable {
    let set: String
    let texts: Int
    /// The words that are waited for.
    let wait: Int
    /// Per cent of the words of the cleaned texts that are typed before the last word is spoken.
    let early: Double
    /// Per cent of the words typed that the cleaned texts have otherwise.
    let wrong: Double
    /// Per cent of the texts that have such words.
    let wrongTexts: Double

    static let waits = [0, TextCleaner.usualWait, 4]
    /// Every word of every text is a cut, and each cut is cleaned many times.
    static let mostTexts = 100

    static func all(of set: CleanupSet) -> [SettledScores] {
        let every = max(1, set.pairs.count / mostTexts)
        let texts = set.pairs.enumerated().filter { $0.offset % every == 0 }.map(\.element.spoken)
        return waits.map { SettledScores(set.name, texts, wait: $0) }
    }

    private init(_ set: String, _ texts: [String], wait: Int) {
        let cleaner = TextCleaner()
        var (early, all, wrong, wrongTexts) = (0, 0, 0, 0)
        for text in texts {
            let typed = cleaner.typedLive(text, wait: wait)
            let cleaned = cleaner.clean(text).text
            let words = typed.split(whereSeparator: \.isWhitespace).count
            let otherwise = LiveJoin(typed, cleaned).wrongWords
            early += words
            all += cleaned.split(whereSeparator: \.isWhitespace).count
            wrong += otherwise
            wrongTexts += otherwise > 0 ? 1 : 0
        }
        self.set = set
        self.texts = texts.count
        self.wait = wait
        self.early = DisfluencyScores.percent(early, all)
        self.wrong = DisfluencyScores.percent(wrong, early)
        self.wrongTexts = DisfluencyScores.percent(wrongTexts, texts.count)
    }

    static func printTitles() {
        print("typed while it is spoken, word by word; in per cent")
        print(Columns.line(["set", "texts", "waits for", "early", "wrong", "texts"], first: 34, others: 10))
    }

    func printLine() {
        let figures = [early, wrong, wrongTexts].map { String(format: "%.2f", $0) }
        print(Columns.line([set, "\(texts)", "\(wait)"] + figures, first: 34, others: 10))
    }
}

extension TextCleaner {
    /// The part of a text that is typed when all words but the last one are spoken, each of them as soon as
    /// it is settled.
    func typedLive(_ text: String, wait: Int) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        var typed = ""
        for count in words.indices.dropFirst() {
            let settled = settledPrefix(of: words[..<count].joined(separator: " "), wait: wait)
            if settled.unicodeScalars.starts(with: typed.unicodeScalars) { typed = settled }
        }
        return typed
    }
}
