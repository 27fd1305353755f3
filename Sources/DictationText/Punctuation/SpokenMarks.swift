/// Spoken punctuation and layout: "dear john comma new line thank you". Marks join their words; layout divides a line.
struct SpokenMarks {
    let language: Language

    /// A line as it was divided.
    struct Line {
        var words: [Word]
        /// An empty line comes before it.
        var isParagraph = false
        /// Layout was asked for before it.
        var isNew = true
    }

    /// - Returns: the lines, the actions, and whether anything was changed.
    func lines(of words: [Word]) -> (lines: [Line], actions: [CleanedText.Action]) {
        guard words.indices.contains(where: { mayAct(at: $0, in: words) }) else {
            return ([Line(words: words, isNew: false)], [])
        }
        var lines = [Line(words: [], isNew: false)]
        var actions: [CleanedText.Action] = []
        var lead = ""
        var joint: String?
        var mentions = MentionedMarks(language: language)
        var place = 0
        while place < words.count {
            let word = words[place]
            let last = lines.count - 1
            if let (spoken, end) = escaped(at: place, in: words) {
                lines[last].words += words[(place + 1)..<end]
                actions.append(.init(rule: .spokenMarks, before: word.text + " " + spoken, after: spoken))
                place = end
                continue
            }
            guard let (mark, end) = mark(at: place, in: words) else {
                // All words of a name that is none here: the last may be another name, as in "el punto y coma".
                let name = word.kinds.contains(.markStart) ? phrase(at: place, in: words) : nil
                let end = name?.1 ?? place + 1
                for word in words[place..<end] {
                    add(word, to: &lines[last].words, lead: &lead, joint: &joint)
                }
                place = end
                continue
            }
            if mentions.isMentioned(place..<end, mark, in: words, behind: lines[last].words) {
                for word in words[place..<end] {
                    add(word, to: &lines[last].words, lead: &lead, joint: &joint)
                }
                place = end
                continue
            }
            guard !closesNothing(mark, lines, lead), !joinsNothing(mark, end, in: words),
                put(mark, words[end - 1].trail, into: &lines, lead: &lead, joint: &joint)
            else {
                lines[last].words += words[place..<end]
                place = end
                continue
            }
            let spoken = words[place..<end].map(\.text).joined(separator: " ")
            actions.append(.init(rule: .spokenMarks, before: spoken, after: mark.text))
            place = end
        }
        // A mark before nothing is kept as it is.
        if !lead.isEmpty { lines[lines.count - 1].words.append(Word(Substring(lead), language: language)) }
        return (lines, actions)
    }

    /// Most texts name no mark.
    private func mayAct(at place: Int, in words: [Word]) -> Bool {
        words[place].kinds.contains(.markStart)
            && (mark(at: place, in: words) != nil || escaped(at: place, in: words) != nil)
    }

    static let opening: [String: Character] = [")": "(", "”": "“", "“": "„", "»": "«"]

    /// "A quote unquote expert", and a closing mark whose opening was meant as words.
    private func closesNothing(_ mark: SpokenMark, _ lines: [Line], _ lead: String) -> Bool {
        guard case .trailing(let sign) = mark, let opening = Self.opening[sign] else { return false }
        if lead.contains(opening) { return false }
        // From the end: there is seldom much between them.
        for word in lines.lazy.reversed().flatMap({ $0.words.reversed() }) {
            if word.trail.contains(sign) { return true }
            if word.lead.contains(opening) { return false }
        }
        return true
    }

    /// "That is spelled with hyphen": nothing follows that it could join.
    private func joinsNothing(_ mark: SpokenMark, _ end: Int, in words: [Word]) -> Bool {
        guard case .joining = mark else { return false }
        return end == words.count || !words[end - 1].trail.isEmpty
    }

    private func add(_ word: Word, to words: inout [Word], lead: inout String, joint: inout String?) {
        var word = word
        if !lead.isEmpty {
            word.lead = lead + word.lead
            lead = ""
        }
        if let mark = joint, let last = words.last {
            words[words.count - 1] = Word(Substring(last.text + mark + word.text), language: language)
        } else {
            words.append(word)
        }
        joint = nil
    }

