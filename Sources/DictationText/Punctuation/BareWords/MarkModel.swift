import Foundation
import SelfCorrection

/// Tells where bare words have marks: at each place between two words a log-linear model chooses a comma, a stop or none,
/// and of each sentence that does not
/// ask by ``Questions`` it says whether it does. `train-cleanup` made its weights.
package struct MarkModel: Sendable {
    package enum Mark: Int, Sendable {
        case comma
        case stop
    }

    /// The number of weights. Each feature has two beside each other: for a comma, or a question, and for a stop.
    package static let size = 1 << 21

    /// The place of the first weight of a feature.
    @inline(__always)
    package static func place(of hash: Int) -> Int { (hash & (size / 2 - 1)) << 1 }

    private let weights: HashedWeights
    let classes: WordClasses
    private let thresholds: MarkThresholds

    /// - Parameter weights: of ``size`` places.
    package init(
        weights: HashedWeights, classes: WordClasses, thresholds: MarkThresholds = MarkThresholds()
    ) {
        (self.weights, self.classes, self.thresholds) = (weights, classes, thresholds)
    }

    /// The model that `train-cleanup` made; read once, on first use.
    static let shipped = MarkModel(weights: .marks(size: size), classes: .marks)

    private struct Sums: FeatureSink {
        let weights: HashedWeights
        /// In steps; that of a comma is that of a question in the features of a sentence.
        var comma = 0
        var stop = 0

        mutating func add(_ hash: Int) {
            let place = MarkModel.place(of: hash)
            comma += weights[place]
            stop += weights[place + 1]
        }
    }

    /// The mark behind a word, if one is likely enough.
    ///
    /// - Parameter pause: seconds of silence behind it; nil if nothing is known of any pause.
    func mark(behind place: Int, in tokens: [MarkToken], _ clause: MarkClause, pause: Float?) -> Mark? {
        var features = MarkFeatures(Sums(weights: weights))
        features.collect(behind: place, in: tokens, clause)
        let hint = pause.map(PauseHint.init)
        let comma = Float(features.sink.comma) * HashedWeights.step + (hint?.comma ?? 0)
        let stop = Float(features.sink.stop) * HashedWeights.step + (hint?.stop ?? 0)
        // Most places are far from having a mark.
        guard max(comma, stop) > MarkThresholds.least else { return nil }
        let (commas, stops) = (exp(comma), exp(stop))
        let all = 1 + commas + stops
        if stops / all > thresholds.stop { return .stop }
        return commas / all > thresholds.comma ? .comma : nil
    }

    /// Whether a sentence asks that does not by ``Questions``.
    func isQuestion(_ sentence: ArraySlice<MarkToken>) -> Bool {
        var features = MarkFeatures(Sums(weights: weights))
        features.collect(sentence: sentence)
        return Float(features.sink.comma) * HashedWeights.step > thresholds.question
    }
}

/// How sure the model of marks has to be.
package struct MarkThresholds: Sendable {
    /// A comma too many is worse to read than one that is missing.
    package var comma: Float = 0.8
    package var stop: Float = 0.4
    /// How much likelier a question is than a statement, as a logarithm.
    package var question: Float = -1

    package init() {}

    /// A score that leaves a mark less likely than every threshold.
    static let least: Float = -0.9
}

/// The scores that a pause adds to a comma and to a stop: how much more often people are silent that long
/// there than in a place without a mark, as a logarithm. Pauses within a clause of read speech are rarely
/// longer than half a second, those between two sentences rarely shorter.
struct PauseHint {
    let comma: Float
    let stop: Float

    /// - Parameter pause: in seconds.
    init(_ pause: Float) {
        (comma, stop) =
            switch pause {
            case ..<0.1: (-0.7, -2)
            case ..<0.3: (0.5, 0)
            case ..<0.5: (1.5, 1.5)
            case ..<0.75: (1.5, 3)
            default: (1, 4.5)
            }
    }
}
