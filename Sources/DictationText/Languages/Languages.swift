import SelfCorrection

extension Language {
    /// All that there are rules for.
    package static let all: [Language] = [.english, .german, .spanish]

    /// The rules for a locale, such as "en-GB". A language without lists gets white space, capitals of
    /// sentences and a mark at the end, and none of its words is changed.
    public static func matching(_ locale: String) -> Language {
        let code = locale.prefix { $0.isLetter }.lowercased()
        return all.first { $0.identifier == code } ?? Language(LanguageFile(identifier: String(code)))
    }
}

extension Language {
    /// Words of grammar, hesitations and connectives: without them a text says the same.
    public var grammarWords: Set<String> {
        let kinds: WordKinds = [
            .function, .pronoun, .conjunction, .opener, .preposition, .hesitation, .subject, .fillerStart,
        ]
        return Set(tables.kinds.lazy.filter { !$0.value.isDisjoint(with: kinds) }.map(\.key)).union(
            fillers.hesitations
        )
        .subtracting(negations)
    }

    /// "The" and "a": words of grammar that may replace each other.
    public var articles: Set<String> {
        let articles = restarts.kinds["article"]?.wrappedValue ?? []
        return articles.subtracting(restarts.kinds["possessive"]?.wrappedValue ?? [])
            .filter { kinds(of: $0).contains(.subject) }
    }

    /// "Please", "sorry", "hello".
    public var courtesies: Set<String> {
        Set(tables.kinds.lazy.filter { $0.value.contains(.opener) }.map(\.key)).subtracting(
            tables.kinds.lazy.filter { !$0.value.isDisjoint(with: [.conjunction, .function]) }.map(\.key))
    }

    /// The value of each number word.
    public var numberValues: [String: Int] { numbers.whole.small }
    /// The written decimal point: "." or ",".
    public var decimalMark: String { numbers.signs.decimalMark }
    /// Whether a word is an ordinary one, and neither a name nor a misspelling. True if this is unknown.
    ///
    /// - Parameter word: in lower case.
    public func isOrdinaryWord(_ word: String) -> Bool { isOrdinary(word) }
}
