import CCorrectionWeights

/// The weights of a linear model whose features are hashed into places. `train-cleanup` makes them.
package struct HashedWeights: Sendable {
    /// The size of one step of a stored weight, and the number of steps in either direction.
    @inlinable package static var step: Float { 1.0 / 16 }
    private static let reach = 26

    /// In steps: a byte each, so that most of them stay in the processor's cache.
    @usableFromInline let steps: [Int8]

    /// - Parameter weights: one for each place, a power of two of them; rounded to steps.
    package init(_ weights: [Float]) {
        steps = weights.map {
            Int8(max(-Self.reach, min(Self.reach, Int(($0 / Self.step).rounded()))))
        }
    }

    /// The weight of a place, in steps.
    @inlinable package subscript(place: Int) -> Int { Int(steps[place]) }

    // MARK: - As text

    /// A letter is a weight, `a` to `z` above 0 and `A` to `Z` below; a number is a run of that many zeros.
    /// Text, so that git stores the difference between two trainings and not both.
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

    /// - Parameter size: the number of places; a power of two.
    package init(text: UnsafeBufferPointer<UInt8>, size: Int) {
        var steps = [Int8](repeating: 0, count: size)
        var place = 0
        var zeros = 0
        func add(_ step: Int8) {
            place += zeros
            zeros = 0
            if place < size { steps[place] = step }
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
    }

    /// The weights of the self-corrections, of ``CorrectionModel/size`` places.
    static var corrections: HashedWeights {
        HashedWeights(text: bytes(of: correction_weights()), size: CorrectionModel.size)
    }

    /// The weights of the questions among bare words.
    ///
    /// - Parameter size: the number of places that they were trained for.
    package static func questions(size: Int) -> HashedWeights {
        HashedWeights(text: bytes(of: question_weights()), size: size)
    }

    static func bytes(of data: correction_data) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: data.bytes, count: data.count)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The weights of the network that sets marks.
    package static var markNetwork: UnsafeBufferPointer<UInt8> { HashedWeights.bytes(of: mark_network()) }
}
