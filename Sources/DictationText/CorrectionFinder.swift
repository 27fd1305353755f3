import Foundation

/// Finds what a speaker took back.
package struct CorrectionFinder: Sendable {
    /// How sure the model has to be. What is wrongly taken away is lost, what is wrongly left is read over.
    package static let usualThreshold: Float = 0.7
    /// The same outside of questions, of which the model has seen fewer, and where nothing announces a correction.
    package static let usualStatementThreshold: Float = 0.9

    let language: Language
    package var model: CorrectionModel
    package var threshold = Self.usualThreshold
    package var statementThreshold = Self.usualStatementThreshold

    package init(language: Language, model: CorrectionModel) {
        self.language = language
        self.model = model
    }

    package static func tokens(_ line: String, language: Language) -> [CorrectionToken] {
        Draft(line: line, language: language).words.map(CorrectionToken.init)
    }

    package func candidates(in tokens: [CorrectionToken]) -> [CorrectionCandidate] {
        CorrectionCandidates(language: language).candidates(in: tokens)
    }

    /// All ways to read one stretch of words as a correction.
    private struct Reading {
        let removed: Range<Int>
        /// The logarithm of how much speaks for it, where nothing to correct has 0.
        var score: Float
        var isEasy: Bool
    }

    /// - Returns: the words that go, in order, without overlaps.
    package func corrections(in tokens: [CorrectionToken]) -> [Range<Int>] {
        let readings = readings(in: tokens)
        guard !readings.isEmpty else { return [] }
        var taken: [Range<Int>] = []
        var isUsed = [Bool](repeating: false, count: tokens.count + 1)
        for index in readings.indices.sorted(by: { readings[$0].score > readings[$1].score }) {
            let reading = readings[index]
            // The first word of what was put in its place must stay.
            let needed = reading.removed.lowerBound...reading.removed.upperBound
            guard isSure(reading, at: index, readings), !isUsed[needed].contains(true) else { continue }
            for place in needed { isUsed[place] = true }
            taken.append(reading.removed)
        }
        for range in taken {
            guard let place = afterthought(of: range, in: tokens), !isUsed[place] else { continue }
            isUsed[place] = true
            taken.append(place..<(place + 1))
        }
        return taken.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// How far behind a correction the word may stand that belongs to it.
    private static let longestRepair = 6

    /// "the cilia, no, the ctenophora rather": the word that goes with a correction before it.
    private func afterthought(of removed: Range<Int>, in tokens: [CorrectionToken]) -> Int? {
        let reach = min(tokens.count, removed.upperBound + Self.longestRepair)
        guard
            let place = (removed.upperBound..<reach).first(where: {
                language.afterthoughts.contains(tokens[$0].key)
            }),
            place > removed.upperBound, !tokens[place].isQuoted,
            place + 1 == tokens.count || tokens[place].endsSentence || tokens[place].hasComma
        else { return nil }
        return place
    }

    private func readings(in tokens: [CorrectionToken]) -> [Reading] {
        var readings: [Reading] = []
        var places: [Range<Int>: Int] = [:]
        for candidate in candidates(in: tokens) {
            let isEasy = candidate.isInQuestion && candidate.cue < candidate.end
            let score = model.score(CorrectionFeatures(candidate, in: tokens))
            if let place = places[candidate.removed] {
                readings[place].score = Self.logSum(readings[place].score, score)
                if isEasy { readings[place].isEasy = true }
            } else {
                places[candidate.removed] = readings.count
                readings.append(
                    Reading(
                        removed: candidate.removed, score: score, isEasy: isEasy))
            }
        }
        return readings.sorted { $0.removed.lowerBound < $1.removed.lowerBound }
    }

    /// The share of all readings of these words as a correction, against none, is large enough.
    private func isSure(_ reading: Reading, at index: Int, _ readings: [Reading]) -> Bool {
        let reach = CorrectionCandidates.longestReparandum + CorrectionCandidates.longestCue
        var total: Float = 1
        var place = index
        while place > 0, reading.removed.lowerBound - readings[place - 1].removed.lowerBound <= reach {
            place -= 1
        }
        while place < readings.count, readings[place].removed.lowerBound < reading.removed.upperBound {
            if readings[place].removed.overlaps(reading.removed) {
                total += exp(min(readings[place].score, 60))
            }
            place += 1
        }
        return (total - 1) / total > (reading.isEasy ? threshold : statementThreshold)
    }

    private static func logSum(_ first: Float, _ second: Float) -> Float {
        let larger = max(first, second)
        return larger + log(exp(first - larger) + exp(second - larger))
    }
}
