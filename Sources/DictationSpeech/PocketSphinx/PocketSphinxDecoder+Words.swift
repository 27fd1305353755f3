import CPocketSphinx
import DictationSystem
import Foundation

/// The user's own words.
///
/// The language model cannot be taught words: Debian's library looks a new one up beyond the end of the
/// model's tables, which ends the process from the sixth on. So one word is added, which is the first new one
/// and so still inside the tables, and all the user's words are pronunciations of that one. The pronunciation
/// shows which of them was heard.
extension PocketSphinxDecoder {
    /// Teaches words; one that the language model knows gets another pronunciation. Once for each decoder, before the
    /// first utterance.
    ///
    /// - Returns: the first that cannot be used, ``SpeechSessionError/unusableWord(_:pronunciation:reason:)``; all
    ///   others are.
    func add(_ words: [CustomWord]) -> SpeechSessionError? {
        let (known, new) = (words.filter { knows($0.text) }, words.filter { !knows($0.text) })
        // The carrier first: it must be the first new word of the language model.
        let order = new.map { (word: $0, isKnown: false) } + known.map { (word: $0, isKnown: true) }
        var (added, failed) = ([(word: CustomWord, isKnown: Bool)](), [CustomWord]())
        for (word, isKnown) in order {
            if add(word, isKnown: isKnown, isLast: false) {
                added.append((word, isKnown))
            } else {
                failed.append(word)
            }
        }
        // A rebuild takes the library as long for one word as for all, so it is requested only with the last
        // one: by a word that it already has.
        if let (word, isKnown) = added.last { _ = add(word, isKnown: isKnown, isLast: true) }
        return words.first(where: failed.contains).map {
            .unusableWord(
                $0.text, pronunciation: $0.pronunciation,
                reason: "PocketSphinx does not know one of the sounds")
        }
    }

    private func add(_ word: CustomWord, isKnown: Bool, isLast: Bool) -> Bool {
        let name = isKnown ? freeName(of: word.text) : Self.carrier(ownWords.count + 1)
        guard ps_add_word(decoder, name, word.pronunciation, isLast ? 1 : 0) >= 0 else { return false }
        if !isKnown { ownWords[name] = word.text }
        return true
    }

    /// The word that represents all of them, by its pronunciations' numbers, as in the dictionary itself.
    private static func carrier(_ number: Int) -> String {
        number == 1 ? "words-of-ones-own" : "words-of-ones-own(\(number))"
    }

    /// A further pronunciation has the word's name and a number.
    private func freeName(of word: String) -> String {
        let numbers = (2...).lazy.map { "\(word)(\($0))" }
        return numbers.first { self.pronunciation(of: $0) == nil } ?? word
    }

    /// The words of these names whose pronunciation the dictionary has. As the user's own words they are all
    /// equally likely, which is far more than the language model grants to a rare name.
    func speakable(_ names: [String]) -> [CustomWord] {
        names.flatMap { $0.split(separator: " ") }.flatMap { name in
            let word = name.lowercased()
            return ([word] + Self.variants.map { "\(word)(\($0))" }).compactMap { pronunciation(of: $0) }
                .map { CustomWord(text: String(name), pronunciation: $0) }
        }
    }

    /// No word of the dictionary has more pronunciations.
    private static let variants = 2...4

    /// Whether the language model has it, so that it can be recognized.
    private func knows(_ word: String) -> Bool {
        guard let model = ps_get_lm(decoder, ps_get_search(decoder)) else { return false }
        let number = ngram_wid(model, word)
        return number != ngram_unknown_wid(model) && ngram_model_set_known_wid(model, number) != 0
    }

    private func pronunciation(of word: String) -> String? {
        guard let sounds = ps_lookup_word(decoder, word) else { return nil }
        defer { free(sounds) }
        return String(cString: sounds)
    }
}
