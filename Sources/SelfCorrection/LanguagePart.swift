import Foundation

/// A part of a language's file. Lists that the file leaves out are empty.
package protocol LanguagePart: Decodable { init() }

extension KeyedDecodingContainer {
    /// Lets a part be missing: the `init(from:)` that the compiler makes calls this for each part.
    package func decode<Part: LanguagePart>(_ type: Part.Type, forKey key: Key) throws -> Part {
        try decodeIfPresent(type, forKey: key) ?? Part()
    }
}

extension Array: LanguagePart where Element: Decodable {}
extension Dictionary: LanguagePart where Key: Decodable, Value: Decodable {}

/// Words with spaces between them; `@name` means the words of a shared list, `|start` the start of a
/// sentence, which is the empty word.
@propertyWrapper
package struct Words: LanguagePart, Sendable {
    package var wrappedValue: Set<String> = []

    package init() {}

    package init(from decoder: any Decoder) throws {
        for word in try String(from: decoder).split(whereSeparator: \.isWhitespace) {
            switch word.first {
            case "@": wrappedValue.formUnion(try decoder.sharedWords(String(word.dropFirst())))
            case "|": wrappedValue.insert("")
            default: wrappedValue.insert(String(word))
            }
        }
    }

    @inlinable package func contains(_ word: String) -> Bool { wrappedValue.contains(word) }
}

/// Phrases with commas between them.
@propertyWrapper
package struct Phrases: LanguagePart, Sendable {
    package var wrappedValue: Set<[String]> = []

    package init() {}

    package init(from decoder: any Decoder) throws {
        wrappedValue = Set(Self.split(try String(from: decoder)))
    }

    package static func split(_ list: String) -> [[String]] {
        list.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    }
}

/// Phrases with commas between them, by their first word: the words that follow it.
@propertyWrapper
package struct PhrasesByFirstWord: LanguagePart, Sendable {
    package var wrappedValue: [String: [[String]]] = [:]

    package init() {}

    package init(from decoder: any Decoder) throws {
        for phrase in Phrases.split(try String(from: decoder)) {
            if let first = phrase.first { wrappedValue[first, default: []].append(Array(phrase.dropFirst())) }
        }
    }
}

extension CodingUserInfoKey {
    /// The shared lists of the file that is read: `[String: Set<String>]`.
    package static let sharedWords = CodingUserInfoKey(rawValue: "sharedWords")
}

extension Decoder {
    fileprivate func sharedWords(_ name: String) throws -> Set<String> {
        let lists = CodingUserInfoKey.sharedWords.flatMap { userInfo[$0] } as? [String: Set<String>]
        guard let words = lists?[name] else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "There is no list @\(name)."))
        }
        return words
    }
}
