/// Replaces words that sound like a currently likely term by that term: a recognizer that does not know
/// a name writes what sounds like it.
///
/// ```
/// terms     Zabrowski
/// heard     ask zabrofsky about it      → ask Zabrowski about it
///           ask the browser about it    stays: each of its words is an ordinary one
/// ```
///
/// A word is replaced only if it is no ordinary word and no name that the language has; of several words at
/// least one must be such. A name that the language has is replaced only by another spelling of itself:
/// "Sarah" to "Sara". Nothing is known of the ordinary words of some languages: there no word is touched.
struct LikelyTerms {
    private struct Term {
        let written: String
        let likeness: SoundLikeness
        let spelling: String
        let isKnownName: Bool
    }

    private let terms: [Term]
    private let language: Language

    /// Shorter ones sound like too many other words: letters.
    private static let shortest = 4
    /// The most words of a term. A text that is still spoken waits for as many.
    private static let longest = 3

    init?(_ terms: [String], language: Language) {
        guard language.knowsOrdinaryWords else { return nil }
        self.language = language
        self.terms = terms.compactMap { term in
            let key = Word.key(of: term)
            // A term that is an ordinary word except for its capitals replaces no word; nor does an
            // abbreviation, which is spelled.
            guard SoundLikeness.letters(of: term).count >= Self.shortest, !language.isOrdinary(key),
                term.contains(where: \.isLowercase)
            else { return nil }
            return Term(
                written: term, likeness: SoundLikeness(term), spelling: Self.spelling(of: term),
                isKnownName: language.isKnownName(key))
        }
        if self.terms.isEmpty { return nil }
    }

    func apply(to draft: inout Draft) {
        let words = draft.words
        var written: [Word] = []
        var actions: [CleanedText.Action] = []
        var place = 0
        while place < words.count {
            guard let (term, count) = best(at: place, in: words) else {
                written.append(words[place])
                place += 1
                continue
            }
            let heard = words[place..<(place + count)]
            let new = Self.word(term, in: heard, language)
            let before = heard.map(\.text).joined(separator: " ")
            if new.text != before {
                actions.append(.init(rule: .dictionary, before: before, after: new.text))
            }
            written.append(new)
            place += count
        }
        if !actions.isEmpty { draft.replace(with: written, actions: actions) }
    }

    private static func word(_ term: String, in heard: ArraySlice<Word>, _ language: Language) -> Word {
        let ending = heard.last.map(possessive) ?? ""
        var word = Word(Substring(term + ending), language: language)
        word.isFixed = true
        word.lead = heard.first?.lead ?? ""
        word.trail = heard.last?.trail ?? ""
        word.pause = heard.last?.pause ?? 0
        return word
    }

    /// The "'s" of a word, as it is written there.
    private static func possessive(of word: Word) -> String {
        word.key.hasSuffix("'s") ? String(word.core.suffix(2)) : ""
    }

    // MARK: - Terms that sound alike

    private func best(at place: Int, in words: [Word]) -> (term: String, count: Int)? {
        var best: (term: Term, count: Int, likeness: Double)?
        for count in 1...Self.longest where place + count <= words.count {
            let heard = words[place..<(place + count)]
            guard mayBeTerm(heard) else { continue }
            let core = heard.dropLast().map(\.core).joined() + (heard.last.map(Self.withoutPossessive) ?? "")
            let sound = SoundLikeness(core)
            let isKnownName = count == 1 && heard.first.map { language.isKnownName($0.key) } ?? false
            let spelling = Self.spelling(of: core)
            for term in terms {
                // Letter by letter only if that is possible.
                let isMeant =
                    isKnownName || term.isKnownName
                    ? term.spelling == spelling : term.likeness.isMistakable(for: sound)
                guard isMeant, !Self.areForms(term.written, core) else { continue }
                let likeness = term.likeness.likeness(to: sound)
                if likeness > best?.likeness ?? 0 { best = (term, count, likeness) }
            }
        }
        return best.map { ($0.term.written, $0.count) }
    }

    private static func withoutPossessive(_ word: Word) -> String {
        String(word.core.dropLast(possessive(of: word).count))
    }

    /// Words of one clause, not all of them known.
    private func mayBeTerm(_ words: ArraySlice<Word>) -> Bool {
        guard words.dropLast().allSatisfy(\.trail.isEmpty), words.dropFirst().allSatisfy(\.lead.isEmpty),
            words.allSatisfy({ !$0.isFixed && !$0.isSilent && !$0.hasDigits })
        else { return false }
        if words.count == 1, let word = words.first { return !language.isOrdinary(word.key) }
        // A name is not made of words of grammar: "islam is" is not "Islamic".
        return words.allSatisfy { $0.kinds.subtracting(.hints).isEmpty }
            && words.contains { !language.isOrdinary($0.key) && !language.isKnownName($0.key) }
    }

    /// Endings that make another word of a name: "Mongol" and "Mongols", "Islamism" and "Islamist".
    private static let endings: Set<String> = [
        "", "s", "es", "a", "as", "an", "ans", "ia", "ias", "ian", "ians", "ic", "ics", "ish", "ism", "ist",
        "ists", "ity",
        "ese", "er", "ers", "ed", "ing",
    ]
    /// The fewest letters of the stem before such an ending.
    private static let shortestStem = 4

    /// Whether the words are forms of one name, and what was heard is right as it is.
    private static func areForms(_ term: String, _ heard: String) -> Bool {
        let (term, heard) = (SoundLikeness.letters(of: term), SoundLikeness.letters(of: heard))
        let common = zip(term, heard).prefix { $0 == $1 }.count
        guard term != heard, common >= shortestStem else { return false }
        return (shortestStem...common).contains { length in
            endings.contains(String(term.dropFirst(length)))
                && endings.contains(String(heard.dropFirst(length)))
        }
    }

    /// The same for spellings of one name: "Jon" and "John", "Filip" and "Philipp".
    private static func spelling(of name: String) -> String {
        var spelling: [Character] = []
        for letter in String(SoundLikeness.letters(of: name)).replacing("ph", with: "f") where letter != "h" {
            let simple: Character =
                switch letter {
                case "c", "q": "k"
                case "y": "i"
                case "z": "s"
                case "w": "v"
                default: letter
                }
            if spelling.last != simple { spelling.append(simple) }
        }
        if spelling.last == "e" { spelling.removeLast() }
        return String(spelling)
    }
}
