import Foundation
import GRDB

/// How a dictation lies in its table. Columns are read by position, which is several times faster than by name.
enum DictationRow {
    static let columns = """
        id, revision, timestamp, status, delivery, delivery_detail, partial_text, raw_text, cleaned_text, \
        inserted_count, target_id, target_class, target_title, target_pid, error_code, error_message, error_kept, \
        engine, locale, recording_ms, recognition_ms, cleaning_ms, typing_ms
        """

    static func decode(_ row: Row) throws -> DictationState {
        let error = (row[14] as String?).map {
            DictationFailure(code: $0, message: row[15] as String? ?? "", kept: row[16])
        }
        let phase = try phase(status: row[3], delivery: row[4], detail: row[5], error: error)
        var state = DictationState(
            id: DictationID(trusted: row[0]), revision: row[1], timestamp: date(row[2]), phase: phase,
            target: (row[10] as Int64?).map {
                TargetWindow(
                    id: UInt64(bitPattern: $0), windowClass: row[11] as String? ?? "",
                    title: row[12] as String? ?? "", pid: row[13])
            },
            engine: row[17], locale: row[18])
        state.partialText = row[6]
        state.rawText = row[7]
        state.cleanedText = row[8]
        state.insertedCount = row[9]
        if case .ready = phase { state.notice = error }
        state.timings = Timings(recording: row[19], recognition: row[20], cleaning: row[21], typing: row[22])
        return state
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

    static func insert(_ state: DictationState, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO dictation (id, revision, timestamp, status, engine, locale, target_id, target_class,
                    target_title, target_pid) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            state.id.description, state.revision, milliseconds(state.timestamp), state.status.rawValue,
            state.engine,
            state.locale, state.target.map { Int64(bitPattern: $0.id) }, state.target?.windowClass,
            state.target?.title, state.target?.pid,
        ])
    }

    /// - Parameter readyAt: kept as it was if nil.
    static func update(_ state: DictationState, readyAt: Date?, _ db: Database) throws {
        let detail: String? =
            switch state.delivery {
            case .claimed(let claimant): claimant.description
            case .held(let reason): reason.rawValue
            case .pending, .inserted, .discarded, nil: nil
            }
        let statement = try db.cachedStatement(
            sql: """
                UPDATE dictation SET revision = ?, status = ?, delivery = ?, delivery_detail = ?, partial_text = ?,
                    raw_text = ?, cleaned_text = ?, inserted_count = ?, error_code = ?, error_message = ?,
                    error_kept = ?, recording_ms = ?, recognition_ms = ?, cleaning_ms = ?, typing_ms = ?,
                    ready_at = ifnull(?, ready_at)
                WHERE id = ?
                """)
        try statement.execute(arguments: [
            state.revision, state.status.rawValue, state.delivery?.name, detail, state.partialText,
            state.rawText,
            state.cleanedText, state.insertedCount, state.error?.code, state.error?.message,
            state.error?.kept,
            state.timings.recording, state.timings.recognition, state.timings.cleaning, state.timings.typing,
            readyAt.map(milliseconds), state.id.description,
        ])
    }

    /// Milliseconds since 1970, as the store has all times.
    static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1000).rounded()) }

    static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
