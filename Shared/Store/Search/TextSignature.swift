import Foundation
import GRDB

/// Which words a text may have: a Bloom filter (Bloom 1970), so that a search need not read the texts that cannot match.
///
/// Each word, and the first letters of each word, set three of 512 bits. A text whose signature lacks one of
/// a word's bits does not have the word; one that has them all usually has it, and is read to be sure. No
/// word can be read in it. It is deleted with its dictation, as a row of a table, whereas a full-text index
/// would keep its words.
///
/// Texts of fifty words set about a third of the bits: one of a thousand other texts is read unnecessarily
/// for a word, one of thirty for the beginning of a word. In a very long text all bits are set, so it is
/// always read.
struct TextSignature: Equatable {
    /// Columns of 64 bits.
    static let wordCount = 8
    private static let bitCount = UInt64(wordCount * 64)
    /// Bits that each feature sets.
    private static let bitsPerFeature = 3
    /// The letters of a word's beginning that can be looked for.
    static let prefixLength = 3

    private(set) var bits = [UInt64](repeating: 0, count: Self.wordCount)

    init() {}

    mutating func insert(word: String) {
        insert(feature: word)
        insert(prefixOf: word)
    }

    /// The beginning of a word. Too short a one says nothing.
    mutating func insert(prefixOf word: String) {
        let letters = word.unicodeScalars.prefix(Self.prefixLength)
        guard letters.count == Self.prefixLength else { return }
        // No token begins with a zero: so a prefix differs from a word.
        insert(feature: "\0" + String(String.UnicodeScalarView(letters)))
    }

    private mutating func insert(feature: String) {
        // FNV-1a, 64 bits (RFC 9923): the same in every version, as signatures are stored.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in feature.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // Its lowest bits alone are poorly mixed.
        hash ^= hash >> 29
        for _ in 0..<Self.bitsPerFeature {
            let bit = hash % Self.bitCount
            bits[Int(bit / 64)] |= 1 << (bit % 64)
            hash /= Self.bitCount
        }
    }
}

/// Splits a text as FTS5 does, so that a search and a signature use the same words.
struct TextTokenizer {
    private let tokenizer: any FTS5Tokenizer

    /// FTS5's own name for it, for `CREATE VIRTUAL TABLE`.
    static let name = "unicode61 remove_diacritics 2"

    init(_ db: Database) throws { tokenizer = try db.makeTokenizer(.unicode61(diacritics: .remove)) }

    /// - Parameter db: the connection that it was made for; in use, so that no other thread uses it.
    func words(of text: String) throws -> [String] { try tokenizer.tokenize(document: text).map(\.token) }
}
