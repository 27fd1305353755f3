import Foundation

/// Builds words with times from the tokens of a model.
enum SherpaWords {
    /// A piece of text, as in the model's output.
    struct Token: Equatable {
        /// A space before it (or the character ▁ instead) begins a word.
        var text: String
        /// Seconds from the beginning of the segment.
        var start: Double
        /// Seconds; nil if the model does not report it.
        var duration: Double?
        /// The logarithm of its probability; nil if the model does not report it.
        var logProbability: Double?
    }

    /// The assumed length of a last piece if it is unknown: a syllable.
    private static let usualDuration = 0.2

    /// - Parameters:
    ///   - text: the whole recognized text.
    ///   - offset: seconds, added to all times.
    /// - Returns: the words; empty if the pieces do not make up the text (a model that rewrites what it heard).
    static func words(of tokens: [Token], text: String, offset: Double) -> [RecognizedWord] {
        var groups: [[Token]] = []
        for token in tokens {
            let isBeginning =
                token.text.hasPrefix(" ") || token.text.hasPrefix("▁") || isIdeograph(token.text)
            let isAfterIdeograph = groups.last?.last.map { isIdeograph($0.text) } ?? true
            if groups.isEmpty || isBeginning || isAfterIdeograph {
                groups.append([token])
            } else {
                groups[groups.count - 1].append(token)
            }
        }
        var words: [RecognizedWord] = []
        for (index, group) in groups.enumerated() {
            let spelled = trimmed(group.map(\.text).joined())
            guard !spelled.isEmpty, let first = group.first, let last = group.last else { continue }
            let next = index + 1 < groups.count ? groups[index + 1].first?.start : nil
            let end = min(last.start + (last.duration ?? usualDuration), next ?? .infinity)
            let logs = group.compactMap(\.logProbability)
            // Of its least certain piece: one wrong syllable makes a wrong word.
            let confidence = logs.min().map { min(1, exp($0)) } ?? 1
            words.append(
                RecognizedWord(
                    text: spelled, range: offset + first.start..<offset + max(first.start, end),
                    confidence: confidence))
        }
        let letters = { (text: String) in text.filter { !$0.isWhitespace } }
        return letters(words.map(\.text).joined()) == letters(text) ? words : []
    }

    private static func trimmed(_ text: String) -> String {
        text.replacingOccurrences(of: "▁", with: " ").trimmingCharacters(in: .whitespaces)
    }

    /// Chinese, Japanese and Korean are written without spaces: each character is a word.
    private static func isIdeograph(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            (0x2e80...0x9fff).contains($0.value) || (0xf900...0xfaff).contains($0.value)
        }
    }
}
