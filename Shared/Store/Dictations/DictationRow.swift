import Desktop
import DictationSystem
import Foundation
import GRDB

/// A dictation's rows. `dictation` has one for each dictation; while it is unfinished, `unfinished_dictation` has another
/// one with the values that change often. Columns are read by position, which is several times faster than by name.
enum DictationRow {
    private static let columns = """
        d.id, ifnull(l.revision, d.revision), d.timestamp, d.status, d.delivery, d.delivery_detail, \
        l.partial_text, d.raw_text, d.cleaned_text, ifnull(l.inserted_count, d.inserted_count), d.target_id, \
        d.target_class, d.target_title, d.target_pid, d.error_code, d.error_message, d.error_kept, d.engine, \
        d.locale, d.recording_ms, d.recognition_ms, d.cleaning_ms, d.typing_ms, \
        ifnull(d.ready_at, d.timestamp), ifnull(l.spoken, d.spoken), d.private, \
        iif(ifnull(l.inserted_count, d.inserted_count) = d.inserted_count, d.torn_scalars, 0), d.exact, d.way, d.confirmed, \
        d.growing, d.wrong_commits, d.options, l.loading, d.revised_text
        """

    private static let selectAny =
        "SELECT \(columns) FROM dictation d LEFT JOIN unfinished_dictation l ON l.spoken = d.spoken"
    private static let selectUnfinished =
        "SELECT \(columns) FROM unfinished_dictation l CROSS JOIN dictation d ON d.spoken = l.spoken"

    /// The queries, put together once: by `id`; the newest `n`; all that need an agent, in the order in which
    /// they were spoken; the first of these; what changed after a revision and needs an agent (followed by
    /// ``Newest``, at least one row), or needs none.
    static let byID = selectAny + " WHERE d.id = ?"
    static let byNumber = selectAny + " WHERE d.spoken = ?"
    static let newest = selectAny + " ORDER BY d.spoken DESC LIMIT ?"
    /// Those that began in a span of time, the newest `n` of them.
    static let between =
        selectAny + " WHERE d.timestamp >= ? AND d.timestamp < ? ORDER BY d.spoken DESC LIMIT ?"
    static let unfinished = selectUnfinished + " ORDER BY l.spoken"
    static let oldestUnfinished = unfinished + " LIMIT 1"
    static let unfinishedSince =
        "SELECT \(columns), \(Newest.columns) FROM store_revision r"
        + " LEFT JOIN unfinished_dictation l ON l.revision > ? LEFT JOIN dictation d ON d.spoken = l.spoken"
    static let finishedSince = selectAny + " WHERE d.revision > ? AND l.spoken IS NULL ORDER BY d.revision"

    static func decode(_ row: borrowing DirectStatement) throws -> DictationState {
        let error = row.textIfAny(14).map {
            DictationFailure(stored: $0, message: row.text(15), kept: row.textIfAny(16))
        }
        let phase = try phase(
            status: row.text(3), delivery: row.textIfAny(4), detail: row.textIfAny(5), error: error)
        var state = DictationState(
            id: DictationID(trusted: row.text(0)), spoken: row.integer(24), revision: row.integer(1),
            timestamp: date(row.integer(2)),
            phase: phase,
            target: row.integerIfAny(10).map {
                WindowInfo(
                    id: UInt64(bitPattern: $0), windowClass: row.text(11), title: row.text(12),
                    pid: row.integerIfAny(13).flatMap(Int32.init(exactly:)))
            },
            engine: row.text(17), locale: row.text(18), isPrivate: row.integer(25) != 0)
        state.partialText = row.text(6)
        state.rawText = row.text(7)
        state.cleanedText = row.text(8)
        state.insertedCount = Int(row.integer(9))
        state.tornScalars = Int(row.integer(26))
        state.isExact = row.integer(27) != 0
        state.route = row.textIfAny(28).flatMap(InsertionWay.init).map {
            InsertionRoute($0, isConfirmed: row.integer(29) != 0)
        }
        state.growth = row.textIfAny(30).map(Growth.init(stored:))
        state.wrongCommits = Int(row.integer(31))
        state.options = row.textIfAny(32).flatMap(options) ?? StartOptions()
        state.loadingModel = row.textIfAny(33)
        state.revisedText = row.textIfAny(34)
        if case .ready = phase { state.notice = error }
        state.timings = Timings(
            recording: row.integerIfAny(19).map(Int.init), recognition: row.integerIfAny(20).map(Int.init),
            cleaning: row.integerIfAny(21).map(Int.init), typing: row.integerIfAny(22).map(Int.init))
        return state
    }

