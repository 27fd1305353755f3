import GRDB
import GRDBSQLite

/// A statement, bound and stepped through SQLite's own interface.
///
/// GRDB's arguments, rows and conversions cost several times what SQLite itself does; between two processes that
/// wait for each other, this is most of the time. GRDB still owns the connection and the statement.
///
/// ```swift
/// var statement = try DirectStatement("SELECT status FROM dictation WHERE id = ?", db)
/// try statement.bind(id.description)
/// while try statement.step() { print(statement.text(0)) }
/// ```
struct DirectStatement: ~Copyable {
    /// Owns `raw`, for as long as the connection lives.
    private let owner: Statement
    private let raw: SQLiteStatement
    private var bound: CInt = 0

    /// One of GRDB's cached statements.
    init(_ sql: String, _ db: Database) throws {
        let cached = try db.cachedStatement(sql: sql)
        owner = cached
        raw = cached.sqliteStatement
    }

    deinit {
        // Both report what `step` has reported already.
        sqlite3_reset(raw)
        sqlite3_clear_bindings(raw)
    }

    // MARK: - Arguments, in order

    mutating func bind(_ value: Int64?) throws {
        bound += 1
        try check(value.map { sqlite3_bind_int64(raw, bound, $0) } ?? sqlite3_bind_null(raw, bound))
    }

    mutating func bind(_ value: Int?) throws { try bind(value.map(Int64.init)) }

    mutating func bind(_ value: Int32?) throws { try bind(value.map(Int64.init)) }

    mutating func bind(_ value: String?) throws {
        bound += 1
        guard var value else { return try check(sqlite3_bind_null(raw, bound)) }
        let index = bound
        let code = value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // A null pointer would bind NULL rather than the empty text.
                guard let start = characters.baseAddress else {
                    return sqlite3_bind_text(raw, index, "", 0, Self.copied)
                }
                return sqlite3_bind_text(raw, index, start, CInt(characters.count), Self.copied)
            }
        }
        try check(code)
    }

    // MARK: - Rows

    /// - Returns: whether there is a row to look at; false at the end.
    /// - Throws: `DatabaseError`.
    borrowing func step() throws -> Bool {
        switch sqlite3_step(raw) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    borrowing func run() throws { while try step() {} }

    borrowing func isNull(_ column: CInt) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

    borrowing func integer(_ column: CInt) -> Int64 { sqlite3_column_int64(raw, column) }

    borrowing func integerIfAny(_ column: CInt) -> Int64? { isNull(column) ? nil : integer(column) }

    /// Empty for NULL.
    borrowing func text(_ column: CInt) -> String { textIfAny(column) ?? "" }

    borrowing func textIfAny(_ column: CInt) -> String? {
        guard let bytes = sqlite3_column_text(raw, column) else { return nil }
        let count = Int(sqlite3_column_bytes(raw, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    // MARK: - Errors

    private borrowing func check(_ code: CInt) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    private borrowing func error(_ code: CInt) -> DatabaseError {
        let connection = sqlite3_db_handle(raw)
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)), sql: String(cString: sqlite3_sql(raw)))
    }

    /// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite makes a copy before the call returns.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
