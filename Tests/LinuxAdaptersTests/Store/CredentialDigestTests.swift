import AuthEngine
import Foundation
import TestSupport
import Testing

@testable import LinuxAdapters

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

    private func ranges() throws -> [String] {
        var ranges: [String] = []
        try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
            .rows("SELECT previous, last FROM account_digest ORDER BY form, last") {
                ranges.append("\($0.text(0))-\($0.text(1))")
            }
        return ranges
    }

    private static let allRanges = ["-uid.1490", "uid.1490-uid.1990", "uid.1990-uid.2490", "uid.2490-uid.2990"]

    @Test("Are computed once, and cached for every process and connection")
    func kept() throws {
        #expect(try store.digests(probe) == truth())
        #expect(probe.made == Self.accounts)
        #expect(try ranges() == Self.allRanges)
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
        #expect(try ranges() == Self.allRanges)
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
        /// The accounts whose digests were computed again.
        var stale: Range<Int>
        var added: String?
        var isRemoved = false
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
        Change(testDescription: "of the first account", stale: 0..<50, apply: Change.saving(account(0))),
        Change(testDescription: "of the last of a chunk", stale: 0..<50, apply: Change.saving(account(49))),
        Change(testDescription: "of the first of a chunk", stale: 50..<100, apply: Change.saving(account(50))),
        Change(testDescription: "of the last account", stale: 150..<200, apply: Change.saving(account(199))),
        Change(
            testDescription: "a new account before all", stale: 0..<50, added: "a.new", apply: Change.saving("a.new")),
        Change(
            testDescription: "a new account in a chunk", stale: 50..<100, added: "uid.1505",
            apply: Change.saving("uid.1505")),
        Change(
            testDescription: "a new account between two chunks", stale: 50..<100, added: "uid.1495",
            apply: Change.saving("uid.1495")),
        Change(
            testDescription: "a new account behind all", stale: 200..<200, added: "uid.3000",
            apply: Change.saving("uid.3000")),
        Change(
            testDescription: "a deleted token", stale: 100..<150,
            apply: {
                try $0.update(matching: CredentialQuery()) { _ in
                    [.delete(CredentialRecord.test(.refreshToken, account(120)).key)]
                }
            }),
        Change(
            testDescription: "a record of no account", stale: 200..<200,
            apply: { try $0.save(.test(.appMetadata, "", secret: "new")) }),
        Change(
            testDescription: "nothing", stale: 200..<200,
            apply: { try $0.update(matching: CredentialQuery()) { _ in [] } }),
        Change(testDescription: "deleted accounts", stale: 50..<55, isRemoved: true, apply: deleting(55..<100)),
        Change(testDescription: "a deleted chunk", stale: 200..<200, isRemoved: true, apply: deleting(100..<150)),
        Change(testDescription: "all deleted", stale: 200..<200, isRemoved: true, apply: deleting(0..<200)),
    ]

    @Test("A change invalidates the digests of its chunk only", arguments: changes)
    func change(_ change: Change) throws {
        _ = try store.digests(probe)
        _ = probe.made
        try change.apply(SQLiteCredentialStore.of(folder))
        #expect(try store.digests(probe) == truth())
        #expect(Set(probe.made) == Set(change.stale.map(Self.account) + [change.added].compactMap(\.self)))
        // One chunk is not worth a transaction; the others are cached again.
        #expect(try store.digests(probe) == truth())
        let isKept = change.stale.count >= 32
        #expect(
            Set(probe.made) == (isKept ? [] : Set(change.stale.map(Self.account) + [change.added].compactMap(\.self))))
    }

    @Test(
        "A missing, damaged, moved or unreadable chunk is computed again, and cached",
        arguments: [
            ("DELETE FROM account_digest WHERE previous = ''", 0..<50),
            ("DELETE FROM account_digest WHERE last = 'uid.1990'", 50..<100),
            ("DELETE FROM account_digest WHERE last = 'uid.2990'", 150..<200),
            ("DELETE FROM account_digest", 0..<200),
            ("UPDATE account_digest SET sealed = zeroblob(length(sealed)) WHERE last = 'uid.1990'", 50..<100),
            ("UPDATE account_digest SET sealed = '', nonce = '' WHERE last = 'uid.1990'", 50..<100),
            ("UPDATE account_digest SET previous = 'uid.1500' WHERE last = 'uid.1990'", 50..<100),
            ("UPDATE account_digest SET last = 'uid.1995' WHERE last = 'uid.1990'", 50..<100),
            ("UPDATE account_digest SET last = x'00ff' WHERE last = 'uid.1990'", 50..<100),
            (
                "UPDATE account_digest SET (nonce, sealed) = "
                    + "(SELECT nonce, sealed FROM account_digest d WHERE d.last = 'uid.1990')", 100..<200
            ),
            ("UPDATE digest_form SET name = 'other'", 0..<200),
        ])
    func damaged(sql: String, stale: Range<Int>) throws {
        _ = try store.digests(probe)
        _ = probe.made
        try sqlite(sql)
        #expect(try store.digests(probe) == truth())
        let made = Set(probe.made)
        #expect(made.isSuperset(of: stale.map(Self.account)))
        #expect(try store.digests(probe) == truth())
        #expect(probe.made.isEmpty)
        // Later changes are found as before.
        try store.save(.test(.accessToken, Self.account(60)))
        #expect(try store.digests(probe) == truth())
    }

    @Test("Chunks that cannot be decoded are computed again")
    func undecodable() throws {
        let broken = DigestForm<String>(
            name: "probe", make: probe.form.make, encode: { _ in Array("unreadable".utf8) }, decode: probe.form.decode)
        #expect(try store.digests(in: broken).parts.flatMap(\.self) == truth())
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
        #expect(try ranges().isEmpty)
        #expect(try store.digests(probe) == truth())
        #expect(try ranges() == Self.allRanges)
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
        #expect(digests.parts.flatMap(\.self) == before)
        #expect(digests.stamp != store.stamp())
        #expect(try ranges().isEmpty)
        #expect(try store.digests(probe) == truth())
        #expect(try truth() != before)
    }

    @Test("If the disk is full, the result is right and nothing is cached")
    func fullDisk() throws {
        // Before the trigger, which is damage to a store that opens later.
        let truth = try self.truth()
        try sqlite(
            """
            CREATE TRIGGER full BEFORE INSERT ON account_digest WHEN (SELECT count(*) FROM account_digest) = 2
            BEGIN SELECT RAISE(ROLLBACK, 'full'); END
            """)
        #expect(try store.digests(probe) == truth)
        #expect(try ranges().isEmpty)
        try sqlite("DROP TRIGGER full")
        #expect(try store.digests(probe) == truth)
        #expect(try ranges() == Self.allRanges)
    }

    @Test("Digests that cannot be encrypted are not cached")
    func cannotSeal() throws {
        let broken = SQLiteCredentialStore(file: folder.file("cache.db"), keys: .of(folder), random: TooFewBytes())
        #expect(try broken.digests(probe) == truth())
        #expect(try ranges().isEmpty)
    }

    @Test("A writer killed in between changes neither records nor digests")
    func killed() throws {
        _ = try store.digests(probe)
        _ = probe.made
        let writer = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        try writer.run("BEGIN IMMEDIATE")
        try writer.run("DELETE FROM credential WHERE home_account_id = '\(Self.account(3))'")
        try writer.run("DELETE FROM account_digest")
        #expect(try ranges() == Self.allRanges)
        #expect(try store.digests(probe) == truth())
        try writer.run("ROLLBACK")
        #expect(try store.digests(probe) == truth())
        #expect(probe.made.isEmpty)
    }

    @Test("Come with the store's stamp, even when just written")
    func stamp() throws {
        let first = try store.digests(in: probe.form)
        #expect(first.stamp == store.stamp())
        #expect(try store.digests(in: probe.form).stamp == first.stamp)
        try store.save(.test(.accessToken, Self.account(60)))
        #expect(store.stamp() != first.stamp)
        #expect(try store.digests(in: probe.form).stamp == store.stamp())
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

    @Test("A damaged record is found and set aside, and its chunk is computed from the others")
    func damagedRecord() throws {
        try sqlite("UPDATE credential SET nonce = zeroblob(12) WHERE home_account_id = '\(Self.account(3))'")
        let failure = #expect(throws: CredentialStoreFailure.self) { try store.digests(probe) }
        #expect(failure?.kind == .damagedRecords)
        #expect(try store.digests(probe) == truth())
        #expect(try store.digests(probe).count == Self.count - 1)
    }

    @Test("Setting a record aside removes the chunk that covered it")
    func putAside() throws {
        _ = try store.digests(probe)
        try sqlite("UPDATE credential SET nonce = zeroblob(12) WHERE home_account_id = '\(Self.account(3))'")
        #expect(throws: CredentialStoreFailure.self) { try store.all() }
        #expect(try ranges() == Array(Self.allRanges.dropFirst()))
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
            #expect(probe.made == Array(Self.accounts[50..<100]))
        }
        _ = try store.digests(DigestProbe("one too many"))
        #expect(try ranges() == Self.allRanges)
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
