import CleanupSets
import DictationText
import Foundation
import SelfCorrection

/// Measures the results of other thresholds (``MarkThresholds``) on a set of marked texts, so that they can
/// be chosen.
struct MarkChoice {
    let set: CleanupSet
    let network: MarkNetwork
    let questions: HashedWeights

    private struct Count {
        var (hits, wanted, given) = (0, 0, 0)

        /// Precision, recall and F1, in per cent.
        var figures: String {
            [(hits, given), (hits, wanted), (2 * hits, wanted + given)]
                .map { String(format: "%6.2f", 100 * Double($0.0) / Double(max(1, $0.1))) }
                .joined(separator: " ")
        }
    }

    /// The thresholds that are tried.
    private static let commas: [Float] = [0.7, 0.8, 0.9]
    private static let stops: [Float] = [0.4, 0.45, 0.5]
    private static let questions: [Float] = [-1, 0, 1]

    var lines: [String] {
        Self.commas.map { value in line("comma", ",", value) { $0.comma = value } }
            + Self.stops.map { value in line("full stop", ".", value) { $0.stop = value } }
            + Self.questions.map { value in line("question mark", "?", value) { $0.question = value } }
    }

    private func line(
        _ name: String, _ sign: String, _ value: Float, _ change: (inout MarkThresholds) -> Void
    ) -> String {
        var thresholds = MarkThresholds()
        change(&thresholds)
        let model = MarkModel(network: network, questions: questions, thresholds: thresholds)
        var count = Count()
        for pair in set.pairs {
            let marked = pair.written.split(separator: " ")
            let words = marked.map { $0.lowercased().trimmingCharacters(in: .punctuationCharacters) }
            guard !words.contains("") else { continue }
            for (wanted, given) in zip(marked, model.marks(behind: words, language: .english)) {
                count.hits += wanted.hasSuffix(sign) && given == sign ? 1 : 0
                count.wanted += wanted.hasSuffix(sign) ? 1 : 0
                count.given += given == sign ? 1 : 0
            }
        }
        return "\(set.name), \(name) from \(value): \(count.figures)"
    }
}
