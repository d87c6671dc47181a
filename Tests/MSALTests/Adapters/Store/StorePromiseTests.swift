import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The promises of docs/security.md about a program that can write the files of any store, but has no key: a reader gets what was
/// saved last, or a report. After the report, it gets nothing older and nothing foreign.
///
/// Knows no table of the store: it lists them, and damages each. The same promises about power failures are
/// `Tests/Torture/PowerCuts`.
@Suite("Promises of any store")
struct StorePromiseTests {
    private let folder: TemporaryFolder
    private let latest: [CredentialRecord]
    private let accounts: [CachedAccount]
    /// The files before the last changes, after them, and after them with the latest ones in the log.
    private let (old, new, logged): ([String: Data], [String: Data], [String: Data])
    private static let (ann, ben) = ("uid.100", "uid.101")
    /// What comes again with the next response, so that its loss needs no report.
    private static let metadata: Set<CredentialKey.Kind> = [.document, .appMetadata]

    init() throws {
        folder = try TemporaryFolder()
        // Enough accounts for everything that a store keeps about them.
        for number in 100..<140 { try SQLiteCredentialStore.of(folder).refresh("uid.\(number)") }
        try SQLiteCredentialStore.of(folder).save(
            .test(.document, "", client: "", target: "https://login.test/keys"), .test(.proofKey, "", client: ""),
            .test(.appMetadata, ""))
        _ = try Self.list(.of(folder))
        old = try folder.files(emptiesLog: true)
        let store = SQLiteCredentialStore.of(folder)
        try store.update(matching: CredentialQuery(homeAccountIDs: [Self.ben])) { $0.map { .delete($0.key) } }
        try store.refresh("uid.200")
        _ = try Self.list(store)
        logged = try folder.files(emptiesLog: false)
        try store.refresh(Self.ann)
        latest = try store.all()
        accounts = try Self.list(store)
        new = try folder.files(emptiesLog: true)
        try folder.place("old.db", try #require(old["cache.db"]))
    }

    private static func list(_ store: SQLiteCredentialStore) throws -> [CachedAccount] {
        try TokenCache(store: store, clientID: "app").listing().accounts.accounts
    }

    // Judging

    /// The ways in which a program looks into a store. Each returns what is wrong with the result.
    private var looks: [(SQLiteCredentialStore) throws -> String?] {
        [
            { wrong(try $0.all(), CredentialQuery()) }, { try wrong(at: Self.ann, $0) },
            { try wrong(at: Self.ben, $0) },
            { try Self.list($0) == accounts ? nil : "another list" },
            { store in
                var text: String?
                try store.update(matching: CredentialQuery(homeAccountIDs: [Self.ann])) { records in
                    text = wrong(records, CredentialQuery(homeAccountIDs: [Self.ann]))
                    return []
                }
                return text
            },
        ]
    }

    private func wrong(at account: String, _ store: SQLiteCredentialStore) throws -> String? {
        let query = CredentialQuery(homeAccountIDs: [account])
        return wrong(try store.records(matching: query), query)
    }

    private func wrong(_ found: [CredentialRecord], _ query: CredentialQuery) -> String? {
        let known = latest.filter { query.matches($0.key) }
        let lost = known.filter { !Self.metadata.contains($0.key.kind) && !found.contains($0) }
        return lost.isEmpty ? unknown(found) : "lost without a report: \(lost.map(\.key))"
    }

    private func unknown(_ found: [CredentialRecord]) -> String? {
        let unknown = found.filter { !latest.contains($0) }
        return unknown.isEmpty ? nil : "not what was saved last: \(unknown.map(\.key))"
    }

    /// Looks into the changed files in each way, then into what is left after a report.
    private func judge(_ change: String, of files: [String: Data]? = nil, _ tamper: () throws -> Void = {}) throws {
        try folder.replace(by: (files ?? new).merging(["old.db": old["cache.db"] ?? Data()]) { known, _ in known })
        try tamper()
        let changed = try folder.files(emptiesLog: false)
        // The first look, and of the others each time another one.
        let other = 1 + change.utf8.reduce(0) { $0 + Int($1) } % (looks.count - 1)
        for number in [0, other] {
            let look = looks[number]
            try folder.replace(by: changed)
            let comment = Comment(rawValue: "\(change), look \(number)")
            do {
                #expect(try look(.of(folder)) == nil, comment)
            } catch let failure as CredentialStoreFailure {
                try judge(failure, comment)
            }
        }
    }

    private func judge(_ failure: CredentialStoreFailure, _ change: Comment) throws {
        switch failure.kind {
        case .damagedRecords, .setAside:
            #expect(unknown(try SQLiteCredentialStore.of(folder).all()) == nil, change)
            let left = Set(try Self.list(.of(folder)).map(\.homeAccountID))
            #expect(left.isSubset(of: accounts.map(\.homeAccountID)), change)
        case .notAsLeft, .keyUnavailable:
            // Rejected each time.
            let again = #expect(throws: CredentialStoreFailure.self, change) {
                try SQLiteCredentialStore.of(folder).all()
            }
            #expect(again?.kind == failure.kind, change)
        default: Issue.record("\(change): \(failure)")
        }
    }

