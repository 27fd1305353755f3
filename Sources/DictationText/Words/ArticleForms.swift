import SelfCorrection

/// The two forms of an article, which depend on the sound after it: "a text", "an email". Empty in a language whose
/// article has no such forms.
struct ArticleForms: LanguagePart {
    @Text var beforeConsonant: String
    @Text var beforeVowel: String
    /// How words begin that are written with a vowel, and spoken with a consonant: "univ".
    @Words var spokenConsonants: Set<String>
    /// The opposite: "hour".
    @Words var spokenVowels: Set<String>

    /// Another form that the word takes before the next one; nil if it is not such an article, or is right.
    func form(of word: Word, before next: Word) -> String? {
        guard word.key == beforeConsonant || word.key == beforeVowel, word.trail.isEmpty, word.isPlain,
            next.isPlain,
            !next.isAllCapitals, !next.isNumber, next.core.utf8.count > 2, next.core.allSatisfy(\.isLetter),
            // The "a" of "vitamin a um is" is a letter.
            next.kinds.isDisjoint(with: [.function, .preposition, .conjunction, .auxiliary])
        else { return nil }
        let form = beginsWithVowel(next.key) ? beforeVowel : beforeConsonant
        return form == word.key ? nil : form
    }

    private func beginsWithVowel(_ word: String) -> Bool {
        if spokenConsonants.contains(where: word.hasPrefix) { return false }
        return word.first.map("aeiou".contains) == true || spokenVowels.contains(where: word.hasPrefix)
    }
}
