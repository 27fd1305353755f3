import SelfCorrection

/// The words of a language that have capitals wherever they are.
struct CapitalWords: LanguagePart {
    /// If the recognizer's text has a lower-case letter after a period, no sentence begins. Not set if a list
    /// knows the abbreviations.
    @Flag var keepsSmall: Bool
    /// Days, months, languages, names.
    @Words var capitalized: Set<String>
    /// Abbreviations.
    @Words var uppercased: Set<String>
    /// Words with capitals of their own: "iPhone".
    @ByWord var written: [String: String]
    /// Makes another form of all of these: "'s".
    @Text var possessive: String
    /// Names of several words ("new york"), by their first one.
    @PhrasesByFirstWord var phrases: [String: [[String]]]
    /// Ambiguous words, with the neighbors that give them a capital: "in may".
    @ByWord var doubtful: [String: Words]
    /// Abbreviations if their letters are spelled, and maybe other words if they are not: "i v", "iv".
    @Words var spelled: Set<String>
    /// Those of them that are not written in capitals: "e g".
    @ByWord var spelledForms: [String: String]
    /// After the letters "a i" these show that they are two words: "a I mean".
    @Words var notBehindSpelled: Set<String>
    /// Letters before which the article is "a" and not "an": "with a c".
    @Words var consonants: Set<String>
    /// Letters that are words: "a", "i". Spelled letters that begin with one are an abbreviation only if it
    /// is known.
    @Words var letterWords: Set<String>

    /// Each word with how it is written.
    var properWords: [String: String] {
        var words: [String: String] = [:]
        for word in capitalized { words[word] = word.prefix(1).uppercased() + word.dropFirst() }
        for word in uppercased { words[word] = word.uppercased() }
        words.merge(written) { $1 }
        if !possessive.isEmpty {
            for (word, written) in words { words[word + possessive] = written + possessive }
        }
        return words
    }

    /// Each abbreviation that may be spelled with how it is written.
    var abbreviations: [String: String] {
        Dictionary(uniqueKeysWithValues: spelled.map { ($0, $0.uppercased()) }).merging(spelledForms) { $1 }
    }
}
