import Foundation

/// Finds what a speaker took back.
package struct CorrectionFinder: Sendable {
    let language: Language
    package var model: CorrectionModel
    package var thresholds: CorrectionThresholds

    package init(
        language: Language, model: CorrectionModel, thresholds: CorrectionThresholds = .usual
    ) {
        self.language = language
        self.model = model
        self.thresholds = thresholds
    }

    /// The sentences of a line.
    package func sentences(_ line: String) -> [CorrectionSentence] {
        let draft = Draft(line: line, language: language)
        return draft.sentences.map { sentence(draft.words[$0]) }
    }

    func sentence(_ words: ArraySlice<Word>) -> CorrectionSentence {
        CorrectionSentence(words, language: language, classes: model.classes)
    }

    /// Nothing in the sentence could be a correction: soon seen, and true of most.
    func isPlain(_ words: ArraySlice<Word>) -> Bool {
        words.allSatisfy { $0.kinds.isDisjoint(with: Self.signs) && !$0.trail.contains("?") }
    }

    private static let signs: WordKinds = [.cueStart, .hesitation, .question, .auxiliary]

    package func candidates(in sentence: CorrectionSentence) -> [CorrectionCandidate] {
        CorrectionCandidates(language: language).candidates(in: sentence)
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
    package func corrections(in sentence: CorrectionSentence) -> [Range<Int>] {
        let readings = readings(in: sentence)
        let tokens = sentence.tokens
        var taken = CorrectionDenials(language: language).corrections(in: tokens)
        guard !readings.isEmpty || !taken.isEmpty else { return [] }
        var isUsed = [Bool](repeating: false, count: tokens.count + 1)
        for place in taken.joined() { isUsed[place] = true }
        for index in readings.indices.sorted(by: { readings[$0].score > readings[$1].score }) {
            guard !isUsed[readings[index].removed].contains(true) else { continue }
            let rivals = rivals(of: index, readings)
            guard isSure(readings[index], among: rivals) else { continue }
            let removed = compromise(for: readings[index], among: rivals)
            // The first word of what was put in its place must stay.
            let needed = removed.lowerBound...removed.upperBound
            guard !isUsed[needed].contains(true) else { continue }
            for place in needed { isUsed[place] = true }
            taken.append(removed)
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
            place + 1 == tokens.count || tokens[place].hasComma
        else { return nil }
        return place
    }

    private func readings(in sentence: CorrectionSentence) -> [Reading] {
        let tokens = sentence.tokens
        var readings: [Reading] = []
        var places: [Int: Int] = [:]
        for candidate in candidates(in: sentence) {
            let threshold = threshold(for: candidate, tokens)
            let score = model.score(candidate, in: tokens)
            let words = candidate.start * tokens.count + candidate.end
            if let place = places[words] {
                readings[place].score = Self.logSum(readings[place].score, score)
                readings[place].threshold = min(readings[place].threshold, threshold)
            } else {
                places[words] = readings.count
                readings.append(Reading(removed: candidate.removed, score: score, threshold: threshold))
            }
        }
        return readings.sorted { $0.removed.lowerBound < $1.removed.lowerBound }
    }

    private func threshold(for candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) -> Float {
        guard candidate.isInQuestion else {
            // "Walk to the shop wait in the line" has two orders.
            let (first, cue, again) = (tokens[candidate.start], tokens[candidate.cue], tokens[candidate.end])
            if candidate.end - candidate.cue == 1, language.cueVerbs.contains(cue.key), first.isPreposition,
                first.word != again.word
            {
                return 1
            }
            return candidate.isClear ? thresholds.clear : thresholds.statement
        }
        guard candidate.cue < candidate.end else { return thresholds.restart }
        // Who hesitates has announced nothing yet.
        if (candidate.cue..<candidate.end).allSatisfy({ tokens[$0].isHesitation }) {
            return thresholds.hesitation
        }
        if let threshold = clauseThreshold(for: candidate, tokens) { return threshold }
        let isLone =
            candidate.end - candidate.cue == 1
            && (!tokens[candidate.cue - 1].hasComma || language.listWords.contains(tokens[candidate.cue].key))
        return isLone ? max(thresholds.question, thresholds.lone) : thresholds.question
    }

    /// "Models that they make that would explain it", "what did they make that was used": nil where no clause has the
    /// announcement.
    private func clauseThreshold(for candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) -> Float? {
        let cue = tokens[candidate.cue..<candidate.end]
        guard cue.count <= language.longestClauseCue, !tokens[candidate.cue - 1].hasComma,
            language.clauseCues.contains(cue.map(\.key))
        else { return nil }
        return tokens[candidate.end].isAuxiliary ? 1 : thresholds.clause
    }

    /// The readings that overlap one of them, itself too.
    private func rivals(of index: Int, _ readings: [Reading]) -> [Reading] {
        let reach = CorrectionCandidates.longestReparandum + CorrectionCandidates.longestCue
        let removed = readings[index].removed
        var place = index
        while place > 0, removed.lowerBound - readings[place - 1].removed.lowerBound <= reach { place -= 1 }
        return readings[place...].prefix { $0.removed.lowerBound < removed.upperBound }
            .filter { $0.removed.overlaps(removed) }
    }

    /// The share of all readings of these words as a correction, against none, is large enough.
    private func isSure(_ reading: Reading, among rivals: [Reading]) -> Bool {
        let total = rivals.reduce(Float(1)) { $0 + exp(min($1.score, 60)) }
        return (total - 1) / total > reading.threshold
    }

    /// Readings that are less likely than the likeliest by this factor (a logarithm) do not count.
    private static let faintest: Float = 5

    /// That something was taken back is sure before it is how much. Of the readings that overlap the likeliest, this is
    /// the one that has most in common with all of them on the average, each counted by how likely it is: where two
    /// long ones are nearly alike, one of them is nearer to the truth than a short one that is a little likelier.
    private func compromise(for likeliest: Reading, among readings: [Reading]) -> Range<Int> {
        let rivals = readings.filter { $0.score > likeliest.score - Self.faintest }
        var best = (removed: likeliest.removed, common: Float(0))
        for rival in rivals {
            var common: Float = 0
            for other in rivals where other.removed.overlaps(rival.removed) {
                let both = Float(rival.removed.clamped(to: other.removed).count)
                let share = 2 * both / Float(rival.removed.count + other.removed.count)
                common += exp(other.score - likeliest.score) * share
            }
            if common > best.common { best = (rival.removed, common) }
        }
        return best.removed
    }

    private static func logSum(_ first: Float, _ second: Float) -> Float {
        let larger = max(first, second)
        return larger + log(exp(first - larger) + exp(second - larger))
    }
}
