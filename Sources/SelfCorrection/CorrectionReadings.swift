import Foundation

/// One way to read a segment of words as a correction.
struct CorrectionReading {
    let correction: Correction
    /// Its log-likelihood, relative to no correction at all.
    var score: Float
    /// How certain the model must be.
    var threshold: Float
    /// Its likelihood, relative to no correction at all.
    var weight: Float = 0

    var span: Range<Int> { correction.span }
}

/// All readings of a sentence, in the order of their first words, so that those that overlap are near each other.
struct CorrectionReadings {
    let all: [CorrectionReading]
    /// For each word how many readings begin before it.
    private let counts: [Int]
    /// The sum of the weights before each reading, as far as it matters: see ``mayBeSure(_:)``.
    private let sums: [Double]

    /// No threshold needs a larger weight; with larger ones a difference of sums would say nothing.
    private static let mostWeight: Float = 1e6

    /// - Parameter count: how many words the sentence has.
    init(_ found: [CorrectionReading], inSentenceOf count: Int) {
        var counts = [Int](repeating: 0, count: count + 2)
        for reading in found { counts[reading.span.lowerBound + 1] += 1 }
        for place in counts.indices.dropFirst() { counts[place] += counts[place - 1] }
        self.counts = counts
        // Those of one word stay in their order.
        var order = [Int](repeating: 0, count: found.count)
        for index in found.indices {
            let word = found[index].span.lowerBound
            order[counts[word]] = index
            counts[word] += 1
        }
        var sums: [Double] = [0]
        sums.reserveCapacity(found.count + 1)
        var sum = 0.0
        all = order.map { index in
            var reading = found[index]
            reading.weight = exp(min(reading.score, 60))
            sum += Double(min(reading.weight, Self.mostWeight))
            sums.append(sum)
            return reading
        }
        self.sums = sums
    }

    var isEmpty: Bool { all.isEmpty }

    /// The readings that overlap one of them, including itself.
    func rivals(of index: Int) -> LazyFilterSequence<ArraySlice<CorrectionReading>> {
        let span = all[index].span
        return all[neighbors(of: index)].lazy.filter { $0.span.overlaps(span) }
    }

    /// False if even with all readings near it this one is not sure enough: true of most, and quick to see.
    func mayBeSure(_ index: Int) -> Bool {
        let near = neighbors(of: index)
        let weight = sums[near.upperBound] - sums[near.lowerBound]
        let threshold = Double(all[index].threshold)
        // With a margin for the rounding of either sum.
        return (weight * 1.01 + 0.01) * (1 - threshold) > threshold
    }

    /// Those that may overlap it.
    private func neighbors(of index: Int) -> Range<Int> {
        let reach =
            CorrectionCandidates.longestReparandum + CorrectionCandidates.longestEditTerm
            + CorrectionCandidates.longestPassage
        let span = all[index].span
        return counts[max(0, span.lowerBound - reach)]..<counts[span.upperBound]
    }
}

/// The places of the readings of a sentence, by the words that they remove.
struct CorrectionReadingPlaces {
    /// For each word, the first of the readings whose repair begins there.
    private var rows: [Int]
    /// A row for each such word: the places by the number of removed words; -1 for none.
    private var places: [Int] = []
    /// Those of late corrections, which are rare.
    private var late: [Int: Int] = [:]

    private static let longest =
        CorrectionCandidates.longestReparandum + CorrectionCandidates.longestEditTerm
        + CorrectionCandidates.longestPassage

    /// - Parameter count: how many words the sentence has.
    init(inSentenceOf count: Int) { rows = [Int](repeating: -1, count: count) }

    /// - Returns: the place of the reading with the same words; nil if it is new, and then has the given place.
    mutating func place(of candidate: CorrectionCandidate, orNew new: Int) -> Int? {
        let length = candidate.end - candidate.start
        guard !candidate.isLate, length <= Self.longest else {
            if let known = late[candidate.words] { return known }
            late[candidate.words] = new
            return nil
        }
        if rows[candidate.end] < 0 {
            rows[candidate.end] = places.count
            places += repeatElement(-1, count: Self.longest + 1)
        }
        let cell = rows[candidate.end] + length
        guard places[cell] < 0 else { return places[cell] }
        places[cell] = new
        return nil
    }
}
