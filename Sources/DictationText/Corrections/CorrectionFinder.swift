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
        let correction: Correction
        /// The logarithm of how much speaks for it, where nothing to correct has 0.
        var score: Float
        /// How sure the model has to be.
        var threshold: Float

        var span: Range<Int> { correction.span }
    }

    /// - Returns: in order, without overlaps; one that moves words alone.
    package func corrections(in sentence: CorrectionSentence) -> [Correction] {
        let readings = readings(in: sentence)
        let tokens = sentence.tokens
        var taken = CorrectionDenials(language: language).corrections(in: tokens)
        guard !readings.isEmpty || !taken.isEmpty else { return [] }
        var isUsed = [Bool](repeating: false, count: tokens.count + 1)
        for place in taken.joined() { isUsed[place] = true }
        for index in readings.indices.sorted(by: { readings[$0].score > readings[$1].score }) {
            guard !isUsed[readings[index].span].contains(true),
                let correction = correction(by: readings[index], among: rivals(of: index, readings))
            else { continue }
            guard correction.late == nil else {
                // What else was taken back is found when the words are in their places.
                if taken.isEmpty { return [correction] }
                continue
            }
            let removed = correction.span
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
        return taken.sorted { $0.lowerBound < $1.lowerBound }.map { Correction(span: $0) }
    }

    /// What the likeliest of the readings and its rivals come to; nil where that is not sure enough.
    private func correction(by likeliest: Reading, among rivals: [Reading]) -> Correction? {
        guard isSure(likeliest, among: rivals) else { return nil }
        let best = compromise(for: likeliest, among: rivals)
        guard best.correction.late != nil, share(of: [best], among: rivals) < thresholds.late else {
            return best.correction
        }
        // To be moved, words need more than to be taken away; what is left of the readings may do as well.
        let usual = rivals.filter { $0.correction.late == nil }
        guard let next = usual.max(by: { $0.score < $1.score }), isSure(next, among: usual) else {
            return nil
        }
        return compromise(for: next, among: usual).correction
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
            if let place = places[candidate.words] {
                readings[place].score = Self.logSum(readings[place].score, score)
                readings[place].threshold = min(readings[place].threshold, threshold)
            } else {
                places[candidate.words] = readings.count
                let correction = candidate.correction(inSentenceOf: tokens.count)
                readings.append(Reading(correction: correction, score: score, threshold: threshold))
            }
        }
        return readings.sorted { $0.span.lowerBound < $1.span.lowerBound }
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
        let announcement = candidate.cue..<candidate.announced
        // Who hesitates has announced nothing yet.
        if announcement.allSatisfy({ tokens[$0].isHesitation }) { return thresholds.hesitation }
        if let threshold = clauseThreshold(for: announcement, tokens) { return threshold }
        let isChoice = language.listWords.contains(tokens[candidate.cue].key)
        let hasSign =
            tokens[candidate.cue - 1].hasComma || (candidate.announced < candidate.end && !candidate.isLate)
        let isLone = announcement.count == 1 && (isChoice || !hasSign)
        let usual = isLone ? max(thresholds.question, thresholds.lone) : thresholds.question
        // "Did you get my message, sorry I was busy": behind the announcement it may be part of it.
        let isPersonal = (0..<candidate.cue).contains { tokens[$0].isPersonal }
        return isPersonal ? max(usual, thresholds.personal) : usual
    }

    /// "Models that they make that would explain it", "what did they make that was used": nil where no clause has the
    /// announcement.
    private func clauseThreshold(for announcement: Range<Int>, _ tokens: [CorrectionToken]) -> Float? {
        guard announcement.count <= language.longestClauseCue, !tokens[announcement.lowerBound - 1].hasComma,
            language.clauseCues.contains(tokens[announcement].map(\.key))
        else { return nil }
        return tokens[announcement.upperBound].isAuxiliary ? 1 : thresholds.clause
    }

    /// The readings that overlap one of them, itself too.
    private func rivals(of index: Int, _ readings: [Reading]) -> [Reading] {
        let reach =
            CorrectionCandidates.longestReparandum + CorrectionCandidates.longestCue
            + CorrectionCandidates.longestPassage
        let span = readings[index].span
        var place = index
        while place > 0, span.lowerBound - readings[place - 1].span.lowerBound <= reach { place -= 1 }
        return readings[place...].prefix { $0.span.lowerBound < span.upperBound }
            .filter { $0.span.overlaps(span) }
    }

    /// The share of all readings of these words as a correction, against none, is large enough.
    private func isSure(_ reading: Reading, among rivals: [Reading]) -> Bool {
        share(of: rivals, among: rivals) > reading.threshold
    }

    /// How likely it is that one of these is meant, and none of the rest and not nothing.
    private func share(of some: [Reading], among rivals: [Reading]) -> Float {
        func weight(_ readings: [Reading]) -> Float { readings.reduce(0) { $0 + exp(min($1.score, 60)) } }
        return weight(some) / (weight(rivals) + 1)
    }

    /// Readings that are less likely than the likeliest by this factor (a logarithm) do not count.
    private static let faintest: Float = 5

    /// That something was taken back is sure before it is how much. Of the readings that overlap the likeliest, this is
    /// the one that has most in common with all of them on the average, each counted by how likely it is: where two
    /// long ones are nearly alike, one of them is nearer to the truth than a short one that is a little likelier.
    private func compromise(for likeliest: Reading, among readings: [Reading]) -> Reading {
        let rivals = readings.filter { $0.score > likeliest.score - Self.faintest }
        var best = (reading: likeliest, common: Float(0))
        for rival in rivals {
            var common: Float = 0
            for other in rivals {
                let share = rival.correction.likeness(to: other.correction)
                common += exp(other.score - likeliest.score) * share
            }
            if common > best.common { best = (rival, common) }
        }
        return best.reading
    }

    private static func logSum(_ first: Float, _ second: Float) -> Float {
        let larger = max(first, second)
        return larger + log(exp(first - larger) + exp(second - larger))
    }
}
