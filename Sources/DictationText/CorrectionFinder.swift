import Foundation

/// Finds what a speaker took back.
package struct CorrectionFinder: Sendable {
    /// How sure the model has to be. What is wrongly taken away is lost, what is wrongly left is read over.
    package static let usualThreshold: Float = 0.3
    /// The same where a single word without a comma before it is all that announces a correction: fluent texts have
    /// "no", "or" and "rather" too, and "no sorry I mean" hardly ever. Both were found on parts of Disfl-QA's training
    /// set that were held back: from here down F1 gains less than fluent texts lose.
    package static let usualLoneThreshold: Float = 0.7
    /// The same in a statement, for what hardly ever says anything else.
    package static let usualClearThreshold: Float = 0.65
    /// The same for all else outside of questions, of which the model has seen fewer, and where nothing announces a
    /// correction.
    package static let usualStatementThreshold: Float = 0.9

    let language: Language
    package var model: CorrectionModel
    package var threshold = Self.usualThreshold
    package var loneThreshold = Self.usualLoneThreshold
    package var clearThreshold = Self.usualClearThreshold
    package var statementThreshold = Self.usualStatementThreshold

    package init(language: Language, model: CorrectionModel) {
        self.language = language
        self.model = model
    }

    package static func tokens(_ line: String, language: Language) -> [CorrectionToken] {
        tokens(Draft(line: line, language: language))
    }

    static func tokens(_ draft: Draft) -> [CorrectionToken] {
        draft.words.map { CorrectionToken($0, language: draft.language) }
    }

    package func candidates(in tokens: [CorrectionToken]) -> [CorrectionCandidate] {
        CorrectionCandidates(language: language).candidates(in: tokens)
    }

    /// All ways to read one stretch of words as a correction.
    private struct Reading {
        let removed: Range<Int>
        /// The logarithm of how much speaks for it, where nothing to correct has 0.
        var score: Float
        /// How sure the model has to be.
        var threshold: Float
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
            let threshold = threshold(for: candidate, tokens)
            let score = model.score(CorrectionFeatures(candidate, in: tokens))
            if let place = places[candidate.removed] {
                readings[place].score = Self.logSum(readings[place].score, score)
                readings[place].threshold = min(readings[place].threshold, threshold)
            } else {
                places[candidate.removed] = readings.count
                readings.append(Reading(removed: candidate.removed, score: score, threshold: threshold))
            }
        }
        return readings.sorted { $0.removed.lowerBound < $1.removed.lowerBound }
    }

    private func threshold(for candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) -> Float {
        guard candidate.isInQuestion, candidate.cue < candidate.end else {
            return candidate.isClear ? clearThreshold : statementThreshold
        }
        let isLone =
            candidate.end - candidate.cue == 1 && !tokens[candidate.cue].isHesitation
            && !tokens[candidate.cue - 1].hasComma
        return isLone ? max(threshold, loneThreshold) : threshold
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
        return (total - 1) / total > reading.threshold
    }

    private static func logSum(_ first: Float, _ second: Float) -> Float {
        let larger = max(first, second)
        return larger + log(exp(first - larger) + exp(second - larger))
    }
}
