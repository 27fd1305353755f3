import Foundation
import TestSupport

/// Learns the weights of a log-linear model that chooses one of a few candidates or none of them: the likelihood of what
/// is right, made as large as it gets by stochastic gradient steps (AdaGrad).
struct WeightLearner {
    /// Passes over the data. More do not help on parts of the training sets that were held back.
    var passes = 12
    /// Of a step; found on the same parts, like all that follows.
    var rate: Float = 0.02
    /// Pulls each touched weight back to 0 by this share, so that rare features stay small.
    var decay: Float = 2e-6
    /// The share of the features that an example is shown without, each time others: none may lean on another.
    var dropout: Float = 0.35

    struct Example {
        /// For each candidate the places of its features.
        let features: [[UInt32]]
        /// The candidates that are right; empty if none is.
        let right: Set<Int>
    }

    /// - Parameter size: how many weights there are.
    /// - Returns: the weights, averaged over the later passes.
    func weights(of examples: [Example], size: Int, report: (Int, Double) -> Void) -> [Float] {
        var weights = [Float](repeating: 0, count: size)
        var squares = [Float](repeating: 1e-4, count: size)
        var sums = [Double](repeating: 0, count: size)
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
        return sums.map { Float($0 / averaged) }
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

    /// The features of an example without a hidden share of them, the same ones in all candidates.
    private func shown(_ features: [[UInt32]], _ seed: UInt64) -> [[UInt32]] {
        guard dropout > 0 else { return features }
        let limit = UInt32(Double(UInt32.max) * Double(dropout))
        let mask = UInt32(truncatingIfNeeded: seed)
        return features.map { $0.filter { Self.mixed($0 ^ mask) >= limit } }
    }

    /// Pseudo-random, and the same for each occurrence of a feature (the end of MurmurHash3).
    private static func mixed(_ value: UInt32) -> UInt32 {
        var value = (value ^ value >> 16) &* 0x85EB_CA6B
        value = (value ^ value >> 13) &* 0xC2B2_AE35
        return value ^ value >> 16
    }
}
