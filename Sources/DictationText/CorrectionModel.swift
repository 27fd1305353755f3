/// Tells corrections from what merely looks like one: a log-linear model over the candidates of a place, with "none
/// of them" as one of the choices. `dictation-bench train` made its weights.
package struct CorrectionModel: Sendable {
    /// Features are hashed into so many weights.
    package static let size = 1 << 18
    /// What one step of a stored weight is worth, and how many there are in either direction.
    private static let step: Float = 1.0 / 16
    private static let reach = 26

    package var weights: [Float]

    package init(weights: [Float] = Array(repeating: 0, count: Self.size)) { self.weights = weights }

    package func score(_ features: CorrectionFeatures) -> Float {
        var sum: Float = 0
        for index in features.indices { sum += weights[Int(index)] }
        return sum
    }

    // MARK: - As text

    /// The weights in the source code: a library that is compiled in is found wherever the program is, and needs no
    /// file. A letter is a weight, `a` to `z` above 0 and `A` to `Z` below; a number is so many zeros.
    package var text: String {
        var text = ""
        var zeros = 0
        for weight in weights {
            let steps = max(-Self.reach, min(Self.reach, Int((weight / Self.step).rounded())))
            if steps == 0 {
                zeros += 1
                continue
            }
            if zeros > 0 { text += "\(zeros)" }
            zeros = 0
            let letter =
                steps > 0 ? UInt8(ascii: "a") + UInt8(steps - 1) : UInt8(ascii: "A") + UInt8(-steps - 1)
            text.unicodeScalars.append(Unicode.Scalar(letter))
        }
        return zeros > 0 ? text + "\(zeros)" : text
    }

    package init(text: UnsafeBufferPointer<UInt8>) {
        var weights: [Float] = []
        weights.reserveCapacity(Self.size)
        var zeros = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): zeros = zeros * 10 + Int(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                weights += repeatElement(0, count: zeros)
                zeros = 0
                weights.append(Float(byte - UInt8(ascii: "a") + 1) * Self.step)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                weights += repeatElement(0, count: zeros)
                zeros = 0
                weights.append(-Float(byte - UInt8(ascii: "A") + 1) * Self.step)
            default: break
            }
        }
        weights += repeatElement(0, count: max(0, Self.size - weights.count))
        self.weights = weights
    }

    /// What `dictation-bench train` has learnt; read once, when it is first asked for.
    package static let shipped = CorrectionModel(
        text: UnsafeBufferPointer(start: shippedText.utf8Start, count: shippedText.utf8CodeUnitCount))
}