    // Tables

    private func database() throws -> SQLiteConnection {
        try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
    }

    private func sqlite(_ statements: String...) throws {
        let connection = try database()
        for statement in statements { try connection.run(statement) }
    }

    /// The tables of the store, with the number of rows and the columns of each.
    private func tables() throws -> [(name: String, rows: Int64, columns: [String], contents: [String])] {
        try folder.replace(by: new)
        let connection = try database()
        var names: [String] = []
        try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { names.append($0.text(0)) }
        return try names.map { name in
            var columns: [(name: String, type: String)] = []
            try connection.rows("SELECT name, type FROM pragma_table_info('\(name)')") {
                columns.append(($0.text(0), $0.text(1)))
            }
            return (
                name, try connection.number("SELECT count(*) FROM \(name)") ?? 0, columns.map(\.name),
                columns.filter { $0.type == "BLOB" }.map(\.name)
            )
        }
    }

    /// At most 12 rows of a table, evenly.
    private static func some(_ count: Int64) -> StrideTo<Int64> {
        stride(from: 0, to: count, by: Int(max(1, count / 11)))
    }

    private static func row(_ number: Int64, _ table: String, _ columns: [String]) -> String {
        let list = columns.joined(separator: ", ")
        return "(\(list)) = (SELECT \(list) FROM \(table) LIMIT 1 OFFSET \(number))"
    }

    @Test("A deleted or emptied row")
    func deletedRow() async throws {
        // This takes a while, which other tests' tasks must not wait for.
        try await RawClient.off {
            for (table, count, columns, contents) in try tables() {
                for number in Self.some(count) {
                    let row = Self.row(number, table, columns)
                    try judge("\(table) \(number) deleted") { try sqlite("DELETE FROM \(table) WHERE \(row)") }
                    for content in contents {
                        try judge("\(table) \(number) without \(content)") {
                            try sqlite("UPDATE \(table) SET \(content) = zeroblob(length(\(content))) WHERE \(row)")
                        }
                    }
                }
            }
        }
    }

    @Test("Two rows that changed places")
    func swappedRows() async throws {
        try await RawClient.off {
            for (table, count, _, contents) in try tables() where !contents.isEmpty && count > 1 {
                for number in Self.some(count - 1) {
                    try judge("\(table) \(number) and the next") {
                        let connection = try database()
                        let list = contents.joined(separator: ", ")
                        var values: [[SQLiteConnection.Value]] = []
                        try connection.rows("SELECT \(list) FROM \(table) LIMIT 2 OFFSET \(number)") { row in
                            values.append(contents.indices.map { .blob(row.blob(Int32($0))) })
                        }
                        // Content is unique, so that it identifies its row.
                        let isRow = contents.map { "\($0) = ?" }.joined(separator: " AND ")
                        let changes = contents.map { "\($0) = ?" }.joined(separator: ", ")
                        let other = contents.map { "\($0) = zeroblob(1)" }.joined(separator: ", ")
                        let isOther = contents.map { "\($0) = zeroblob(1)" }.joined(separator: " AND ")
                        try connection.run("UPDATE \(table) SET \(other) WHERE \(isRow)", values[0])
                        try connection.run("UPDATE \(table) SET \(changes) WHERE \(isRow)", values[0] + values[1])
                        try connection.run("UPDATE \(table) SET \(changes) WHERE \(isOther)", values[1])
                    }
                }
            }
        }
    }

    @Test("An earlier row, alone and with all of its table")
    func earlierRow() async throws {
        try await RawClient.off {
            let attach = "ATTACH '\(folder.file("old.db").path)' AS old"
            for (table, _, _, _) in try tables() {
                try folder.replace(by: new.merging(["old.db": old["cache.db"] ?? Data()]) { known, _ in known })
                let connection = try database()
                try connection.run(attach)
                let earlier = "SELECT * FROM old.\(table) EXCEPT SELECT * FROM main.\(table)"
                let count = try connection.number("SELECT count(*) FROM (\(earlier))") ?? 0
                for number in Self.some(count) {
                    try judge("\(table) \(number) of before") {
                        try sqlite(attach, "INSERT OR REPLACE INTO main.\(table) \(earlier) LIMIT 1 OFFSET \(number)")
                    }
                }
                try judge("all earlier rows in \(table)") {
                    try sqlite(attach, "INSERT OR REPLACE INTO main.\(table) SELECT * FROM old.\(table)")
                }
            }
        }
    }

