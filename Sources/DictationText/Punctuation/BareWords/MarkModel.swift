import CMarkNetwork
import Foundation
import SelfCorrection

/// Decides where bare words get marks: between two words a network chooses a comma, a period or none, and for
/// each sentence that is no question by ``Questions``, a linear model says whether it is one. `train-cleanup`
/// made their weights.
package struct MarkModel: Sendable {
    package enum Mark: Sendable {
        case comma
        case stop
    }

    /// The number of weights of the questions.
    package static let size = 1 << 20

    /// The place of the weight of a feature.
    @inline(__always)
    package static func place(of hash: Int) -> Int { hash & (size - 1) }

    let network: MarkNetwork
    private let questions: HashedWeights
    private let thresholds: MarkThresholds

    /// - Parameter questions: of ``size`` places.
    package init(
        network: MarkNetwork, questions: HashedWeights, thresholds: MarkThresholds = MarkThresholds()
    ) {
        (self.network, self.questions, self.thresholds) = (network, questions, thresholds)
    }

    /// The model that `train-cleanup` made; read once, on first use.
    static let shipped = MarkModel(
        network: MarkNetwork(bytes: .markNetwork), questions: .questions(size: size))

    private struct Sum: FeatureSink {
        let weights: HashedWeights
        /// In steps.
        var value = 0

        mutating func add(_ hash: Int) { value += weights[MarkModel.place(of: hash)] }
    }

    /// The mark at a place, if one is likely enough.
    ///
    /// - Parameter pause: seconds of silence there; nil if nothing is known of any pause.
    func mark(_ scores: mark_scores, pause: Float?) -> Mark? {
        let hint = pause.map(PauseHint.init)
        let commas = exp(scores.comma - scores.none + (hint?.comma ?? 0))
        let stops = exp(scores.stop - scores.none + (hint?.stop ?? 0))
        let all = 1 + commas + stops
        if stops / all > thresholds.stop { return .stop }
        return commas / all > thresholds.comma ? .comma : nil
    }

    /// Whether a sentence asks that does not by ``Questions``.
    func isQuestion(_ sentence: ArraySlice<MarkToken>) -> Bool {
        var features = MarkFeatures(Sum(weights: questions))
        features.collect(sentence: sentence)
        return Float(features.sink.value) * HashedWeights.step > thresholds.question
    }
}

/// How certain the punctuation model must be.
package struct MarkThresholds: Sendable {
    /// A comma too many is worse to read than one that is missing.
    package var comma: Float = 0.8
    package var stop: Float = 0.45
    /// How much likelier a question is than a statement, as a logarithm.
    package var question: Float = -1

    package init() {}
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
