import CKeyturnSQLite
import KeyturnSystem

/// A connection to a database file. Not thread-safe.
final class SQLiteConnection {
    /// An SQLite result code without its extended bits.
    struct Failure: Error, Equatable {
        var code: Int32
        var message: String

        var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code) }
        var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(code) }
    }

    enum Value {
        case text(String)
        case blob([UInt8])
    }

    private let database: OpaquePointer
    private let busyMilliseconds: Int32
    private var waitedMilliseconds: Int32 = 0
    private var statements: [String: OpaquePointer] = [:]

    /// Opens an existing file without reading it.
    convenience init(path: String, busyMilliseconds: Int32) throws(Failure) {
        try self.init(path, SQLITE_OPEN_READWRITE, busyMilliseconds)
    }

    /// Opens a copy of a file in memory, or an empty one for a `nil` path. Only reads the file.
    convenience init(copyOf path: String?, busyMilliseconds: Int32) throws(Failure) {
        try self.init(":memory:", SQLITE_OPEN_READWRITE, busyMilliseconds)
        guard let path else { return }
        let file = try SQLiteConnection(path, SQLITE_OPEN_READONLY, busyMilliseconds)
        guard let backup = sqlite3_backup_init(database, "main", file.database, "main") else {
            throw failure(sqlite3_errcode(database))
        }
        let everyPage: Int32 = -1
        let code = sqlite3_backup_step(backup, everyPage)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            throw Failure(code: code & 0xFF, message: String(cString: sqlite3_errstr(code)))
        }
    }

    private init(_ path: String, _ access: Int32, _ busyMilliseconds: Int32) throws(Failure) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            let message = String(cString: sqlite3_errstr(code))
            sqlite3_close_v2(opened)
            throw Failure(code: code & 0xFF, message: message)
        }
        database = opened
        self.busyMilliseconds = busyMilliseconds
        sqlite3_busy_handler(
            opened,
            { connection, attempts in
                guard let connection else { return 0 }
                let own = Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue()
                return own.waits(isFirst: attempts == 0) ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque())
        _ = keyturn_sqlite_persist_log(opened)
    }

    /// Waits for another connection's lock, but not on a file system without locks, for which SQLite asks, too.
    private func waits(isFirst: Bool) -> Bool {
        if isFirst {
            waitedMilliseconds = 0
            let path = sqlite3_db_filename(database, "main").map { String(cString: $0) } ?? ""
            if !path.isEmpty, FileLocks.absence(at: path) != nil { return false }
        }
        guard waitedMilliseconds < busyMilliseconds else { return false }
        let pause = min(1 + waitedMilliseconds / 4, 50)
        ThreadPool.pause(microseconds: UInt32(pause) * 1000)
        waitedMilliseconds += pause
        return true
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        // Closing the last connection copies the log and waits for the disk: only connections that wrote do that.
        if sqlite3_total_changes(database) == 0 { _ = keyturn_sqlite_skip_checkpoint(database) }
        sqlite3_close_v2(database)
    }

    /// Whether SQLite could open the file only for reading, as on a read-only file system.
    var isReadOnly: Bool { sqlite3_db_readonly(database, "main") == 1 }

    /// A value that changes with every change of the database by any process.
    struct LogState: Equatable {
        let numbers: SIMD3<Int64>

        var frames: Int { Int(UInt32(truncatingIfNeeded: numbers.x)) }
    }

    /// The state of the write-ahead log, or `nil` when there is none or it wasn't read yet.
    var logState: LogState? {
        var state: [Int64] = [0, 0, 0]
        guard keyturn_sqlite_log_state(database, &state) == 1 else { return nil }
        return LogState(numbers: SIMD3(state[0], state[1], state[2]))
    }

    func run(_ sql: String, _ values: [Value] = []) throws(Failure) { try rows(sql, values) { _ in } }

    /// SQLite doesn't wait here when two reading connections want to write, so this retries for the usual time.
    func useWriteAheadLog() throws(Failure) {
        let pause: Int32 = 5
        var left = busyMilliseconds
        while true {
            do throws(Failure) {
                if try text("PRAGMA journal_mode") != "wal" { try run("PRAGMA journal_mode = WAL") }
                return
            } catch {
                guard error.isBusy, left > 0 else { throw error }
                ThreadPool.pause(microseconds: UInt32(pause) * 1000)
                left -= pause
            }
        }
    }

    func number(_ sql: String, _ values: [Value] = []) throws(Failure) -> Int64? {
        var number: Int64?
        try rows(sql, values) { row in number = number ?? row.number(0) }
        return number
    }

    func text(_ sql: String) throws(Failure) -> String? {
        var text: String?
        try rows(sql) { row in text = text ?? row.text(0) }
        return text
    }

    /// Calls `each` for every row. Caches prepared statements.
    func rows(_ sql: String, _ values: [Value] = [], each: (Row) -> Void) throws(Failure) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            switch value {
            case .text(let text):
                try check(keyturn_sqlite_bind_text(statement, Int32(index + 1), text, text.utf8.count))
            case .blob(let bytes): try check(keyturn_sqlite_bind_blob(statement, Int32(index + 1), bytes, bytes.count))
            }
        }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure(code) }
            each(Row(statement: statement))
        }
    }

    struct Row {
        fileprivate let statement: OpaquePointer

        func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

        func text(_ column: Int32) -> String {
            // The order matters: the length is that of the last conversion.
            let text = sqlite3_column_text(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return String(decoding: UnsafeBufferPointer(start: text, count: text == nil ? 0 : count), as: UTF8.self)
        }

        func blob(_ column: Int32) -> [UInt8] {
            let bytes = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return Array(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
        }
    }

    private func prepared(_ sql: String) throws(Failure) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(database, sql, -1, &statement, nil))
        guard let statement else { throw Failure(code: SQLITE_MISUSE, message: "no statement") }
        statements[sql] = statement
        return statement
    }

    private func check(_ code: Int32) throws(Failure) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> Failure {
        Failure(code: code & 0xFF, message: String(cString: sqlite3_errmsg(database)))
    }
}
