import Foundation
import MSAL

/// Many processes on one store: separate entries, a shared counter, and a one-time refresh token.
enum Crowd {
    private static let counter = CredentialKey(.appMetadata, environment: "login.test", client: "counter")
    private static let token = CredentialKey(.refreshToken, homeAccountID: "uid.utid", environment: "login.test")

    static func work(_ store: Store, name: String, operations: Int) throws {
        let open = store.open()
        for number in 0..<operations {
            switch number % 5 {
            case 0: try save(open, name, number)
            case 1: _ = try open.records(matching: CredentialQuery(client: name))
            case 2: try count(open)
            case 3: try refresh(open, store)
            default: try replace(open, name, number)
            }
        }
    }

    private static func save(_ store: SQLiteCredentialStore, _ name: String, _ number: Int) throws {
        try store.update(matching: CredentialQuery(kinds: [])) { _ in
            [.save(Store.record("\(name).\(number)", client: name))]
        }
    }

    private static func count(_ store: SQLiteCredentialStore) throws {
        try store.update(matching: CredentialQuery(client: "counter")) { records in
            let count = records.first?.members["n"]?.double ?? 0
            return [.save(CredentialRecord(counter, ["n": .integer(Int64(count) + 1)]))]
        }
    }

    /// Deletes one entry and saves another, which includes emptying the log.
    private static func replace(_ store: SQLiteCredentialStore, _ name: String, _ number: Int) throws {
        let old = Store.record("\(name).\(number - 4)", client: name)
        try store.update(matching: CredentialQuery(client: name)) { _ in
            [.delete(old.key), .save(Store.record("\(name).\(number)", client: name))]
        }
    }

    private static func refresh(_ store: SQLiteCredentialStore, _ place: Store) throws {
        while true {
            guard let lease = try store.lease(token) else {
                usleep(2000)
                continue
            }
            defer { lease.release() }
            let held = try store.records(matching: CredentialQuery(kinds: [.refreshToken])).first
            let generation = Int(held?.members["secret"]?.string ?? "0") ?? 0
            // The authority: it records each use.
            try Worker.append("\(generation)", to: place.folder.appending(path: "redeemed"))
            try store.update(matching: CredentialQuery(kinds: [])) { _ in
                [.save(CredentialRecord(token, ["secret": .string("\(generation + 1)")]))]
            }
            return
        }
    }

    /// Entries that are missing or duplicate at the end.
    static func losses(_ store: Store, processes: Int, operations: Int) throws -> Int {
        let open = store.open()
        let rounds = operations / 5
        let own = try open.records(matching: CredentialQuery(kinds: [.idToken])).count
        let counted = try open.records(matching: CredentialQuery(client: "counter")).first?.members["n"]?.double ?? 0
        let redeemed = Worker.lines(of: store.folder.appending(path: "redeemed"))
        return abs(own - processes * rounds) + abs(Int(counted) - processes * rounds)
            + abs(redeemed.count - processes * rounds) + (redeemed.count - Set(redeemed).count)
    }
}
