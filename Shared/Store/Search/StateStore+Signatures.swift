import GRDB

extension StateStore {
    /// Makes the signatures of finished texts that have none yet, for searches. Call it when no user waits.
    ///
    /// - Parameter count: the most signatures to make; that many are written under the lock.
    /// - Returns: how many were made; 0 when none is missing.
    @discardableResult
    package func makeSignatures(upTo count: Int = 64) throws -> Int {
        let due = try read { db in
            let tokenizer = try TextTokenizer(db)
            var rows = try DirectStatement(
                """
                SELECT s.spoken, d.revision, d.cleaned_text, d.raw_text FROM signature s
                    LEFT JOIN dictation d ON d.spoken = s.spoken WHERE NOT s.made ORDER BY s.spoken DESC LIMIT ?
                """, db)
            try rows.bind(count)
            var due: [(spoken: Int64, revision: Revision?, signature: TextSignature)] = []
            while try rows.step() {
                var signature = TextSignature()
                for column: CInt in [2, 3] {
                    for word in try tokenizer.words(of: rows.text(column)) { signature.insert(word: word) }
                }
                due.append((rows.integer(0), rows.integerIfAny(1), signature))
            }
            return due
        }
        guard !due.isEmpty else { return 0 }
        // No reader needs to know: no bell is rung.
        try write(for: .tidying) { transaction in
            for (spoken, revision, signature) in due {
                // Its text may have changed in the meantime.
                var statement = try DirectStatement(Self.setSignature, transaction.db)
                for word in signature.bits { try statement.bind(Int64(bitPattern: word)) }
                try statement.bind(spoken)
                try statement.bind(revision)
                try statement.run()
            }
        }
        return due.count
    }

    private static let setSignature = """
        UPDATE signature SET made = 1, \((0..<TextSignature.wordCount).map { "bits\($0) = ?" }.joined(separator: ", "))
            WHERE spoken = ?\(TextSignature.wordCount + 1) AND NOT made
                AND (SELECT revision FROM dictation WHERE spoken = ?\(TextSignature.wordCount + 1))
                    IS ?\(TextSignature.wordCount + 2)
        """

    /// The dictations that may have all bits of a signature, the newest first: finished ones by theirs, and all that are
    /// unfinished.
    ///
    /// - Parameters:
    ///   - number: only those that were spoken before the one of that number.
    ///   - limit: how many at most.
    static func candidates(
        for signature: TextSignature, before number: Int64, limit: Int, _ db: Database
    ) throws -> [Int64] {
        let wanted = signature.bits.enumerated().filter { $0.element != 0 }
        let conditions = wanted.enumerated().map { index, word in
            " AND bits\(word.offset) & ?\(index + 3) = ?\(index + 3)"
        }
        var rows = try DirectStatement(
            """
            SELECT spoken FROM signature WHERE spoken < ?1\(conditions.joined())
                UNION SELECT spoken FROM unfinished_dictation WHERE spoken < ?1 ORDER BY spoken DESC LIMIT ?2
            """, db)
        try rows.bind(number)
        try rows.bind(limit)
        for (_, word) in wanted { try rows.bind(Int64(bitPattern: word)) }
        var numbers: [Int64] = []
        while try rows.step() { numbers.append(rows.integer(0)) }
        return numbers
    }
}