    /// - Returns: false if there is no word for the mark to join.
    private func put(
        _ mark: SpokenMark, _ trail: String, into lines: inout [Line], lead: inout String,
        joint: inout String?
    ) -> Bool {
        let last = lines.count - 1
        switch mark {
        case .trailing(let sign):
            guard let place = lines[last].words.indices.last, lead.isEmpty else { return false }
            // A recognizer may have put a mark of its own next to the spoken one.
            if sign.allSatisfy(Marks.isPlain) { lines[last].words[place].removePlainMarks() }
            lines[last].words[place].endsNothing = false
            lines[last].words[place].trail += sign
        case .leading(let sign): lead += sign
        case .alone(let sign):
            guard !lines[last].words.isEmpty else { return false }
            lines[last].words.append(Word(Substring(sign), language: language))
        case .joining(let sign):
            guard let before = lines[last].words.last, before.trail.isEmpty else { return false }
            joint = sign
        case .line: lines.append(Line(words: []))
        case .paragraph: lines.append(Line(words: [], isParagraph: true))
        case .endOfParagraph:
            if let place = lines[last].words.indices.last {
                lines[last].words[place].removePlainMarks()
                lines[last].words[place].trail += "."
            }
            lines.append(Line(words: [], isParagraph: true))
        case .bullet(let sign):
            if lines[last].words.isEmpty { lines.removeLast() }
            lines.append(Line(words: [Word(Substring(sign), language: language)]))
        }
        return true
    }

    /// "literal comma", "literal new line"
    private func escaped(at place: Int, in words: [Word]) -> (spoken: String, end: Int)? {
        guard language.punctuation.escapes.contains(words[place].key), words[place].trail.isEmpty,
            let (_, end) = phrase(at: place + 1, in: words)
        else { return nil }
        return (words[(place + 1)..<end].map(\.text).joined(separator: " "), end)
    }

    private func mark(at place: Int, in words: [Word]) -> (SpokenMark, Int)? {
        guard words[place].kinds.contains(.markStart), let (mark, end) = phrase(at: place, in: words) else {
            return nil
        }
        let before = place > 0 && words[place - 1].trail.isEmpty ? words[place - 1].key : ""
        let next = end < words.count && words[end - 1].trail.isEmpty ? words[end].key : ""
        // A closing quote belongs to an open one: "option a close quote".
        if case .trailing(let sign) = mark, Self.opening[sign] != nil { return (mark, end) }
        guard !language.punctuation.determiners.contains(before) else { return nil }
        if isCounted(before, at: place, behind: next, end, in: words) { return nil }
        // "Each new paragraph should start with a verb".
        if language.punctuation.weakDeterminers.contains(before), !next.isEmpty,
            words[end].kinds.contains(.auxiliary)
        {
            return nil
        }
        if let neighbors = language.punctuation.ambiguous[words[place..<end].map(\.key)],
            neighbors.notAfter.contains(before) || neighbors.notBefore.contains(next)
                || neighbors.isPoint && !before.isEmpty && !next.isEmpty && words[end].isNumber
                    && (words[place - 1].isNumber || language.numbers.whole.oneBeforePoint.contains(before))
                || language.punctuation.weakDeterminers.contains(before)
                    && !isPartOfNumber(place - 1, in: words)
                || neighbors.between.contains([before, next])
                || NamedVerbs(neighbors: neighbors, language: language).isVerb(place..<end, in: words)
        {
            return nil
        }
        // "Config punkt json".
        let addresses = language.numbers.addresses
        if words[place].key == addresses.dot, end == place + 1, addresses.fileEndings.contains(next) {
            return nil
        }
        return isOfAddress(place, end, in: words) ? nil : (mark, end)
    }

    /// "Any comma in the field", "there is no comma before it"; but "the answer is no comma but he asks".
    private func isCounted(
        _ before: String, at place: Int, behind next: String, _ end: Int, in words: [Word]
    ) -> Bool {
        guard language.punctuation.counting.contains(before), !next.isEmpty else { return false }
        guard words[place - 1].kinds.contains(.denying) || language.negations.contains(before) else {
            return true
        }
        guard place > 1, words[place - 2].trail.isEmpty,
            !words[place - 2].kinds.isDisjoint(with: [.auxiliary, .preposition])
        else { return false }
        return words[end].kinds.contains(.preposition)
    }

