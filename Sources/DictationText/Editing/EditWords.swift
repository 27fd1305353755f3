import SelfCorrection

/// The phrases of a language for the commands that edit. In them, `#` is a number and `_` any words.
struct EditWords: LanguagePart {
    @Phrases var scratch: Set<[String]>
    @Phrases var undo: Set<[String]>
    @Phrases var deleteWord: Set<[String]>
    @Phrases var deleteSentence: Set<[String]>
    @Phrases var deleteLine: Set<[String]>
    /// In all languages, the words to replace come first.
    @Phrases var replace: Set<[String]>
    @Phrases var capitalize: Set<[String]>
    @Phrases var upper: Set<[String]>
    @Phrases var lower: Set<[String]>
    @Phrases var select: Set<[String]>
    @Phrases var pressEnter: Set<[String]>
    @Phrases var pressTab: Set<[String]>
    @Phrases var pressEscape: Set<[String]>
    @Phrases var stopListening: Set<[String]>

    static let number = "#"
    static let anyWords = "_"

    /// A phrase, and the command that its number and its words make.
    struct Pattern: Sendable {
        let phrase: [String]
        let command: @Sendable (_ number: Int, _ words: [String]) -> EditCommand
    }

    var patterns: [Pattern] {
        func patterns(_ phrases: Set<[String]>, _ command: EditCommand) -> [Pattern] {
            phrases.map { Pattern(phrase: $0) { _, _ in command } }
        }
        func deleting(_ phrases: Set<[String]>, _ unit: EditUnit) -> [Pattern] {
            phrases.map { Pattern(phrase: $0) { number, _ in .delete(unit, count: number) } }
        }
        return patterns(scratch, .scratch) + patterns(undo, .undo) + deleting(deleteWord, .word)
            + deleting(deleteSentence, .sentence) + deleting(deleteLine, .line)
            + replace.map {
                Pattern(phrase: $0) { _, words in .replace([.init(words[0], with: words[1])]) }
            } + patterns(capitalize, .setCase(.capitalized)) + patterns(upper, .setCase(.upper))
            + patterns(lower, .setCase(.lower)) + patterns(select, .select)
            + patterns(pressEnter, .press(.enter)) + patterns(pressTab, .press(.tab))
            + patterns(pressEscape, .press(.escape)) + patterns(stopListening, .stopListening)
    }
}
