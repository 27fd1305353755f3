import CleanupSets
import DictationText
import Foundation
import SelfCorrection
import TestSupport

/// Learns the weights of ``CorrectionModel`` from pairs of what was said and what was meant: the likelihood of the
/// candidates that lead from one to the other, made as large as it gets by stochastic gradient steps (AdaGrad).
struct CorrectionTrainer {
    /// Passes over the data. More do not help on parts of the training set that were held back.
    var passes = 12
    /// Of a step; found on the same parts, like all that follows.
    var rate: Float = 0.02
    /// Pulls each touched weight back to 0 by this share, so that rare features stay small.
    var decay: Float = 2e-6
    /// The share of the features that a text is shown without, each time others: none may lean on another.
    var dropout: Float = 0.35
    /// A feature that fewer texts have is left out: it says nothing of texts to come, and takes up room.
    var leastTexts = 8

    /// One text, with its candidates and what belongs to each.
    private struct Example {
        let features: [[UInt32]]
        /// The candidates that are right; empty where nothing is to be corrected.
        let right: Set<Int>
    }

    /// A candidate, and where its sentence stands in the text.
    private struct Place {
        let candidate: CorrectionCandidate
        let sentence: Range<Int>

        /// What the usual kind takes away.
        var span: Range<Int> {
            (sentence.lowerBound + candidate.start)..<(sentence.lowerBound + candidate.end)
        }

        func applied(to words: [String]) -> [String] {
            let correction = candidate.correction(inSentenceOf: sentence.count)
            return words[..<sentence.lowerBound] + correction.applied(to: Array(words[sentence]))
                + words[sentence.upperBound...]
        }
    }

    private(set) var weights = [Float](repeating: 0, count: CorrectionModel.size)
    private let language: Language
    private let classes: WordClasses
    private let candidates: CorrectionCandidates
    private var examples: [Example] = []
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
        examples.append(Example(features: features, right: right))
    }

    /// The candidates whose removal gives what was meant, or nearly; nil where none does, and something is to go.
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
            // Words that change their places have to be right.
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
            Example(
                features: example.features.map { $0.filter { texts[Int($0)] >= leastTexts } },
                right: example.right)
        }
    }

    mutating func train(report: (Int, Double) -> Void) {
        prune()
        var weights = self.weights
        var squares = [Float](repeating: 1e-4, count: weights.count)
        var sums = [Double](repeating: 0, count: weights.count)
        var order = Array(examples.indices)
        var generator = SeededGenerator(seed: 7)
        for pass in 1...passes {
            order.shuffle(using: &generator)
            var loss = 0.0
            for index in order {
                loss += step(examples[index], &weights, &squares, hidden: generator.next())
            }
            if pass > passes / 2 { for place in weights.indices { sums[place] += Double(weights[place]) } }
            report(pass, loss / Double(examples.count))
        }
        let averaged = Double(passes - passes / 2)
        self.weights = sums.map { Float($0 / averaged) }
    }

    private func step(
        _ example: Example, _ weights: inout [Float], _ squares: inout [Float], hidden: UInt64
    ) -> Double {
        let features = shown(example.features, hidden)
        let scores = features.map { indices in indices.reduce(Float(0)) { $0 + weights[Int($1)] } }
        let largest = max(0, scores.max() ?? 0)
        let none = exp(-largest)
        let shares = scores.map { exp($0 - largest) }
        let all = shares.reduce(none, +)
        let good = example.right.isEmpty ? none : example.right.reduce(Float(0)) { $0 + shares[$1] }
        for index in shares.indices {
            let wanted = example.right.contains(index) ? shares[index] / max(good, 1e-20) : 0
            let gradient = shares[index] / all - wanted
            guard abs(gradient) > 1e-4 else { continue }
            for feature in features[index] {
                let place = Int(feature)
                squares[place] += gradient * gradient
                weights[place] -= rate * gradient / squares[place].squareRoot() + decay * weights[place]
            }
        }
        return -Double(log(max(good / all, 1e-20)))
    }
}

extension CorrectionTrainer {
    /// What is left of the features of a text when a share of them is hidden, the same ones in all candidates.
    private func shown(_ features: [[UInt32]], _ seed: UInt64) -> [[UInt32]] {
        guard dropout > 0 else { return features }
        let limit = UInt32(Double(UInt32.max) * Double(dropout))
        let mask = UInt32(truncatingIfNeeded: seed)
        return features.map { $0.filter { Self.mixed($0 ^ mask) >= limit } }
    }

    /// As good as chance, and the same for a feature wherever it comes up (the end of MurmurHash3).
    private static func mixed(_ value: UInt32) -> UInt32 {
        var value = (value ^ value >> 16) &* 0x85EB_CA6B
        value = (value ^ value >> 13) &* 0xC2B2_AE35
        return value ^ value >> 16
    }
}
