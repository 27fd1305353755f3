import SelfCorrection

extension Language {
    /// The languages that a command may be in: that of the locale, or any if the model detects the language.
    package static func candidates(_ locale: String) -> [Language] {
        locale == "auto" ? all : [matching(locale)]
    }

    /// Whether there are rules for it.
    public var isKnown: Bool { Self.all.contains { $0.identifier == identifier } }

    /// The rules for a text, whose language may be unknown.
    ///
    /// - Parameters:
    ///   - locale: such as "en-GB"; "auto" if the model has detected the language, and did not say which one
    ///     it is.
    ///   - text: the words that were said.
    public static func matching(_ locale: String, of text: String) -> Language {
        locale == "auto" ? matching(code(of: text)) : matching(locale)
    }

    /// Frequent words of languages without rules that share words with languages with rules:
    /// without them French would be classified as Spanish.
    private static let neighbors: [(code: String, words: String)] = [
        (
            "fr",
            "je nous vous il elle est les des et une pas le la de que en un dans pour qui sur avec ce au du ne sont"
        ),
        (
            "it",
            "che di il non è sono per con una la un in del della si ma come anche gli le ho ha questo più al"
        ),
        ("pt", "não uma do da em os ao é você que de um para com se mas por mais foi ela eu isso na no está"),
        ("nl", "het een van ik niet en dat zijn de je in op te met voor maar er we wij naar ook dit was"),
    ]

    /// Words that identify a language: its function words that no other language here has.
    private static let telling: [(code: String, words: Set<String>)] = {
        let lists =
            all.map { ($0.identifier, $0.grammarWords) }
            + neighbors.map { ($0.code, Set($0.words.split(separator: " ").map(String.init))) }
        return lists.map { code, words in
            let others = lists.filter { $0.0 != code }.reduce(into: Set<String>()) { $0.formUnion($1.1) }
            return (code, words.subtracting(others))
        }
    }()

    /// The language that most words of a text belong to. In a text of another language hardly any word
    /// matches; so if fewer than one in eight matches, or two languages have the same number, it stays
    /// unknown.
    private static func code(of text: String) -> String {
        let words = text.lowercased().split { !$0.isLetter && $0 != "'" && $0 != "’" }.map(String.init)
        let counts = telling.map { entry in (entry.code, words.count { entry.words.contains($0) }) }
        guard let best = counts.max(by: { $0.1 < $1.1 }), best.1 > 0, best.1 * 8 >= words.count,
            counts.count(where: { $0.1 == best.1 }) == 1
        else { return "und" }
        return best.0
    }
}
