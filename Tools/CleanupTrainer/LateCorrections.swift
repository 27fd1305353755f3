import CleanupSets
import DictationText

/// Questions made of fluent ones, in which the end corrects one of the words before: "what
/// did the mongols think no turks". The pairs have few, and without more of them too few are found.
struct LateCorrections {
    /// The kinds of words that may be corrected late: a word replaces only one of its own kind.
    private enum Kind {
        case questionWord, name, number
        /// Content words after an auxiliary, an article or a preposition.
        case subject, noun, object
    }

    private struct Span {
        let kind: Kind
        let place: Range<Int>
    }

    private static let auxiliaries = words("did does do is are was were has have had can could would will")
    private static let questionWords = words("what who when where why how which")
    private static let articles = words("the a an his their its")
    private static let prepositions = words("in of on at from to by with for")
    /// The longest name, in words.
    private static let longestName = 3
    /// Of four that have an article or a preposition before them, one says it again.
    private static let repeated = 4

    private let questions: [(words: [String], spans: [Span])]
    private var wrong: [Kind: [[String]]] = [:]

    init(_ texts: [String]) {
        questions = texts.filter { $0.hasSuffix("?") }
            .map { $0.split(separator: " ").map(String.init) }
            .filter { $0.count > 3 }
            .map { ($0, Self.spans(of: $0)) }
        for (words, spans) in questions {
            for span in spans { wrong[span.kind, default: []].append(Array(words[span.place])) }
        }
    }

    func pair(using generator: inout some RandomNumberGenerator) -> CleanupSet.Pair? {
        guard let (meant, spans) = questions.randomElement(using: &generator),
            let cue = AlteredSentences.cues.randomElement(using: &generator),
            let span = spans.randomElement(using: &generator),
            let wrong = wrong[span.kind]?.randomElement(using: &generator)
        else { return nil }
        let right = meant[span.place].map { span.kind == .questionWord ? $0.lowercased() : $0 }
        guard wrong.map({ $0.lowercased() }) != right.map({ $0.lowercased() }) else { return nil }
        var said = meant
        said.replaceSubrange(span.place, with: wrong)
        said[said.count - 1].removeLast()
        said.append(cue)
        if span.kind == .noun || span.kind == .object,
            Int.random(in: 0..<Self.repeated, using: &generator) == 0
        {
            said.append(meant[span.place.lowerBound - 1].lowercased())
        }
        said += right
        return .init(
            spoken: said.joined(separator: " ") + "?", written: meant.joined(separator: " "))
    }

    /// The last word is none of them: a correction there is not late.
    private static func spans(of words: [String]) -> [Span] {
        var spans: [Span] = []
        if questionWords.contains(words[0].lowercased()) {
            spans.append(Span(kind: .questionWord, place: 0..<1))
        }
        var place = 1
        while place < words.count - 1 {
            let name = name(at: place, words)
            if !name.isEmpty {
                if name.count <= longestName { spans.append(Span(kind: .name, place: name)) }
                place = name.upperBound
                continue
            }
            if words[place].allSatisfy(\.isNumber) {
                spans.append(Span(kind: .number, place: place..<(place + 1)))
            } else if isOfMeaning(words[place]), let kind = kind(behind: words[place - 1]) {
                spans.append(Span(kind: kind, place: place..<(place + 1)))
                if place + 1 < words.count - 1, isOfMeaning(words[place + 1]) {
                    spans.append(Span(kind: kind, place: place..<(place + 2)))
                }
            }
            place += 1
        }
        return spans.filter { words[$0.place].allSatisfy { word in !word.contains(where: isMark) } }
    }

    private static func name(at place: Int, _ words: [String]) -> Range<Int> {
        guard !questionWords.contains(words[place].lowercased()) else { return place..<place }
        var end = place
        while end < words.count - 1, words[end].first?.isUppercase == true,
            end == place || words[end - 1].last?.isLetter == true
        {
            end += 1
        }
        return place..<end
    }

    private static func kind(behind word: String) -> Kind? {
        let word = word.lowercased()
        if auxiliaries.contains(word) { return .subject }
        if articles.contains(word) { return .noun }
        return prepositions.contains(word) ? .object : nil
    }

    private static func isOfMeaning(_ word: String) -> Bool {
        let word = word.lowercased()
        return word.count > 3
            && ![auxiliaries, questionWords, articles, prepositions].contains { $0.contains(word) }
    }

    private static func isMark(_ character: Character) -> Bool { ",?.;:\"()".contains(character) }

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(separator: " ").map(String.init))
    }
}
