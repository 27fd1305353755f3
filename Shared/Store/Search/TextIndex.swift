import Foundation
import GRDB

/// A full-text index in memory, for one search.
final class TextIndex {
    private let database: DatabaseQueue

    struct Found {
        let number: Int64
        let pieces: [String]
    }

    /// Encloses each match in an excerpt. It is removed from texts that contain it.
    private static let mark = "\u{1}"
    /// How many words an excerpt has at most; about two lines in a terminal.
    private static let excerptLength = 24

    init() throws {
        database = try DatabaseQueue()
        try database.inDatabase { db in
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE entry USING fts5(
                        cleaned, raw, partial, tokenize = "\(TextTokenizer.name)")
                    """)
        }
    }

    // MARK: - The query

    /// - Returns: the query in FTS5's language (nil if it has no word), and the signature of the words that each match
    ///   must have.
    func understand(_ words: String) throws -> (expression: String?, signature: TextSignature) {
        // FTS5 reads up to the first zero.
        let words = words.replacing("\0", with: " ")
        return try database.inDatabase { db in
            let tokenizer = try TextTokenizer(db)
            do {
                _ = try Self.search(words, upTo: .max, limit: 1, db)
                return (words, try Self.signature(ofQuery: words, tokenizer))
            } catch is DatabaseError {
                // Not FTS5's language, so it is plain words.
                let quoted = Self.quoted(words)
                return (quoted.isEmpty ? nil : quoted, try Self.signature(ofWords: words, tokenizer))
            }
        }
    }

    /// Each word as FTS5's string, in which nothing has a meaning; an asterisk at its end stays one.
    static func quoted(_ words: String) -> String {
        words.split(whereSeparator: \.isWhitespace).map { word in
            let quoted = "\"\(word.replacing("\"", with: "\"\""))\""
            return word.count > 1 && word.hasSuffix("*") ? quoted + "*" : quoted
        }.joined(separator: " ")
    }

    /// The signature of a query in FTS5's language: empty if not all of its words are required, or that is
    /// not known.
    private static func signature(
        ofQuery query: String, _ tokenizer: TextTokenizer
    ) throws -> TextSignature {
        // Brackets, columns, the first place, strings one after the other: too much to follow here.
        if query.contains(where: { "(){}:^+-,".contains($0) }) { return TextSignature() }
        let words = query.replacing("\"", with: " ").split(whereSeparator: \.isWhitespace)
        if words.contains(where: { ["OR", "NOT", "NEAR"].contains($0) }) { return TextSignature() }
        // In a phrase it would be a word; then less is asked for than could be.
        let asked = words.filter { $0 != "AND" }.joined(separator: " ")
        // “wor *” and “"wor" *” are prefixes as well, and the next word begins after “wor*”.
        return try signature(
            ofWords: asked.replacing(/\s+\*/, with: "*").replacing("*", with: "* "), tokenizer)
    }

    /// The signature of words that are all required.
    private static func signature(
        ofWords words: String, _ tokenizer: TextTokenizer
    ) throws -> TextSignature {
        var signature = TextSignature()
        for word in words.split(whereSeparator: \.isWhitespace) {
            let tokens = try tokenizer.words(of: String(word))
            let isBeginning = word.hasSuffix("*")
            for token in isBeginning ? tokens.dropLast() : tokens[...] { signature.insert(word: token) }
            if isBeginning, let last = tokens.last { signature.insert(prefixOf: last) }
        }
        return signature
    }

    // MARK: - Looking

    /// Takes up more dictations, and searches these.
    ///
    /// - Parameter dictations: older than all that were given before.
    /// - Returns: the newest first.
    func search(_ expression: String, in dictations: [DictationState], limit: Int) throws -> [Found] {
        guard let newest = dictations.map(\.spoken).max() else { return [] }
        return try database.inDatabase { db in
            try db.inTransaction {
                for state in dictations {
                    var statement = try DirectStatement(
                        "INSERT INTO entry (rowid, cleaned, raw, partial) VALUES (?, ?, ?, ?)", db)
                    try statement.bind(state.spoken)
                    for text in [state.cleanedText, state.rawText, state.partialText] {
                        try statement.bind(text.replacing(Self.mark, with: " "))
                    }
                    try statement.run()
                }
                return .commit
            }
            return try Self.search(expression, upTo: newest, limit: limit, db)
        }
    }

    private static func search(
        _ query: String, upTo newest: Int64, limit: Int, _ db: Database
    ) throws -> [Found] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT rowid, snippet(entry, -1, ?, ?, '…', ?) FROM entry WHERE entry MATCH ? AND rowid <= ?
                ORDER BY rowid DESC LIMIT ?
                """,
            arguments: [mark, mark, excerptLength, query, newest, limit])
        return rows.map { row in
            Found(number: row[0], pieces: (row[1] as String).components(separatedBy: mark))
        }
    }
}
