import Foundation

/// Brings a text to the words that are spoken, so that two ways to write the same thing count as the same: lower case,
/// numbers in words, no marks, no fillers, one spelling.
enum SpokenWords {
    static func normalized(_ text: String) -> [String] {
        var words: [String] = []
        for token in tokens(text.lowercased().replacing("’", with: "'")) {
            if token.first?.isNumber == true {
                words += numberWords(token)
            } else if !fillers.contains(token) {
                words += (spellings[token] ?? token).split(separator: " ").map(String.init)
            }
        }
        return words
    }

    private static let fillers: Set<String> = ["uh", "um", "erm", "er", "hmm", "mm", "uhm", "umm"]

    /// Two spellings, or one word and two, that sound alike.
    private static let spellings = [
        "mr": "mister", "mrs": "missus", "dr": "doctor", "st": "saint", "ok": "okay", "oh": "zero",
        "color": "color", "grey": "gray", "splendours": "splendors", "neighbour": "neighbor",
        "neighbour's": "neighbor's", "letterpress": "letter press", "woodcutters": "wood cutters",
        "everyday": "every day", "cannot": "can not", "gonna": "going to", "etc": "et cetera",
    ]

    /// Runs of letters (with apostrophes inside) and of digits (with commas inside).
    private static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var current = ""
        func end() {
            let token = current.trimmingCharacters(in: CharacterSet(charactersIn: "',"))
            if !token.isEmpty { tokens.append(token) }
            current = ""
        }
        for character in text {
            let isDigit = character.isASCII && character.isNumber
            let belongs =
                if let last = current.last(where: { $0 != "'" && $0 != "," }) {
                    last.isNumber
                        ? isDigit || character == ","
                        : character.isLetter || character == "'"
                } else {
                    isDigit || character.isLetter
                }
            if !belongs { end() }
            if isDigit || character.isLetter || (belongs && (character == "'" || character == ",")) {
                current.append(character)
            }
        }
        end()
        return tokens
    }

    private static let ones = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = [
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ]

    private static func numberWords(_ digits: String) -> [String] {
        guard let number = Int(digits.replacing(",", with: "")), number < 1_000_000_000 else {
            return [digits]
        }
        return words(for: number)
    }

    private static func words(for number: Int) -> [String] {
        switch number {
        case ..<20: return [ones[number]]
        case ..<100: return [tens[number / 10]] + (number % 10 > 0 ? [ones[number % 10]] : [])
        default:
            let (unit, name) =
                number < 1000
                ? (100, "hundred") : number < 1_000_000 ? (1000, "thousand") : (1_000_000, "million")
            let rest = number % unit
            return words(for: number / unit) + [name] + (rest > 0 ? words(for: rest) : [])
        }
    }
}