    /// The "two" of "he is sixty two period", but not that of "two period lessons".
    private func isPartOfNumber(_ place: Int, in words: [Word]) -> Bool {
        words[place].isNumber && place > 0 && words[place - 1].isNumber && words[place - 1].trail.isEmpty
    }

    /// "Smith dash jones dot com"
    private func isOfAddress(_ place: Int, _ end: Int, in words: [Word]) -> Bool {
        let addresses = language.numbers.addresses
        guard end == place + 1, place > 0, end + 1 < words.count else { return false }
        if words[place].key == addresses.dot { return dotsLeadToAddress(end, in: words) }
        guard addresses.signs[words[place].key] != nil else { return false }
        return words[end + 1].key == addresses.dot && words[end].trail.isEmpty
            && words[place - 1].trail.isEmpty && words[place - 1].kinds.subtracting(.hints).isEmpty
    }

    /// How many labels of an address are read: each dot of an endless row would read as far.
    private static let mostLabels = 10

    /// "Max punkt muster at web punkt de", "www punkt beispiel punkt de": labels with dots between them, up to "at" or a
    /// known domain.
    private func dotsLeadToAddress(_ place: Int, in words: [Word]) -> Bool {
        let addresses = language.numbers.addresses
        var label = place
        let end = min(words.count, place + 2 * Self.mostLabels)
        while label + 1 < end, words[label].trail.isEmpty {
            let next = words[label + 1]
            if next.key == addresses.at { return true }
            guard next.key == addresses.dot, next.trail.isEmpty, label + 2 < words.count else { return false }
            let domain = words[label + 2].key
            if addresses.domains.contains(domain), !addresses.wordDomains.contains(domain) { return true }
            // "www punto ejemplo punto es"
            if addresses.domains.contains(domain), words[place - 2].key == "www" { return true }
            label += 2
        }
        return false
    }

    private func phrase(at place: Int, in words: [Word]) -> (SpokenMark, Int)? {
        var length = min(PunctuationWords.longestPhrase, words.count - place)
        while length > 0 {
            let range = place..<(place + length)
            let isJoined =
                words[range].dropLast().allSatisfy(\.trail.isEmpty) && words[range].allSatisfy(\.lead.isEmpty)
                && words[range.upperBound - 1].isPlain
            if isJoined, let mark = language.tables.marks[words[range].map(\.key)] {
                return (mark, range.upperBound)
            }
            length -= 1
        }
        return nil
    }
}

extension SpokenMark {
    /// For the actions.
    fileprivate var text: String {
        switch self {
        case .trailing(let sign), .leading(let sign), .alone(let sign), .joining(let sign), .bullet(let sign):
            sign
        case .line: "\n"
        case .paragraph, .endOfParagraph: "\n\n"
        }
    }
}

/// "I come on monday scratch that": at the end of a sentence it removes the whole sentence. "I come on monday. Scratch that.":
/// said as a sentence, it removes the one before.
struct Scratching: WordRule {
    let rule = CleaningRule.scratching

    func apply(to draft: inout Draft) -> Bool {
        let words = draft.words
        var ranges: [Range<Int>] = []
        var (former, sentence) = (0, 0)
        for place in words.indices {
            if place > 0, words[place - 1].endsSentence, place > sentence {
                (former, sentence) = (sentence, place)
            }
            guard words[place].kinds.contains(.markStart),
                let end = scratch(
                    at: place, beginsSentence: place == sentence && place > 0, in: words, draft.language)
            else { continue }
            ranges.append((place == sentence ? former : sentence)..<end)
            (former, sentence) = (end, end)
        }
        draft.remove(ranges, rule: rule)
        return !ranges.isEmpty
    }

    /// - Parameter beginsSentence: there is a sentence before it: "Scratch that, I come on Tuesday."
    private func scratch(
        at place: Int, beginsSentence: Bool, in words: [Word], _ language: Language
    ) -> Int? {
        let end = place + 2
        guard end <= words.count,
            language.punctuation.scratches.contains([words[place].key, words[place + 1].key]),
            words[place].trail.isEmpty, words[place + 1].isPlain,
            end == words.count || words[place + 1].endsSentence || beginsSentence && words[place + 1].hasComma
        else { return nil }
        return end
    }
}
