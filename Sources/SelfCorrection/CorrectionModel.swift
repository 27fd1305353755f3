import CCorrectionWeights

/// Distinguishes corrections from similar text: a log-linear model over the candidates of a place, with "none
/// of them" as one of the choices. `train-cleanup` made its weights.
package struct CorrectionModel: Sendable {
    /// The number of weights that features are hashed into.
    package static let size = 1 << 21

    package let weights: HashedWeights
    package let classes: WordClasses

    /// - Parameter weights: of ``size`` places.
    package init(weights: HashedWeights, classes: WordClasses) {
        self.weights = weights
        self.classes = classes
    }

    func score(_ candidate: CorrectionCandidate, in tokens: [CorrectionToken]) -> Float {
        var features = CorrectionFeatures(Sum(weights: weights))
        features.collect(candidate, in: tokens)
        return Float(features.sink.sum) * HashedWeights.step
    }

    private struct Sum: FeatureSink {
        let weights: HashedWeights
        var sum = 0

        mutating func add(_ place: Int) { sum += weights[place] }
    }

    /// The places of the weights that the score of a candidate is the sum of.
    package static func places(of candidate: CorrectionCandidate, in tokens: [CorrectionToken]) -> [UInt32] {
        var features = CorrectionFeatures(Places())
        features.collect(candidate, in: tokens)
        return features.sink.places
    }

    private struct Places: FeatureSink {
        var places: [UInt32] = []

        mutating func add(_ place: Int) { places.append(UInt32(place)) }
    }

    /// The model that `train-cleanup` made; read once, on first use.
    package static let shipped = CorrectionModel(weights: .corrections, classes: .shipped)
}

extension WordClasses {
    /// Those of ``CorrectionModel/shipped``; read once, on first use.
    package static let shipped = WordClasses(text: HashedWeights.bytes(of: correction_classes()))
}
