import CleanupSets
import DictationText
import SelfCorrection

/// Learns the weights of ``CorrectionModel`` from pairs of a spoken text and the text that was meant: the
/// candidates that lead from one to the other are right.
struct CorrectionTrainer {
    var learner = WeightLearner()
    /// A feature that fewer texts have is left out: it says nothing of texts to come, and takes up room.
    var leastTexts = 8

    /// A candidate, and where its sentence is in the text.
    private struct Place {
        let candidate: CorrectionCandidate
        let sentence: Range<Int>

        /// The words that a correction of the usual kind removes.
        var span: Range<Int> {
            (sentence.lowerBound + candidate.start)..<(sentence.lowerBound + candidate.end)
        }

        func applied(to words: [String]) -> [String] {
            let correction = candidate.correction(inSentenceOf: sentence.count)
            return words[..<sentence.lowerBound] + correction.applied(to: Array(words[sentence]))
                + words[sentence.upperBound...]
        }
    }

    private let language: Language
    private let classes: WordClasses
    private let candidates: CorrectionCandidates
    /// One text each, with its candidates and what belongs to each.
    private var examples: [WeightLearner.Example] = []
    private(set) var skipped = 0
    var count: Int { examples.count }

    init(language: Language, classes: WordClasses) {
        (self.language, self.classes) = (language, classes)
        candidates = CorrectionCandidates(words: language.corrections)
    }

    private func sentences(_ line: String) -> [CorrectionSentence] {
        CorrectionSentence.sentences(of: line, language: language, classes: classes)
    }

    mutating func add(said: String, meant: String) {
        let target = sentences(meant).flatMap(\.tokens).map(\.key)
        var keys: [String] = []
        var places: [Place] = []
        var features: [[UInt32]] = []
        for sentence in sentences(said) {
            for candidate in candidates.candidates(in: sentence) {
                places.append(
                    Place(
                        candidate: candidate,
                        sentence: keys.count..<(keys.count + sentence.tokens.count)))
                features.append(CorrectionModel.places(of: candidate, in: sentence.tokens))
            }
            keys += sentence.tokens.map(\.key)
        }
        guard !places.isEmpty else { return }
        guard let right = Self.right(places, keys, target) else {
            skipped += 1
            return
        }
        examples.append(WeightLearner.Example(features: features, right: right))
    }

    /// The candidates whose removal gives the text that was meant, or nearly; nil if none does and something
    /// has to go.
    private static func right(
        _ places: [Place], _ said: [String], _ meant: [String]
    ) -> Set<Int>? {
        if said == meant { return [] }
        let bare = Set(places.indices.filter { places[$0].applied(to: said) == meant })
        if !bare.isEmpty { return bare }
        let gold = Alignment.removed(from: said, to: meant)
        let wanted = gold.count(where: { $0 })
        guard wanted > 0 else { return [] }
        let overlaps = places.map { place -> Double in
            // Words that change their places must be right.
            guard !place.candidate.isLate else { return 0 }
            let hit = gold[place.span].count(where: { $0 })
            return 2 * Double(hit) / Double(wanted + place.span.count)
        }
        guard let best = overlaps.max(), best >= 0.75 else { return nil }
        return Set(overlaps.indices.filter { overlaps[$0] == best })
    }

    /// Leaves out the features that hardly any text has.
    private mutating func prune() {
        var texts = [Int](repeating: 0, count: CorrectionModel.size)
        for example in examples {
            for feature in Set(example.features.joined()) { texts[Int(feature)] += 1 }
        }
        examples = examples.map { example in
            WeightLearner.Example(
                features: example.features.map { $0.filter { texts[Int($0)] >= leastTexts } },
                right: example.right)
        }
    }

    /// - Returns: ``CorrectionModel/size`` weights.
    mutating func weights(report: (Int, Double) -> Void) -> [Float] {
        prune()
        return learner.weights(of: examples, size: CorrectionModel.size, report: report)
    }
}
