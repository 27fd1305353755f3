import Foundation
import SelfCorrection

/// How alike two phrases sound, judged by their letters: a recognizer that mishears a word writes one that sounds like it.
struct SoundLikeness {
    /// Lower-case letters and digits without accents and spaces.
    private let letters: [Character]
    /// The consonants by how they are spoken, with "a" for vowels at the beginning.
    private let sounds: [Character]

    init(_ phrase: String) {
        letters = Self.letters(of: phrase)
        sounds = Self.sounds(of: letters)
    }

    /// The form for comparisons: "Data-Base" and "database" are the same.
    static func letters(of phrase: String) -> [Character] {
        phrase.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
            .replacing("ß", with: "ss").filter { $0.isLetter || $0.isNumber }.map { $0 }
    }

    /// 0 for nothing in common, 1 for the same.
    func likeness(to other: SoundLikeness) -> Double {
        (Self.likeness(letters, other.letters) + Self.likeness(sounds, other.sounds)) / 2
    }

    /// Whether a recognizer that does not know this phrase may well write the other one for it. This is
    /// stricter than the comparison with a phrase that the user has named.
    func isMistakable(for other: SoundLikeness) -> Bool {
        // Much longer or shorter ones differ too much in any case.
        guard 2 * max(letters.count, other.letters.count) <= 3 * min(letters.count, other.letters.count)
        else { return false }
        let isSameSound = sounds == other.sounds && sounds.count >= Self.tellingSounds
        guard isSameSound || Self.likeness(letters, other.letters) >= Self.leastOfLetters else {
            return false
        }
        let likeness = likeness(to: other)
        // The sound that a word begins with is what distinguishes it most.
        guard sounds.first == other.sounds.first else { return likeness >= Self.leastElse }
        return likeness >= (isSameSound ? Self.leastOfSameSound : Self.leastMistakable)
    }

    /// Chosen by hand on 22 names that moonshine-tiny-en heard in sentences of espeak-ng.
    private static let leastMistakable = 0.78
    private static let leastOfSameSound = 0.7
    private static let leastElse = 0.85
    private static let leastOfLetters = 0.6
    /// This many consonants are seldom the same by chance.
    private static let tellingSounds = 4

    private static func likeness(_ first: [Character], _ second: [Character]) -> Double {
        let longest = max(first.count, second.count)
        guard longest > 0 else { return 1 }
        return 1 - Double(EditDistance.between(String(first), String(second))) / Double(longest)
    }

    /// Letters that are written together for one sound, the longer ones first.
    private static let groups: [(String, String)] = [
        ("tsch", "s"), ("sch", "s"), ("tion", "sn"), ("ght", "t"), ("ph", "f"), ("th", "t"), ("ck", "k"),
        ("ch", "k"),
        ("sh", "s"), ("wh", "f"), ("kn", "n"), ("wr", "r"), ("gh", "k"), ("qu", "kf"), ("dg", "k"),
        ("ce", "s"), ("ci", "s"), ("cy", "s"),
    ]
    private static let single: [Character: Character] = [
        "b": "p", "d": "t", "g": "k", "c": "k", "q": "k", "v": "f", "w": "f", "z": "s", "x": "s", "j": "k",
    ]

    private static func sounds(of letters: [Character]) -> [Character] {
        var rest = letters[...]
        var sounds: [Character] = []
        while let first = rest.first {
            if let (group, sound) = groups.first(where: { rest.starts(with: $0.0) }) {
                sounds += sound
                rest = rest.dropFirst(group.count)
                continue
            }
            rest = rest.dropFirst()
            if "aeiouyh".contains(first) {
                if sounds.isEmpty { sounds.append("a") }
            } else {
                sounds.append(single[first] ?? first)
            }
        }
        // "tt" is one sound.
        return sounds.enumerated().filter { $0 == 0 || sounds[$0 - 1] != $1 }.map(\.element)
    }
}
