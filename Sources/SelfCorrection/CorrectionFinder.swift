import Foundation

/// Finds what a speaker took back.
package struct CorrectionFinder: Sendable {
    private let words: CorrectionWords
    package let model: CorrectionModel
    private let candidates: CorrectionCandidates
    private let denials: CorrectionDenials
    private let longestInClauses: Int

    package init(words: CorrectionWords, model: CorrectionModel) {
        self.words = words
        self.model = model
        candidates = CorrectionCandidates(words: words)
        denials = CorrectionDenials(words: words)
        longestInClauses = words.inClauses.map(\.count).max() ?? 0
    }

    /// - Parameter scores: those that are known from earlier readings of the text.
    /// - Returns: in order, without overlaps; one that moves words alone.
    package func corrections(
        in sentence: CorrectionSentence, scores: inout CorrectionScores
    ) -> [Correction] {
        let tokens = sentence.tokens
        let editTerms = candidates.editTerms(in: tokens)
        let readings = readings(in: sentence, editTerms, scores: &scores)
        var taken = denials.corrections(in: tokens, editTerms: editTerms)
        guard !readings.isEmpty || !taken.isEmpty else { return [] }
        var isUsed = [Bool](repeating: false, count: tokens.count + 1)
        for place in taken.joined() { isUsed[place] = true }
        let likely = readings.all.indices.filter(readings.mayBeSure)
        for index in likely.sorted(by: { readings.all[$0].score > readings.all[$1].score }) {
            let likeliest = readings.all[index]
            guard !isUsed[likeliest.span].contains(true) else { continue }
            let rivals = readings.rivals(of: index)
            guard isSure(likeliest, among: rivals),
                let correction = correction(by: likeliest, among: Array(rivals))
            else { continue }
            guard correction.late == nil else {
                // Other corrections are found in the next pass, when the words are in their places.
                if taken.isEmpty { return [correction] }
                continue
            }
            let removed = correction.span
            // The first word of its replacement must stay.
            let needed = removed.lowerBound...removed.upperBound
            guard !isUsed[needed].contains(true) else { continue }
            for place in needed { isUsed[place] = true }
            taken.append(removed)
        }
        // As for a late correction: the others follow in the next pass.
        if let moved = taken.lazy.compactMap({ Self.keepingUnit(of: $0, editTerms, tokens) }).first {
            return [moved]
        }
        for range in taken {
            guard let place = afterthought(of: range, in: tokens), !isUsed[place] else { continue }
            isUsed[place] = true
            taken.append(place..<(place + 1))
        }
        return taken.sorted { $0.lowerBound < $1.lowerBound }.map { Correction(span: $0) }
    }

    /// The correction of a certain reading, and its rivals; nil if its words would have to be moved, and that
    /// is not certain enough.
    private func correction(by likeliest: CorrectionReading, among rivals: [CorrectionReading]) -> Correction?
    {
        let best = compromise(for: likeliest, among: rivals)
        guard best.correction.late != nil,
            best.weight / (weight(of: rivals) + 1) < CorrectionThresholds.late
        else { return best.correction }
        // Moving words needs more evidence than removing them; the other readings may be good enough.
        let usual = rivals.filter { $0.correction.late == nil }
        guard let next = usual.max(by: { $0.score < $1.score }), isSure(next, among: usual) else {
            return nil
        }
        return compromise(for: next, among: usual).correction
    }

    /// How far after a correction a word that belongs to it may be.
    private static let longestRepair = 6

    /// "the cilia, no, the ctenophora rather": the word that goes with a correction before it.
    private func afterthought(of removed: Range<Int>, in tokens: [CorrectionToken]) -> Int? {
        let reach = min(tokens.count, removed.upperBound + Self.longestRepair)
        guard
            let place = (removed.upperBound..<reach).first(where: {
                words.afterthoughts.contains(tokens[$0].key)
            }),
            place > removed.upperBound, !tokens[place].has(.quoted),
            place + 1 == tokens.count || tokens[place].has(.comma)
        else { return nil }
        return place
    }

    private func readings(
        in sentence: CorrectionSentence, _ editTerms: [Range<Int>], scores: inout CorrectionScores
    ) -> CorrectionReadings {
        let tokens = sentence.tokens
        var readings: [CorrectionReading] = []
        let candidates = candidates.candidates(in: sentence, editTerms: editTerms)
        guard !candidates.isEmpty else { return CorrectionReadings([], inSentenceOf: tokens.count) }
        scores.reserve(words: tokens.count)
        let windows = CorrectionWindows(tokens)
        var places = CorrectionReadingPlaces(inSentenceOf: tokens.count)
        readings.reserveCapacity(candidates.count)
        let personal = tokens.firstIndex { $0.has(.personal) } ?? tokens.count
        // Those of one edit term come one after another.
        var clause: (editTerm: Range<Int>, threshold: Float?) = (0..<0, nil)
        for candidate in candidates {
            if candidate.isInQuestion, !candidate.editTerm.isEmpty, candidate.editTerm != clause.editTerm {
                clause = (candidate.editTerm, clauseThreshold(for: candidate.editTerm, tokens))
            }
            let threshold = threshold(
                for: candidate, tokens, firstPersonal: personal, clause: clause.threshold)
            let score = scores.score(for: windows.key(of: candidate)) { model.score(candidate, in: tokens) }
            if let place = places.place(of: candidate, orNew: readings.count) {
                readings[place].score = Self.logSum(readings[place].score, score)
                readings[place].threshold = min(readings[place].threshold, threshold)
            } else {
                let correction = candidate.correction(inSentenceOf: tokens.count)
                readings.append(
                    CorrectionReading(correction: correction, score: score, threshold: threshold))
            }
        }
        return CorrectionReadings(readings, inSentenceOf: tokens.count)
    }

    private func threshold(
        for candidate: CorrectionCandidate, _ tokens: [CorrectionToken], firstPersonal: Int, clause: Float?
    ) -> Float {
        guard candidate.isInQuestion else {
            // "Walk to the shop wait in the line" has two orders.
            let cue = candidate.editTerm.lowerBound
            let (first, term, again) = (tokens[candidate.start], tokens[cue], tokens[candidate.end])
            if candidate.end - cue == 1, words.verbs.beginning.contains(term.key), first.has(.preposition),
                first.word != again.word
            {
                return 1
            }
            return candidate.isClear ? CorrectionThresholds.clear : CorrectionThresholds.statement
        }
        let editTerm = candidate.editTerm
        guard editTerm.lowerBound < candidate.end else { return CorrectionThresholds.restart }
        // A hesitation alone is no edit term.
        if editTerm.allSatisfy({ tokens[$0].has(.hesitation) }) { return CorrectionThresholds.hesitation }
        if let clause { return clause }
        let isChoice = tokens[candidate.editTerm.lowerBound].has(.list)
        let hasSign =
            tokens[candidate.editTerm.lowerBound - 1].has(.comma)
            || (candidate.editTerm.upperBound < candidate.end && !candidate.isLate)
        let isLone = editTerm.count == 1 && (isChoice || !hasSign)
        let usual =
            isLone
            ? max(CorrectionThresholds.question, CorrectionThresholds.lone) : CorrectionThresholds.question
        // "Did you get my message, sorry I was busy": after the edit term it may be part of it.
        return firstPersonal < candidate.editTerm.lowerBound
            ? max(usual, CorrectionThresholds.personal) : usual
    }

    /// "Models that they make that would explain it", "what did they make that was used": nil if no clause has the
    /// edit term.
    private func clauseThreshold(for editTerm: Range<Int>, _ tokens: [CorrectionToken]) -> Float? {
        guard editTerm.count <= longestInClauses, !tokens[editTerm.lowerBound - 1].has(.comma),
            words.inClauses.contains(tokens[editTerm].map(\.key))
        else { return nil }
        return tokens[editTerm.upperBound].has(.auxiliary) ? 1 : CorrectionThresholds.clause
    }

    /// The share of all readings of these words as a correction, against none, is large enough.
    private func isSure(_ reading: CorrectionReading, among rivals: some Sequence<CorrectionReading>) -> Bool
    {
        let all = weight(of: rivals)
        return all / (all + 1) > reading.threshold
    }

    private func weight(of readings: some Sequence<CorrectionReading>) -> Float {
        readings.reduce(0) { $0 + $1.weight }
    }

    /// Readings that are less likely than the likeliest by this factor (a logarithm) do not count.
    private static let faintest: Float = 5

    /// It is often clear that something was retracted, but not how much. Of the readings that overlap the
    /// likeliest, this one has most in common with all of them, weighted by likelihood: if two long ones are
    /// nearly the same, one of them is closer to the truth than a short one that is slightly likelier.
    private func compromise(
        for likeliest: CorrectionReading, among readings: [CorrectionReading]
    ) -> CorrectionReading {
        let rivals = readings.filter { $0.score > likeliest.score - Self.faintest }
        let weights = rivals.map { exp($0.score - likeliest.score) }
        // Each is compared with each: nearly always only by their spans, which are quick to copy.
        let spans = rivals.map { $0.span }
        let areUsual = rivals.allSatisfy { $0.correction.late == nil }
        var best = (reading: likeliest, common: Float(0))
        for place in rivals.indices {
            var common: Float = 0
            for other in rivals.indices {
                let likeness =
                    areUsual
                    ? Correction.likeness(spans[place], spans[other])
                    : rivals[place].correction.likeness(to: rivals[other].correction)
                common += weights[other] * likeness
            }
            if common > best.common { best = (rivals[place], common) }
        }
        return best.reading
    }

    private static func logSum(_ first: Float, _ second: Float) -> Float {
        let larger = max(first, second)
        return larger + log(exp(first - larger) + exp(second - larger))
    }
}