    /// The store's revisions in a row of ``unfinishedSince``.
    static func newest(_ row: borrowing DirectStatement) -> Newest { Newest(row, from: 35) }

    /// Whether a row of ``unfinishedSince`` has a dictation.
    static func hasDictation(_ row: borrowing DirectStatement) -> Bool { !row.isNull(0) }

    /// When the text was there, or asked for again; the dictation's beginning until then.
    static func readyAt(_ row: borrowing DirectStatement) -> Date { date(row.integer(23)) }

    static func decodeAll(_ rows: consuming DirectStatement) throws -> [DictationState] {
        var states: [DictationState] = []
        while try rows.step() { states.append(try decode(rows)) }
        return states
    }

    private static func options(_ json: String) -> StartOptions? {
        try? JSONDecoder().decode(StartOptions.self, from: Data(json.utf8))
    }

    private static func phase(
        status: String, delivery: String?, detail: String?, error: DictationFailure?
    ) throws -> DictationState.Phase {
        switch (DictationStatus(rawValue: status), delivery, error) {
        case (.starting, nil, _): return .starting
        case (.recording, nil, _): return .recording
        case (.processing, nil, _): return .processing
        case (.cancelled, nil, _): return .cancelled
        case (.error, nil, let error?): return .failed(error)
        case (.ready, "pending", _): return .ready(.pending)
        case (.ready, "claimed", _): return .ready(.claimed(by: Claimant(detail ?? "")))
        case (.ready, "inserted", _): return .ready(.inserted)
        case (.ready, "discarded", _): return .ready(.discarded)
        case (.ready, "held", _):
            return .ready(.held(HoldReason(rawValue: detail ?? "") ?? .typingFailed))
        default:
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "a dictation is \(status) and \(delivery ?? "undelivered")")
        }
    }

    /// - Parameter state: without its `spoken`.
    /// - Returns: the same with it.
    static func insert(_ state: DictationState, _ db: Database) throws -> DictationState {
        var statement = try DirectStatement(
            """
            INSERT INTO dictation (id, revision, timestamp, status, engine, locale, target_id, target_class,
                target_title, target_pid, private, exact, options)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, db)
        try statement.bind(state.id.description)
        try statement.bind(state.revision)
        try statement.bind(milliseconds(state.timestamp))
        try statement.bind(state.status.rawValue)
        try statement.bind(state.engine)
        try statement.bind(state.locale)
        try statement.bind(state.target.map { Int64(bitPattern: $0.id) })
        try statement.bind(state.target?.windowClass)
        try statement.bind(state.target?.title)
        try statement.bind(state.target?.pid)
        try statement.bind(state.isPrivate ? 1 : 0)
        try statement.bind(state.isExact ? 1 : 0)
        try statement.bind(
            state.options == StartOptions()
                ? nil : String(decoding: JSONEncoder().encode(state.options), as: UTF8.self))
        try statement.run()
        var inserted = state
        inserted.spoken = db.lastInsertedRowID
        try setUnfinished(inserted, db)
        return inserted
    }

    /// Writes what a transition has changed.
    ///
    /// - Parameter readyAt: unchanged if nil.
    static func update(_ state: DictationState, readyAt: Date?, _ db: Database) throws {
        try updateDictation(state, readyAt: readyAt, db)
        if state.isUnfinished {
            try setUnfinished(state, db)
        } else {
            // Its words may be others now: until the signature is made, a search reads them.
            for sql in [
                "DELETE FROM unfinished_dictation WHERE spoken = ?",
                "REPLACE INTO signature (spoken) VALUES (?)",
            ] {
                var statement = try DirectStatement(sql, db)
                try statement.bind(state.spoken)
                try statement.run()
            }
        }
    }

    private static func deliveryDetail(_ state: DictationState) -> String? {
        switch state.delivery {
        case .claimed(let claimant): claimant.description
        case .held(let reason): reason.rawValue
        case .pending, .inserted, .discarded, nil: nil
        }
    }

    /// Writes a partial result and the progress of typing, on one page.
    ///
    /// - Parameter state: with its `spoken`.
    static func setUnfinished(_ state: DictationState, _ db: Database) throws {
        var statement = try DirectStatement(
            """
            REPLACE INTO unfinished_dictation (spoken, revision, inserted_count, partial_text, loading)
                VALUES (?, ?, ?, ?, ?)
            """, db)
        try statement.bind(state.spoken)
        try statement.bind(state.revision)
        try statement.bind(state.insertedCount)
        try statement.bind(state.partialText)
        try statement.bind(state.loadingModel)
        try statement.run()
    }

    private static func updateDictation(_ state: DictationState, readyAt: Date?, _ db: Database) throws {
        var statement = try DirectStatement(
            """
            UPDATE dictation SET revision = ?, status = ?, delivery = ?, delivery_detail = ?, raw_text = ?,
                cleaned_text = ?, inserted_count = ?, torn_scalars = ?, error_code = ?, error_message = ?,
                error_kept = ?, recording_ms = ?, recognition_ms = ?, cleaning_ms = ?, typing_ms = ?,
                engine = ?, ready_at = ifnull(?, ready_at), words = ?, way = ?, confirmed = ?,
                growing = ?, wrong_commits = ?, locale = ?, revised_text = ?
            WHERE spoken = ?
            """, db)
        try statement.bind(state.revision)
        try statement.bind(state.status.rawValue)
        try statement.bind(state.delivery?.name)
        try statement.bind(deliveryDetail(state))
        try statement.bind(state.rawText)
        try statement.bind(state.cleanedText)
        try statement.bind(state.insertedCount)
        try statement.bind(state.tornScalars)
        try statement.bind(state.error?.code)
        try statement.bind(state.error?.message)
        try statement.bind(state.error?.kept)
        try statement.bind(state.timings.recording)
        try statement.bind(state.timings.recognition)
        try statement.bind(state.timings.cleaning)
        try statement.bind(state.timings.typing)
        try statement.bind(state.engine)
        try statement.bind(readyAt.map(milliseconds))
        try statement.bind(state.isUnfinished ? 0 : wordCount(state.cleanedText))
        try statement.bind(state.route?.way.rawValue)
        try statement.bind(state.route?.isConfirmed == true ? 1 : 0)
        try statement.bind(state.growth?.stored)
        try statement.bind(state.wrongCommits)
        try statement.bind(state.locale)
        try statement.bind(state.revisedText)
        try statement.bind(state.spoken)
        try statement.run()
    }

    /// ``DictationState/isDone``, of a row.
    static let isDone = """
        (delivery IN ('inserted', 'discarded') OR status = 'cancelled'
            OR (status = 'error' AND error_kept IS NULL))
        """

    /// ``DictationState/isDone``, of a row. ``isDone`` is the one of an index.
    static let isDoneAndLetGo = "\(isDone) AND NOT \(isGrowthClaimed)"
    /// ``DictationState/isGrowthClaimed``, of a row.
    static let isGrowthClaimed = "ifnull(growing, '') LIKE 'claimed%'"

    /// The end of an identifier that an index finds; the beginnings are times, and alike.
    static let endOfID = "substr(id, -4)"
    static let endOfIDLength = 4

    /// How many words a text has, separated by white space.
    static func wordCount(_ text: String) -> Int {
        var count = 0
        var isInWord = false
        for scalar in text.unicodeScalars {
            // The table of properties is slow, and nearly all text is ASCII.
            let isSpace =
                scalar.value < 128
                ? scalar.value == 32 || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
            if !isSpace, !isInWord { count += 1 }
            isInWord = !isSpace
        }
        return count
    }

    /// Milliseconds since 1970, as the store has all times.
    static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1000).rounded()) }

    static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
