import Foundation
import TestSupport
import Testing

@testable import MSAL

@Suite("Account digests in a store")
struct CredentialDigestTests {
    private static let count = 200
    private let folder: TemporaryFolder
    private let store: SQLiteCredentialStore
    private let probe = DigestProbe()
    private static let accounts = (0..<count).map(account)

    /// In order, with room between them.
    private static func account(_ number: Int) -> String { "uid.\(1000 + number * 10)" }

    init() throws {
        folder = try TemporaryFolder()
        store = .of(folder)
        try Self.fill(store, Self.accounts)
    }

    private static func fill(_ store: SQLiteCredentialStore, _ accounts: [String]) throws {
        try store.update(matching: CredentialQuery(kinds: [])) { _ in
            [.save(.test(.appMetadata, ""))]
                + accounts.flatMap { [.save(.test(.refreshToken, $0)), .save(.test(.account, $0, client: ""))] }
        }
    }

    /// The expected digests, computed from the records without any cache.
    private func truth() throws -> [String] {
        let memory = MemoryCredentialStore()
        let records = try SQLiteCredentialStore.of(folder).all()
        try memory.update(matching: CredentialQuery()) { _ in records.map(CredentialChange.save) }
        return try memory.digests(DigestProbe())
    }

    private func sqlite(_ sql: String) throws {
        try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0).run(sql)
    }

    /// The number of cached lists.
    private func lists() throws -> Int64? {
        try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
            .number("SELECT count(*) FROM account_digest")
    }

    @Test("Are computed once, and cached for every process and connection")
    func kept() throws {
        #expect(try store.digests(probe) == truth())
        #expect(probe.made == Self.accounts)
        #expect(try lists() == 1)
        #expect(try store.digests(probe) == truth())
        #expect(try SQLiteCredentialStore.of(folder).digests(probe) == truth())
        #expect(probe.made.isEmpty)
    }

    @Test("That another program put back after a removal aren't used", arguments: ["removed", "added", "changed"])
    func putBack(change: String) throws {
        _ = try store.digests(probe)
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        try connection.run("ATTACH ':memory:' AS other")
        try connection.run("CREATE TABLE other.kept AS SELECT * FROM account_digest")
        let account = Self.account(7)
        switch change {
        case "removed":
            try store.update(matching: CredentialQuery(homeAccountIDs: [account])) { $0.map { .delete($0.key) } }
        case "added": try store.save(.test(.account, account + "5"))
        default: try store.save(.test(.refreshToken, account, secret: "renewed"))
        }
        try connection.run("DELETE FROM account_digest")
        try connection.run("INSERT INTO account_digest SELECT * FROM other.kept")
        #expect(try lists() == 1)
        #expect(try SQLiteCredentialStore.of(folder).digests(probe) == truth())
        // They are replaced.
        _ = probe.made
        #expect(try SQLiteCredentialStore.of(folder).digests(probe) == truth())
        #expect(probe.made.isEmpty)
    }

    @Test("Of a row that another program put back are damage")
    func oldRow() throws {
        let account = Self.account(7)
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        try connection.run("ATTACH ':memory:' AS other")
        try connection.run("CREATE TABLE other.kept AS SELECT * FROM credential WHERE home_account_id = '\(account)'")
        try store.save(.test(.refreshToken, account, secret: "renewed"))
        try connection.run("INSERT OR REPLACE INTO credential SELECT * FROM other.kept")
        let failure = #expect(throws: CredentialStoreFailure.self) { try store.digests(probe) }
        #expect(failure?.kind == .damagedRecords)
    }

    @Test("Of few accounts are computed each time, and nothing is written")
    func few() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteCredentialStore.of(folder)
        try Self.fill(store, Array(Self.accounts.prefix(31)))
        let before = try #require(store.stamp())
        for _ in 0..<2 {
            #expect(try store.digests(probe).count == 31)
            #expect(probe.made == Array(Self.accounts.prefix(31)))
        }
        #expect(store.stamp() == before)
        try Self.fill(store, [Self.account(31)])
        #expect(try store.digests(probe).count == 32)
        _ = probe.made
        #expect(try store.digests(probe).count == 32)
        #expect(probe.made.isEmpty)
    }

    struct Change: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The accounts whose digests are computed again.
        var made: [String]
        /// Whether the list names an account that was removed.
        var isDropped = false
        var apply: @Sendable (SQLiteCredentialStore) throws -> Void

        static func saving(_ account: String) -> @Sendable (SQLiteCredentialStore) throws -> Void {
            { try $0.save(.test(.accessToken, account, secret: "new")) }
        }
    }

    private static func deleting(_ numbers: Range<Int>) -> @Sendable (SQLiteCredentialStore) throws -> Void {
        { store in
            let query = CredentialQuery(homeAccountIDs: Set(numbers.map(account)))
            try store.update(matching: query) { $0.map { .delete($0.key) } }
        }
    }

    static let changes = [
        Change(testDescription: "of the first account", made: [account(0)], apply: Change.saving(account(0))),
        Change(testDescription: "of the last account", made: [account(199)], apply: Change.saving(account(199))),
        Change(testDescription: "a new account", made: ["uid.1505"], apply: Change.saving("uid.1505")),
        Change(
            testDescription: "a deleted token", made: [account(120)],
            apply: {
                try $0.update(matching: CredentialQuery()) { _ in
                    [.delete(CredentialRecord.test(.refreshToken, account(120)).key)]
                }
            }),
        Change(
            testDescription: "a record of no account", made: [],
            apply: { try $0.save(.test(.appMetadata, "", secret: "new")) }),
        Change(
            testDescription: "nothing", made: [],
            apply: { try $0.update(matching: CredentialQuery()) { _ in [] } }),
        Change(
            testDescription: "deleted accounts", made: Array(accounts[..<55] + accounts[100...]), isDropped: true,
            apply: deleting(55..<100)),
        Change(testDescription: "all deleted", made: [], isDropped: true, apply: deleting(0..<200)),
    ]

    @Test(
        "After a change, the next list computes the changed accounts only; a removed account's list is dropped",
        arguments: changes)
    func change(_ change: Change) throws {
        _ = try store.digests(probe)
        _ = probe.made
        try change.apply(SQLiteCredentialStore.of(folder))
        #expect(try lists() == (change.isDropped ? 0 : 1))
        #expect(try store.digests(probe) == truth())
        #expect(probe.made == change.made)
        #expect(try store.digests(probe) == truth())
        #expect(probe.made.isEmpty)
    }

    @Test(
        "A missing, damaged, moved or unreadable list is computed again, and cached",
        arguments: [
            "DELETE FROM account_digest", "UPDATE account_digest SET sealed = zeroblob(length(sealed))",
            "UPDATE account_digest SET sealed = '', nonce = ''", "UPDATE account_digest SET form = 7",
        ])
    func damaged(sql: String) throws {
        _ = try store.digests(probe)
        _ = probe.made
        try sqlite(sql)
        #expect(try store.digests(probe) == truth())
        #expect(Set(probe.made) == Set(Self.accounts))
        #expect(try store.digests(probe) == truth())
        #expect(probe.made.isEmpty)
        // Later changes are found as before.
        try store.save(.test(.accessToken, Self.account(60)))
        #expect(try store.digests(probe) == truth())
    }

    @Test("A list that cannot be decoded is computed again")
    func undecodable() throws {
        let broken = DigestForm<String>(
            name: "probe", make: probe.form.make, encode: { _ in Array("unreadable".utf8) }, decode: probe.form.decode)
        #expect(try store.digests(in: broken).all == truth())
        #expect(try store.digests(probe) == truth())
        _ = probe.made
        #expect(try store.digests(probe) == truth())
        #expect(probe.made.isEmpty)
    }

    @Test("During another process's write they are computed without waiting, and not cached")
    func busy() throws {
        let writer = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        try writer.run("BEGIN IMMEDIATE")
        try writer.run("DELETE FROM credential WHERE home_account_id = '\(Self.account(3))'")
        #expect(try store.digests(probe) == truth())
        #expect(try store.digests(probe).count == Self.count)
        try writer.run("ROLLBACK")
        #expect(try lists() == 0)
        #expect(try store.digests(probe) == truth())
        #expect(try lists() == 1)
    }

    @Test("A write during the computation prevents caching")
    func overtaken() throws {
        let other = SQLiteCredentialStore.of(folder)
        let changed = CredentialRecord.test(.refreshToken, Self.account(3), secret: "new")
        let before = try truth()
        let overtaken = DigestProbe { account in
            if account == Self.account(100) { try? other.save(changed) }
        }
        let digests = try store.digests(in: overtaken.form)
        #expect(digests.all == before)
        #expect(digests.stamp != store.stamp())
        #expect(try lists() == 0)
        #expect(try store.digests(probe) == truth())
        #expect(try truth() != before)
    }

    @Test("If the disk is full, the result is right and nothing is cached")
    func fullDisk() throws {
        // Before the trigger, which is damage to a store that opens later.
        let truth = try self.truth()
        try sqlite(
            """
            CREATE TRIGGER full BEFORE INSERT ON account_digest
            BEGIN SELECT RAISE(ROLLBACK, 'full'); END
            """)
        #expect(try store.digests(probe) == truth)
        #expect(try lists() == 0)
        try sqlite("DROP TRIGGER full")
        #expect(try store.digests(probe) == truth)
        #expect(try lists() == 1)
    }

    @Test("Digests that cannot be encrypted are not cached")
    func cannotEncrypt() throws {
        let broken = SQLiteCredentialStore(file: folder.file("cache.db"), keys: .of(folder), random: TooFewBytes())
        #expect(try broken.digests(probe) == truth())
        #expect(try lists() == 0)
    }

    @Test("A writer killed in between changes neither records nor digests")
    func killed() throws {
        _ = try store.digests(probe)
        _ = probe.made
        let writer = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        try writer.run("BEGIN IMMEDIATE")
        try writer.run("DELETE FROM credential WHERE home_account_id = '\(Self.account(3))'")
        try writer.run("DELETE FROM account_digest")
        #expect(try lists() == 1)
        #expect(try store.digests(probe) == truth())
        try writer.run("ROLLBACK")
        #expect(try store.digests(probe) == truth())
        #expect(probe.made.isEmpty)
    }

    @Test("Come with the store's stamp, also when they were just written")
    func stamp() throws {
        let first = try #require(try store.digests(in: probe.form).stamp)
        #expect(try lists() == 1)
        #expect(store.stamp() == first)
        #expect(try store.digests(in: probe.form).stamp == first)
        try SQLiteCredentialStore.of(folder).save(.test(.accessToken, Self.account(60)))
        #expect(store.stamp() != first)
    }

    @Test("Come with an earlier stamp if another program writes meanwhile")
    func earlierStamp() throws {
        let other = SQLiteCredentialStore.of(folder)
        let probe = DigestProbe { account in
            if account == Self.accounts[0] { try? other.save(.test(.appMetadata, "")) }
        }
        let stamp = try #require(try store.digests(in: probe.form).stamp)
        #expect(try lists() == 0)
        #expect(store.stamp() != stamp)
    }

    @Test("Another key opens none of them: they are computed again")
    func keyMoved() throws {
        let before = try truth()
        #expect(try store.digests(probe) == before)
        let moved = SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p")
        _ = probe.made
        #expect(try moved.digests(probe) == before)
        #expect(probe.made.count == Self.count)
        #expect(try moved.digests(probe) == before)
        #expect(probe.made.isEmpty)
    }

    @Test("A damaged record is found and set aside, and the list is computed from the others")
    func damagedRecord() throws {
        try sqlite("UPDATE credential SET nonce = zeroblob(12) WHERE home_account_id = '\(Self.account(3))'")
        let failure = #expect(throws: CredentialStoreFailure.self) { try store.digests(probe) }
        #expect(failure?.kind == .damagedRecords)
        #expect(try store.digests(probe) == truth())
        #expect(try store.digests(probe).count == Self.count - 1)
    }

    @Test("Setting a record aside drops the list")
    func putAside() throws {
        _ = try store.digests(probe)
        try sqlite("UPDATE credential SET nonce = zeroblob(12) WHERE home_account_id = '\(Self.account(3))'")
        #expect(throws: CredentialStoreFailure.self) { try store.all() }
        #expect(try lists() == 0)
        #expect(try store.digests(probe) == truth())
    }

    @Test("Of several formats are cached side by side; with one format too many, all are computed again")
    func forms() throws {
        let probes = (0..<8).map { DigestProbe("probe \($0)") }
        for probe in probes { _ = try store.digests(probe) }
        try store.save(.test(.accessToken, Self.account(60)))
        for probe in probes {
            _ = probe.made
            #expect(try store.digests(probe) == truth())
            #expect(probe.made == [Self.account(60)])
        }
        _ = try store.digests(DigestProbe("one too many"))
        #expect(try lists() == 1)
        #expect(try store.digests(probes[0]) == truth())
        #expect(probes[0].made.count == Self.count)
    }

    @Test("Match the records after any saves and deletions", arguments: 1...4 as ClosedRange<UInt64>)
    func anyChanges(seed: UInt64) throws {
        let random = SeededRandom(seed: seed)
        func number(_ end: Int) -> Int { Int(random.next() % UInt64(end)) }
        let memory = MemoryCredentialStore()
        let others = [store, .of(folder)]
        let known = try store.all()
        try memory.update(matching: CredentialQuery()) { _ in known.map(CredentialChange.save) }
        for _ in 0..<25 {
            let changes = (0..<(1 + number(number(4) == 0 ? 60 : 3))).map { _ -> CredentialChange in
                let kinds: [CredentialKey.Kind] = [.account, .accessToken, .refreshToken, .accountMetadata]
                let record = CredentialRecord.test(
                    kinds[number(4)], "uid.\(1000 + number(2000))", secret: "\(random.next())")
                return number(3) == 0 ? .delete(Self.someKey(known, number)) : .save(record)
            }
            for store in [others[number(2)], memory] as [any CredentialStore] {
                try store.update(matching: CredentialQuery(kinds: [])) { _ in changes }
            }
            let expected = try memory.digests(DigestProbe())
            #expect(try others[number(2)].digests(probe) == expected)
            if number(3) == 0 { #expect(try SQLiteCredentialStore.of(folder).digests(probe) == expected) }
        }
    }

    private static func someKey(_ records: [CredentialRecord], _ number: (Int) -> Int) -> CredentialKey {
        records[number(records.count)].key
    }

    @Test("Many concurrent readers and writers end with the right digests")
    func concurrent() async throws {
        let folder = folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    try await RawClient.off {
                        let store = SQLiteCredentialStore.of(folder)
                        for round in 0..<8 {
                            if worker.isMultiple(of: 2) {
                                try store.save(
                                    .test(.accessToken, Self.account(round * 20 + worker), secret: "\(worker)"))
                            }
                            _ = try store.digests(DigestProbe())
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.digests(probe) == truth())
        #expect(try SQLiteCredentialStore.of(folder).digests(DigestProbe()) == truth())
    }
}
