import Foundation
import TestSupport

/// Finds words that are used alike. The words on the left and on the right of each word are counted over all
/// texts; words whose counts point the same way come together (k-means on the unit sphere).
struct WordClassLearner {
    /// The number of classes; more do not help on parts of the training set that were held back.
    private static let classes = 64
    /// How many of the most common words are distinguished as neighbors of a word, on each side.
    private static let neighbors = 300
    /// A word that is said less often is in no class: too little is known of it.
    let leastTimes: Int
    /// After this many rounds hardly a word changes its class.
    private static let rounds = 30

    private static let begin = "<", end = ">"

    private var counts: [String: Int] = [:]
    private var sentences: [[String]] = []

    init(leastTimes: Int = 3) { self.leastTimes = leastTimes }

    mutating func add(_ words: [String]) {
        sentences.append([Self.begin] + words + [Self.end])
        for word in words { counts[word, default: 0] += 1 }
    }

    /// A direction: its components that are not 0.
    private typealias Direction = [(place: Int, value: Float)]

    /// - Returns: the words of each class.
    func learn() -> [[String]] {
        // Equally common words are sorted by the alphabet: dictionaries have another order in each run.
        let common = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let words = common.filter { (counts[$0] ?? 0) >= leastTimes }
        guard words.count > 2 * Self.classes else { return [] }
        let directions = directions(of: words, beside: [Self.begin, Self.end] + common)
        var generator = SeededGenerator(seed: 5)
        var centers = Array(words.indices.prefix(words.count / 2)).shuffled(using: &generator)
            .prefix(Self.classes).map { Self.dense(directions[$0]) }
        var chosen: [Int] = []
        for _ in 0..<Self.rounds {
            chosen = directions.map { Self.nearest(to: $0, centers) }
            centers = Self.centers(directions, chosen, before: centers)
        }
        return (0..<Self.classes).map { number in
            words.indices.filter { chosen[$0] == number }.map { words[$0] }
        }
    }

    private func directions(of words: [String], beside: [String]) -> [Direction] {
        let places = Dictionary(uniqueKeysWithValues: zip(beside.prefix(Self.neighbors), 0...))
        let numbers = Dictionary(uniqueKeysWithValues: zip(words, 0...))
        var seen = [[Int: Float]](repeating: [:], count: words.count)
        for sentence in sentences {
            for place in 1..<(sentence.count - 1) {
                guard let number = numbers[sentence[place]] else { continue }
                if let left = places[sentence[place - 1]] { seen[number][left, default: 0] += 1 }
                if let right = places[sentence[place + 1]] {
                    seen[number][Self.neighbors + right, default: 0] += 1
                }
            }
        }
        return seen.map { counts in
            // The root, so that a few very common neighbors do not decide alone.
            let length = max(counts.values.reduce(0, +), 1).squareRoot()
            return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.squareRoot() / length) }
        }
    }

    private static func dense(_ direction: Direction) -> [Float] {
        var dense = [Float](repeating: 0, count: 2 * neighbors)
        for (place, value) in direction { dense[place] = value }
        return dense
    }

    private static func nearest(to direction: Direction, _ centers: [[Float]]) -> Int {
        let likeness = centers.map { center in
            direction.reduce(Float(0)) { $0 + $1.value * center[$1.place] }
        }
        return likeness.indices.max { likeness[$0] < likeness[$1] } ?? 0
    }

    private static func centers(
        _ directions: [Direction], _ chosen: [Int], before: [[Float]]
    ) -> [[Float]] {
        var sums = [[Float]](repeating: Array(repeating: 0, count: 2 * neighbors), count: before.count)
        for (direction, number) in zip(directions, chosen) {
            for (place, value) in direction { sums[number][place] += value }
        }
        return zip(sums, before).map { sum, old in
            let length = sum.reduce(Float(0)) { $0 + $1 * $1 }.squareRoot()
            return length > 0 ? sum.map { $0 / length } : old
        }
    }
}
