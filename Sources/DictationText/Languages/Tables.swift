import SelfCorrection

/// A word or a sign; empty if the language has none.
@propertyWrapper
struct Text: LanguagePart {
    var wrappedValue = ""

    init() {}

    init(from decoder: any Decoder) throws { wrappedValue = try String(from: decoder) }
}

/// False unless the file says otherwise.
@propertyWrapper
struct Flag: LanguagePart {
    var wrappedValue = false

    init() {}

    init(from decoder: any Decoder) throws { wrappedValue = try Bool(from: decoder) }
}

/// The words of one phrase.
@propertyWrapper
struct Phrase: LanguagePart {
    var wrappedValue: [String] = []

    init() {}

    init(from decoder: any Decoder) throws {
        wrappedValue = try String(from: decoder).split(separator: " ").map(String.init)
    }
}

/// A value for each word; words with spaces between them share one.
@propertyWrapper
struct ByWord<Value: Decodable & Sendable>: LanguagePart {
    var wrappedValue: [String: Value] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        for (words, value) in try [String: Value](from: decoder) {
            for word in words.split(whereSeparator: \.isWhitespace) { wrappedValue[String(word)] = value }
        }
    }
}

/// A value for each phrase; phrases with commas between them share one.
@propertyWrapper
struct ByPhrase<Value: Decodable & Sendable>: LanguagePart {
    var wrappedValue: [[String]: Value] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        for (phrases, value) in try [String: Value](from: decoder) {
            for phrase in Phrases.split(phrases) { wrappedValue[phrase] = value }
        }
    }
}

/// Words that count: `"20 by 10": "twenty thirty"`. Without "by" each is one more than the word before it.
@propertyWrapper
struct Numbered: LanguagePart {
    var wrappedValue: [String: Int] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        for (key, words) in try [String: String](from: decoder) {
            let numbers = key.split(separator: " ").compactMap { Int($0) }
            guard let first = numbers.first else { continue }
            let step = numbers.count > 1 ? numbers[1] : 1
            for (place, word) in words.split(whereSeparator: \.isWhitespace).enumerated() {
                wrappedValue[String(word)] = first + place * step
            }
        }
    }
}
