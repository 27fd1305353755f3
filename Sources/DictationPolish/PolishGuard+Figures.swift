import DictationText
import Foundation

extension PolishGuard {
    /// A number with its letters, as numbers are compared: "1,000" is "1000", but "2,5" is not "25", and "x86" not "y86".
    ///
    /// - Parameter key: of a word with digits, in lower case.
    func figure(_ key: String) -> String {
        let kept = key.filter { $0.isNumber || $0.isLetter || ".,:".contains($0) }
            .trimmingCharacters(in: CharacterSet(charactersIn: ".,:"))
        let thousands: Character = language.decimalMark == "," ? "." : ","
        let whole = kept.prefix { $0.isNumber || $0 == thousands }
        let groups = whole.split(separator: thousands, omittingEmptySubsequences: false)
        guard groups.count > 1, (1...3).contains(groups[0].count),
            groups.dropFirst().allSatisfy({ $0.count == 3 })
        else { return kept }
        return groups.joined() + kept.dropFirst(whole.count)
    }

    /// The signs that belong to numbers, in their order.
    func signs(_ answer: String, _ cleaned: String) -> Refusal? {
        let (before, after) = (Self.signs(of: cleaned), Self.signs(of: answer))
        guard before != after else { return nil }
        let place = zip(before, after).prefix { $0 == $1 }.count
        return .changedSign(String(place < before.count ? before[place] : after[place]))
    }

    private static func signs(of text: String) -> [Character] {
        var signs: [Character] = []
        var before: Character?
        let next = text.dropFirst() + " "
        for (character, behind) in zip(text, next) {
            if character.isCurrencySymbol || "%‰°".contains(character) {
                signs.append(character)
            } else if "-−+".contains(character), behind.isNumber,
                before.map({ !$0.isNumber && !$0.isLetter }) ?? true
            {
                signs.append(character == "−" ? "-" : character)
            }
            before = character
        }
        return signs
    }
}