    @Test("Any tables emptied or rolled back together")
    func tablesTogether() async throws {
        try await RawClient.off {
            let names = try tables().map(\.name)
            for set in 1..<(1 << names.count) where set.nonzeroBitCount <= 2 || set.nonzeroBitCount >= names.count - 2 {
                let chosen = names.enumerated().filter { set & 1 << $0.offset != 0 }.map(\.element)
                for restores in [true, false] {
                    try judge("\(chosen) \(restores ? "rolled back" : "emptied")") {
                        let connection = try database()
                        try connection.run("ATTACH '\(folder.file("old.db").path)' AS old")
                        try connection.run("BEGIN")
                        for table in chosen {
                            try connection.run("DELETE FROM main.\(table)")
                            if restores { try connection.run("INSERT INTO main.\(table) SELECT * FROM old.\(table)") }
                        }
                        try connection.run("COMMIT")
                    }
                }
            }
            for name in names { try judge("\(name) dropped") { try sqlite("DROP TABLE \(name)") } }
        }
    }

    // Files

    @Test("A file of before, or none")
    func files() async throws {
        try await RawClient.off {
            for name in new.keys.sorted() {
                try judge("\(name) of before", of: new.merging([name: old[name] ?? Data()]) { $1 })
                try judge("without \(name)", of: new.filter { $0.key != name })
            }
            // The log belongs to the database.
            try judge(
                "the database without its log", of: new.merging(["cache.db": logged["cache.db"] ?? Data()]) { $1 })
        }
    }

    @Test("A file that was cut at any place")
    func cutFile() async throws {
        try await RawClient.off {
            for name in new.keys.sorted() {
                let whole = try #require(new[name])
                for length in stride(from: 0, to: whole.count, by: max(1, min(4096, whole.count / 40))) {
                    try judge("\(name) cut to \(length)", of: new.merging([name: whole.prefix(length)]) { $1 })
                }
            }
        }
    }

    @Test("A log that was cut at any place")
    func cutLog() async throws {
        try await RawClient.off {
            // With the latest change in the log.
            try folder.replace(by: logged)
            let store = SQLiteCredentialStore.of(folder)
            let newer = try #require(latest.first { $0.key.homeAccountID == Self.ann && $0.key.kind == .refreshToken })
            try store.update(matching: CredentialQuery(homeAccountIDs: [Self.ann])) { _ in
                latest.filter { $0.key.homeAccountID == Self.ann }.map(CredentialChange.save)
            }
            #expect(try store.all().contains(newer))
            let files = try folder.files(emptiesLog: false)
            let log = try #require(files["cache.db-wal"])
            try #require(log.count > 4096)
            for length in stride(from: 0, to: log.count, by: max(512, log.count / 60)) {
                try judge("log cut to \(length)", of: files.merging(["cache.db-wal": log.prefix(length)]) { $1 })
            }
        }
    }

    @Test("A whole folder of before is not detected, as docs/security.md says")
    func folderOfBefore() throws {
        try folder.replace(by: old)
        let records = try SQLiteCredentialStore.of(folder).all()
        #expect(records.contains { $0.key.homeAccountID == Self.ben })
        #expect(records.allSatisfy { $0.key.homeAccountID != "uid.200" })
    }

    @Test("Files of another store, in any combination")
    func otherStore() async throws {
        try await RawClient.off {
            let theirs = try TemporaryFolder()
            try SQLiteCredentialStore.of(theirs).refresh("uid.mallory")
            let other = try theirs.files(emptiesLog: true)
            let key = try #require(other.first { $0.key.hasSuffix(".key") })
            let withKey = new.merging([key.key: key.value]) { $1 }
            try judge("their key", of: withKey)
            for name in ["cache.db", "cache.db.anchor"] {
                try judge("their \(name)", of: withKey.merging([name: other[name] ?? Data()]) { $1 })
            }
            for (table, _, _, _) in try tables() {
                try judge("their \(table)", of: withKey) {
                    try folder.place("their.db", try #require(other["cache.db"]))
                    try sqlite(
                        "ATTACH '\(folder.file("their.db").path)' AS their",
                        "INSERT OR REPLACE INTO main.\(table) SELECT * FROM their.\(table)")
                }
            }
        }
    }
}

extension SQLiteCredentialStore {
    /// Saves new tokens of an account, as after a refresh.
    fileprivate func refresh(_ account: String) throws {
        let (secret, query) = (UUID().uuidString, CredentialQuery(homeAccountIDs: [account]))
        try update(matching: query) { _ in
            [.refreshToken, .accessToken, .account].map { .save(.test($0, account, secret: secret)) }
        }
    }
}

extension TemporaryFolder {
    /// The files of the store, without what SQLite creates again.
    ///
    /// - Parameter emptiesLog: whether everything is in the database, nothing in the log.
    fileprivate func files(emptiesLog: Bool) throws -> [String: Data] {
        if emptiesLog {
            let connection = try SQLiteConnection(path: file("cache.db").path, busyMilliseconds: 0)
            try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { !$0.hasSuffix("-shm") && !(emptiesLog && $0.hasSuffix("-wal")) }
            .reduce(into: [:]) { $0[$1] = try Data(contentsOf: file($1)) }
    }

    fileprivate func replace(by files: [String: Data]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
            try FileManager.default.removeItem(at: file(name))
        }
        for (name, content) in files { try place(name, content) }
    }
}
