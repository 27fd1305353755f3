import Foundation
import GRDB

public struct HistoryQuery: Equatable, Sendable {
    /// The typed search: words that must all be there, `wor*` for their beginnings, `"in this order"` for
    /// phrases; AND, OR, NOT and brackets as in FTS5. Case and accents do not matter. Anything that is
    /// not a valid query is searched for as words. Nil finds everything.
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

public struct HistoryMatch: Equatable, Sendable {
    public let dictation: DictationState
    /// The place in its text that was found; nil if nothing was looked for.
    public let excerpt: Excerpt?

    /// A part of a text, cut into pieces. Every second one was found; the first, third … were not.
    public struct Excerpt: Equatable, Sendable {
        public let pieces: [String]
    }
}

extension StateStore {
    /// The dictations that a query finds, newest first.
    ///
    /// Signatures say which texts may match (``TextSignature``). These go into an index in memory, the newest
    /// first, until enough are found. So the words of a deleted dictation were nowhere but in the dictation
    /// itself.
    public func history(_ query: HistoryQuery) throws -> [HistoryMatch] {
        guard let words = query.words else {
            return try dictations(in: query).map { HistoryMatch(dictation: $0, excerpt: nil) }
        }
        let index = try TextIndex()
        let (expression, signature) = try index.understand(words)
        guard let expression else { return [] }
        var matches: [HistoryMatch] = []
        var last = Int64.max
        // Most searches are for recent dictations.
        var batch = Self.firstBatch
        while matches.count < query.limit {
            let numbers = try read {
                try Self.candidates(for: signature, before: last, limit: batch, $0)
            }
            guard let oldest = numbers.last else { break }
            last = oldest
            let dictations = try dictations(numbered: numbers, in: query)
            batch = min(batch * 4, Self.largestBatch)
            let found = try index.search(expression, in: dictations, limit: query.limit - matches.count)
            let bySpoken = Dictionary(dictations.map { ($0.spoken, $0) }) { first, _ in first }
            matches += found.compactMap { found in
                bySpoken[found.number].map {
                    HistoryMatch(dictation: $0, excerpt: .init(pieces: found.pieces))
                }
            }
        }
        return matches
    }

    /// The number of texts that are read together.
    private static let firstBatch = 64
    /// They are in memory together.
    private static let largestBatch = 4_096

    private func dictations(in query: HistoryQuery) throws -> [DictationState] {
        try read { db in
            var rows = try DirectStatement(DictationRow.between, db)
            try rows.bind(query.since.map(DictationRow.milliseconds) ?? .min)
            try rows.bind(query.before.map(DictationRow.milliseconds) ?? .max)
            try rows.bind(query.limit)
            return try DictationRow.decodeAll(rows)
        }
    }

    private func dictations(
        numbered numbers: [Int64], in query: HistoryQuery
    ) throws -> [DictationState] {
        try read { db in
            try numbers.compactMap { number in
                var row = try DirectStatement(DictationRow.byNumber, db)
                try row.bind(number)
                // One that was removed in the meantime is not found.
                guard try row.step() else { return nil }
                let state = try DictationRow.decode(row)
                let isInTime =
                    query.since.map { state.timestamp >= $0 } ?? true
                    && query.before.map { state.timestamp < $0 } ?? true
                return isInTime ? state : nil
            }
        }
    }
}
