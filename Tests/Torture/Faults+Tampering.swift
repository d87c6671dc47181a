import CKeyturnSQLite
import Foundation
import MSAL

/// A program that can write the store's files, but has no key, removes or replaces something. It counts as lost if the
/// next command does not report it.
extension Fault {
    private static let accounts = 6

    /// Rows and seals, some or all, and the whole database.
    static func emptied(_ scale: Scale) throws -> Tally {
        var tally = Tally()
        for round in 0..<scale.tampers {
            let folder = try Scratch()
            let store = try signedIn(folder)
            let account = "person.\(Int.random(in: 0..<accounts))"
            let statements = [
                "DELETE FROM credential", "DELETE FROM credential WHERE home_account_id = '\(account)'",
                "DELETE FROM credential WHERE home_account_id = '\(account)' AND kind = 'RefreshToken'",
                "DELETE FROM credential; DELETE FROM seal",
                "DELETE FROM credential; DELETE FROM seal WHERE part != 'store'",
                "DELETE FROM seal WHERE part != 'store'", "DELETE FROM data_key", "DROP TABLE credential",
                "CREATE TABLE copies AS SELECT * FROM credential",
            ]
            if round % (statements.count + 1) == statements.count {
                try empty(store)
            } else {
                try sqlite(store, statements[round % (statements.count + 1)])
            }
            tally.mustTell(store, account)
        }
        return tally
    }

    /// An earlier database, and earlier rows and seals in the present one.
    static func rolledBack(_ scale: Scale) throws -> Tally {
        var tally = Tally()
        for round in 0..<scale.tampers {
            let folder = try Scratch()
            let store = try signedIn(folder)
            let account = "person.\(Int.random(in: 0..<accounts))"
            let old = folder.url.appending(path: "old.db")
            try sqlite(store, "PRAGMA wal_checkpoint(TRUNCATE)")
            try FileManager.default.copyItem(at: store.file, to: old)
            for _ in 0...Int.random(in: 0..<4) { try refresh(store, account) }
            try sqlite(store, "PRAGMA wal_checkpoint(TRUNCATE)")
            let rows = "ATTACH '\(old.path)' AS old; INSERT OR REPLACE INTO credential SELECT * FROM old.credential"
            switch round % 6 {
            case 0:
                try empty(store)
                try FileManager.default.removeItem(at: store.file)
                try FileManager.default.copyItem(at: old, to: store.file)
            case 1: try sqlite(store, rows)
            case 2: try sqlite(store, "\(rows) WHERE home_account_id = '\(account)' AND kind = 'RefreshToken'")
            case 3:
                try sqlite(store, "\(rows); INSERT OR REPLACE INTO seal SELECT * FROM old.seal WHERE part != 'store'")
            case 4: try sqlite(store, "\(rows); DELETE FROM seal WHERE part = 'store'")
            default: try sqlite(store, "\(rows); INSERT OR REPLACE INTO seal SELECT * FROM old.seal")
            }
            tally.mustTell(store, account)
        }
        return tally
    }

    /// An attacker's store, with a key they know: nothing of this store may be encrypted with it.
    static func replaced(_ scale: Scale) throws -> Tally {
        var tally = Tally()
        for round in 0..<scale.tampers {
            let folder = try Scratch()
            let source: MSALCacheKeySource = round % 2 == 0 ? .passphrase : .keyFile
            let store = try signedIn(folder, source)
            let theirs = try Scratch()
            let their = try signedIn(theirs)
            try sqlite(their, "PRAGMA wal_checkpoint(TRUNCATE)")
            try empty(store)
            try FileManager.default.removeItem(at: store.file)
            for name in try FileManager.default.contentsOfDirectory(atPath: theirs.path)
            where name == "cache.db" || name.hasSuffix(".key") {
                try FileManager.default.copyItem(
                    at: theirs.url.appending(path: name), to: folder.url.appending(path: name))
            }
            if round % 3 == 2 { try FileManager.default.removeItem(atPath: store.file.path + ".anchor") }
            let before = try Data(contentsOf: store.file)
            let wanted = Store(folder.path, round % 4 < 2 ? .automatic : source)
            tally.mustTell(wanted, "person.0")
            let isSaved = (try? refresh(wanted, "person.0")) != nil
            let after = try Data(contentsOf: store.file)
            if isSaved || after != before { tally.lost += 1 }
        }
        return tally
    }

    private static func signedIn(_ folder: Scratch, _ source: MSALCacheKeySource = .keyFile) throws -> Store {
        let store = Store(folder.path, source)
        for number in 0..<accounts { try refresh(store, "person.\(number)") }
        return store
    }

    private static func refresh(_ store: Store, _ account: String) throws {
        try store.open().update(matching: CredentialQuery(homeAccountIDs: [account])) { _ in
            [.refreshToken, .idToken].map { kind in
                .save(
                    CredentialRecord(
                        CredentialKey(kind, homeAccountID: account, environment: "login.test"),
                        ["secret": .string(UUID().uuidString)]))
            }
        }
    }

    /// Leaves a file of no bytes and no log.
    private static func empty(_ store: Store) throws {
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.file.path + ending) }
        try Data().write(to: store.file)
    }

    private static func sqlite(_ store: Store, _ sql: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        guard sqlite3_open(store.file.path, &database) == SQLITE_OK,
            sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
        else { throw Worker.Misuse() }
    }
}

extension Tally {
    /// By the next command that lists accounts or requests a token of that account.
    fileprivate mutating func mustTell(_ store: Store, _ account: String) {
        tried += 1
        let query = Bool.random() ? CredentialQuery() : CredentialQuery(homeAccountIDs: [account])
        do {
            _ = try store.open().records(matching: query)
            lost += 1
        } catch {
            // Reported.
        }
    }
}
