import Foundation
import GRDB

/// What to look for in the history.
public struct HistoryQuery: Equatable, Sendable {
    /// What a person typed: words that must all be there, `wor*` for their beginnings, `"in this order"` for phrases;
    /// AND, OR, NOT and brackets as FTS5 has them. Case and accents do not matter. Whatever is no such query is taken
    /// as words. Nil finds everything.
    public var words: String?
    public var since: Date?
    public var before: Date?
    public var limit: Int

    public init(words: String? = nil, since: Date? = nil, before: Date? = nil, limit: Int) {
        self.words = words
        self.since = since
        self.before = before
        self.limit = limit
    }
}

/// A dictation that was found.
public struct HistoryMatch: Equatable, Sendable {
    public let dictation: DictationState
    /// The place in its text that was found; nil when nothing was looked for.
    public let excerpt: Excerpt?

    /// A part of a text, cut into pieces of which every second one was found: the first, third … were not.
    public struct Excerpt: Equatable, Sendable {
        public let pieces: [String]
    }
}

extension StateStore {
    /// The dictations that a query finds, newest first.
    ///
    /// The index is made in memory, for this one search, so that the words of what is forgotten stand nowhere else than
    /// in the dictation itself, and no commit pays for a search that may never come.
    public func history(_ query: HistoryQuery) throws -> [HistoryMatch] {
        guard let words = query.words else {
            return try dictations(in: query, limit: query.limit).map {
                HistoryMatch(dictation: $0, excerpt: nil)
            }
        }
        let index = try TextIndex()
        let candidates = try dictations(in: query, limit: .max)
        try index.add(candidates.map { ($0.spoken, [$0.cleanedText, $0.rawText, $0.partialText]) })
        let bySpoken = Dictionary(candidates.map { ($0.spoken, $0) }) { first, _ in first }
        return try index.search(words, limit: query.limit).compactMap { found in
            bySpoken[found.number].map {
                HistoryMatch(dictation: $0, excerpt: .init(pieces: found.pieces))
            }
        }
    }

    private func dictations(in query: HistoryQuery, limit: Int) throws -> [DictationState] {
        try read { db in
            var rows = try DirectStatement(DictationRow.between, db)
            try rows.bind(query.since.map(DictationRow.milliseconds) ?? .min)
            try rows.bind(query.before.map(DictationRow.milliseconds) ?? .max)
            try rows.bind(limit)
            return try DictationRow.decodeAll(rows)
        }
    }
}

/// A full-text index in memory.
private final class TextIndex {
    private let database: DatabaseQueue

    struct Found {
        let number: Int64
        let pieces: [String]
    }

    /// Stands around what was found; cannot be in a text, from which control characters are dropped.
    private static let mark = "\u{1}"
    /// How many words an excerpt has at most; about two lines in a terminal.
    private static let excerptLength = 24

    init() throws {
        database = try DatabaseQueue()
        try database.inDatabase { db in
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE entry USING fts5(
                        cleaned, raw, partial, tokenize = "unicode61 remove_diacritics 2")
                    """)
        }
    }

    func add(_ entries: [(number: Int64, texts: [String])]) throws {
        try database.inTransaction { db in
            for entry in entries {
                var statement = try DirectStatement(
                    "INSERT INTO entry (rowid, cleaned, raw, partial) VALUES (?, ?, ?, ?)", db)
                try statement.bind(entry.number)
                for text in entry.texts { try statement.bind(text) }
                try statement.run()
            }
            return .commit
        }
    }

    /// - Returns: the highest numbers first.
    func search(_ words: String, limit: Int) throws -> [Found] {
        // FTS5 reads up to the first zero.
        let words = words.replacing("\0", with: " ")
        return try database.inDatabase { db in
            do {
                return try Self.search(words, limit: limit, db)
            } catch is DatabaseError {
                // Not FTS5's language, so it is a person's.
                let quoted = Self.quoted(words)
                return quoted.isEmpty ? [] : try Self.search(quoted, limit: limit, db)
            }
        }
    }

    private static func search(_ query: String, limit: Int, _ db: Database) throws -> [Found] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT rowid, snippet(entry, -1, ?, ?, '…', ?) FROM entry WHERE entry MATCH ?
                ORDER BY rowid DESC LIMIT ?
                """,
            arguments: [mark, mark, excerptLength, query, limit])
        return rows.map { row in
            Found(number: row[0], pieces: (row[1] as String).components(separatedBy: mark))
        }
    }

    /// Each word as FTS5's string, in which nothing has a meaning; an asterisk at its end stays one.
    static func quoted(_ words: String) -> String {
        words.split(whereSeparator: \.isWhitespace).map { word in
            let quoted = "\"\(word.replacing("\"", with: "\"\""))\""
            return word.count > 1 && word.hasSuffix("*") ? quoted + "*" : quoted
        }.joined(separator: " ")
    }
}
