/// The beginning of a word that was broken off and begun again, without a dash that shows it: "the calor calorie count",
/// "th, th, the status", and "set the ther set the thermostat", where the words before it are said again as well.
struct Fragments {
    let words: [Word]
    let language: Language

    /// The most words that are said again with the broken one.
    private static let longestPhrase = 4
    /// The most letters that are missing of an unknown name: "Scot Scotty".
    private static let longestEnding = 2
    /// The most letters of a beginning that only sounds like the word: "ga ga get".
    private static let longestSound = 3

    /// - Returns: what goes, in order; nothing in a language whose ordinary words are not known.
    func ranges() -> [Range<Int>] {
        guard language.knowsOrdinaryWords else { return [] }
        var found: [Range<Int>] = []
        var place = 0
        while place + 1 < words.count {
            if let end = endOfFragments(at: place) ?? endOfPhrase(at: place) {
                found.append(place..<end)
                place = end
            } else {
                place += 1
            }
        }
        return found
    }

    /// "Calor calorie", "th, th, the", "ga ga get".
    private func endOfFragments(at place: Int) -> Int? {
        // A row of them is looked at from its first one, so that the time stays linear.
        guard place == 0 || words[place - 1].hash != words[place].hash else { return nil }
        var whole = place + 1
        while whole < words.count, words[whole].hash == words[place].hash { whole += 1 }
        guard whole < words.count, words[place..<whole].allSatisfy(\.isOpen),
            isBeginning(place, of: whole)
                ? !isName(place, before: whole) : whole - place > 1 && soundsLikeBeginning(place, of: whole),
            // "Gmail dot com".
            place == 0 || words[place - 1].key != language.numbers.addresses.dot,
            // The dearest question: the list of words is searched.
            isNoWord(words[place])
        else { return nil }
        return whole
    }

    /// "Set the ther set the thermostat".
    private func endOfPhrase(at place: Int) -> Int? {
        for length in 1...Self.longestPhrase {
            let broken = place + length
            let whole = broken + length + 1
            guard whole < words.count else { return nil }
            guard words[place].hash == words[broken + 1].hash, isBeginning(broken, of: whole),
                (place..<broken).allSatisfy({
                    words[$0].hash == words[$0 + length + 1].hash && words[$0].isPlain
                }),
                words[place..<(whole - 1)].indices.allSatisfy({ $0 == broken || words[$0].isOpen }),
                // "To be to begin" and "the play the players staged" are said; "the play- the players" is broken off.
                words[broken].isOpen ? isNoWord(words[broken]) : isBrokenOff(words[broken])
            else { continue }
            return broken + 1
        }
        return nil
    }

    /// A recognizer has written a dash: "I li- I like".
    private func isBrokenOff(_ word: Word) -> Bool {
        let marks = word.trail.filter { $0 != "," }
        return !marks.isEmpty && marks.allSatisfy(Marks.isDash)
    }

    private func isBeginning(_ place: Int, of whole: Int) -> Bool {
        guard mayBegin(place, whole) else { return false }
        let (word, other) = (words[place], words[whole])
        guard other.key.hasPrefix(word.key) else { return false }
        // "App apps", "it it's": two forms of one word.
        let rest = other.key.dropFirst(word.key.count)
        return rest.first?.isLetter == true && rest != "s"
    }

    /// A row of beginnings with the first letter of the word, but not the next ones: "ga ga get".
    private func soundsLikeBeginning(_ place: Int, of whole: Int) -> Bool {
        mayBegin(place, whole) && !language.isKnownName(words[whole].key)
            && language.isOrdinary(words[whole].key) && words[place].key.count <= Self.longestSound
    }

    private func mayBegin(_ place: Int, _ whole: Int) -> Bool {
        // Hardly any two neighbors pass this. By index: a copy of a word would count its strings' references.
        guard words[place].key.utf8.count < words[whole].key.utf8.count,
            words[place].key.utf8.first == words[whole].key.utf8.first
        else { return false }
        let (word, other) = (words[place], words[whole])
        return word.isPlain && !word.isFixed && !word.isAllCapitals && word.core.allSatisfy(\.isLetter)
            && other.lead.isEmpty && !other.isNumber
    }

    /// The two may be a name that no list has: "Kris Kristofferson".
    private func isName(_ place: Int, before whole: Int) -> Bool {
        let (name, beginning) = (words[whole].key, words[place].key)
        return name.count - beginning.count > Self.longestEnding && !language.isOrdinary(name)
            && !language.isKnownName(name)
    }

    private func isNoWord(_ word: Word) -> Bool {
        guard word.kinds.subtracting(.hints).isEmpty, word.restarts.isEmpty, !language.isKnownName(word.key)
        else { return false }
        return switch word.key.utf8.count {
        case ...1: false
        case 2: !language.fillers.shortWords.contains(word.key)
        default: !language.isOrdinary(word.key)
        }
    }
}
