import CCorrectionWeights

/// Tells corrections from what only looks like one: a log-linear model over the candidates of a place, with "none
/// of them" as one of the choices. `train-cleanup` made its weights.
package struct CorrectionModel: Sendable {
    /// The number of weights that features are hashed into.
    package static let size = 1 << 21
    /// The size of one step of a stored weight, and the number of steps in either direction.
    private static let step: Float = 1.0 / 16
    private static let reach = 26

    /// In steps: a byte each, so that most of them stay in the processor's cache.
    private let steps: [Int8]
    package let classes: WordClasses

    /// - Parameter weights: ``size`` of them; rounded to steps.
    package init(weights: [Float], classes: WordClasses) {
        steps = weights.map {
            Int8(max(-Self.reach, min(Self.reach, Int(($0 / Self.step).rounded()))))
        }
        self.classes = classes
    }

    func score(_ candidate: CorrectionCandidate, in tokens: [CorrectionToken]) -> Float {
        var features = CorrectionFeatures(Sum(steps: steps))
        features.collect(candidate, in: tokens)
        return Float(features.sink.sum) * Self.step
    }

    private struct Sum: FeatureSink {
        let steps: [Int8]
        var sum = 0

        mutating func add(_ place: Int) { sum += Int(steps[place]) }
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

    // MARK: - As text

    /// A letter is a weight, `a` to `z` above 0 and `A` to `Z` below; a number is so many zeros. Text, so that git
    /// stores the difference between two trainings and not both.
    package var text: String {
        var text = ""
        var zeros = 0
        for step in steps {
            if step == 0 {
                zeros += 1
                continue
            }
            if zeros > 0 { text += "\(zeros)" }
            zeros = 0
            let letter =
                step > 0 ? UInt8(ascii: "a") + UInt8(step - 1) : UInt8(ascii: "A") + UInt8(-step - 1)
            text.unicodeScalars.append(Unicode.Scalar(letter))
        }
        return zeros > 0 ? text + "\(zeros)" : text
    }

    package init(text: UnsafeBufferPointer<UInt8>, classes: WordClasses) {
        var steps = [Int8](repeating: 0, count: Self.size)
        var place = 0
        var zeros = 0
        func add(_ step: Int8) {
            place += zeros
            zeros = 0
            if place < Self.size { steps[place] = step }
            place += 1
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): zeros = zeros * 10 + Int(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): add(Int8(byte - UInt8(ascii: "a") + 1))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): add(-Int8(byte - UInt8(ascii: "A") + 1))
            default: break
            }
        }
        self.steps = steps
        self.classes = classes
    }

    /// The model that `train-cleanup` made; read once, on first use.
    package static let shipped = CorrectionModel(
        text: bytes(of: correction_weights()), classes: WordClasses(text: bytes(of: correction_classes())))

    private static func bytes(of data: correction_data) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: data.bytes, count: data.count)
    }
}
