import Foundation
import Testing

@testable import MSAL

@Suite("Damaged rows")
struct DamagedRowTests {
    private let folder: TemporaryFolder
    private let store: SQLiteCredentialStore
    private let good = CredentialRecord.test(.account, "uid.good", client: "")
    private let victim = CredentialRecord.test(.refreshToken, "uid.victim")

    init() throws {
        folder = try TemporaryFolder()
        store = .of(folder)
        try store.save(good, victim)
    }

    private func rawRows(_ table: String) throws -> [EncryptedRow] {
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        var rows: [EncryptedRow] = []
        try connection.rows("SELECT * FROM \(table)") { rows.append(EncryptedRow($0)) }
        return rows
    }

    private func sqlite(_ sql: String, _ values: [SQLiteConnection.Value] = []) throws {
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        try connection.run(sql, values)
    }

    private func expectDamage(_ work: () throws -> Void) {
        let failure = #expect(throws: CredentialStoreFailure.self, performing: work)
        #expect(failure?.kind == .damagedRecords)
        #expect(failure?.reason.contains("1 × RefreshToken") == true)
    }

    @Test("Every flipped byte of an encrypted row is reported once; other rows and the damaged bytes stay")
    func everyByte() async throws {
        let row = try #require(try rawRows("credential").first { $0.identity[0] == "RefreshToken" })
        // This takes a while, which other tests' tasks must not wait for.
        try await RawClient.off {
            for index in 0..<row.nonce.count + row.encrypted.count { try flip(index, of: row) }
        }
        #expect(try rawRows("damaged_credential").count == row.nonce.count + row.encrypted.count)
    }

    private func flip(_ index: Int, of row: EncryptedRow) throws {
        var flipped = row
        if index < row.nonce.count {
            flipped.nonce[index] ^= 1 << UInt8(index % 8)
        } else {
            flipped.encrypted[index - row.nonce.count] ^= 1 << UInt8(index % 8)
        }
        try sqlite(
            "INSERT OR REPLACE INTO credential VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            row.identity.map(SQLiteConnection.Value.text) + [.blob(flipped.nonce), .blob(flipped.encrypted)])
        expectDamage { _ = try store.all() }
        #expect(try store.all() == [good])
        #expect(try rawRows("damaged_credential").last?.encrypted == flipped.encrypted)
    }

    @Test("A writer that finds one throws and changes nothing; its next try succeeds")
    func update() throws {
        try sqlite("UPDATE credential SET sealed = zeroblob(length(sealed)) WHERE kind = 'RefreshToken'")
        let added = CredentialRecord.test(.idToken)
        func add() throws { try store.update(matching: CredentialQuery()) { _ in [.save(added)] } }
        expectDamage { try add() }
        #expect(try store.all() == [good])
        try add()
        #expect(try store.all() == [good, added])
    }

    @Test("Affects only readers of that row, and delays a move to another key once")
    func others() throws {
        try sqlite("UPDATE credential SET nonce = zeroblob(12) WHERE kind = 'RefreshToken'")
        #expect(try store.records(matching: CredentialQuery(kinds: [.account])) == [good])
        let moved = SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p")
        expectDamage { _ = try moved.all() }
        #expect(try moved.all() == [good])
        #expect(try moved.protection().kind == .passphrase)
    }

    @Test(
        "The key is known by the store's seal, its copy in the anchor or a row: the check that earlier versions read may be missing",
        arguments: ["UPDATE key_check SET sealed = zeroblob(40)", "DELETE FROM key_check"])
    func keyCheck(damage: String) throws {
        try sqlite(damage)
        #expect(try SQLiteCredentialStore.of(folder).all() == [good, victim])
        try sqlite("DELETE FROM seal WHERE part = 'store'")
        let failure = #expect(throws: CredentialStoreFailure.self) { try SQLiteCredentialStore.of(folder).all() }
        #expect(failure?.kind == .damagedRecords)
        #expect(try SQLiteCredentialStore.of(folder).all() == [good, victim])
    }

    @Test(
        "Metadata is dropped without an error by every reader and writer, and by a move to another key",
        arguments: [CredentialKey.Kind.document, .appMetadata])
    func metadata(kind: CredentialKey.Kind) throws {
        let row = CredentialRecord.test(kind, "", client: kind == .document ? "" : "app")
        let damage = "UPDATE credential SET sealed = zeroblob(length(sealed)) WHERE kind = '\(kind.rawValue)'"
        func damageAgain() throws {
            try store.save(row)
            try sqlite(damage)
        }
        try damageAgain()
        #expect(try store.all() == [good, victim])
        try damageAgain()
        #expect(try SQLiteCredentialStore.of(folder, access: .lookingOnly).all() == [good, victim])
        try store.save(row)
        #expect(try store.all().count == 3)
        try damageAgain()
        let moved = SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p")
        #expect(try moved.all() == [good, victim])
        #expect(try moved.protection().damagedRecords == 0)
        #expect(try rawRows("damaged_credential").isEmpty)
    }

    @Test("Metadata that is damaged together with other rows is dropped, and only those are reported")
    func metadataAndOthers() throws {
        try store.save(.test(.document, "", client: ""))
        try sqlite("UPDATE credential SET sealed = zeroblob(length(sealed)) WHERE kind != 'Account'")
        expectDamage { _ = try store.all() }
        #expect(try store.all() == [good])
        #expect(try store.protection().damagedRecords == 1)
    }

    @Test("Metadata that an earlier version set aside is not counted")
    func metadataOfEarlierVersions() throws {
        try store.save(.test(.document, "", client: ""))
        try sqlite("INSERT INTO damaged_credential SELECT *, 'key' FROM credential WHERE kind = 'Document'")
        #expect(try store.protection().damagedRecords == 0)
        #expect(try store.deleteSetAside() == DeletedDamage())
        #expect(try rawRows("damaged_credential").isEmpty)
    }

    @Test("Removing an account deletes its rows set aside, from the files too; a refresh does not")
    func removalOfDamaged() throws {
        let other = CredentialRecord.test(.refreshToken, "uid.other")
        try store.save(other, .test(.idToken, "uid.victim"))
        try sqlite(
            "UPDATE credential SET sealed = zeroblob(length(sealed)) WHERE kind = 'RefreshToken'")
        #expect(throws: CredentialStoreFailure.self) { try store.all() }
        #expect(try store.protection().damagedRecords == 2)
        let row = try #require(try rawRows("damaged_credential").first { $0.identity[1] == "uid.victim" })
        try store.save(.test(.account, "uid.other"), other)
        try store.save(.test(.idToken, "uid.victim"))
        #expect(try store.protection().damagedRecords == 2)

        try store.update(matching: CredentialQuery(homeAccountIDs: ["uid.victim"])) { records in
            records.map { .delete($0.key) } + [.save(.test(.accountMetadata, "uid.victim"))]
        }
        #expect(try rawRows("damaged_credential").map { $0.identity[1] } == ["uid.other"])
        #expect(try folder.storeBytes().range(of: Data(row.nonce)) == nil)
        try store.update(matching: CredentialQuery()) { $0.map { .delete($0.key) } }
        #expect(try store.protection().damagedRecords == 0)
    }

    @Test("Deletes all damaged rows, also from the files")
    func deletingAll() throws {
        let row = try #require(try rawRows("credential").first { $0.identity[0] == "RefreshToken" })
        // It can be decrypted, but its key was changed.
        try sqlite("UPDATE credential SET client = 'another' WHERE kind = 'RefreshToken'")
        expectDamage { _ = try store.all() }
        #expect(try folder.storeBytes().range(of: Data(row.encrypted)) != nil)
        #expect(try store.deleteSetAside() == DeletedDamage(records: 1))
        #expect(try folder.storeBytes().range(of: Data(row.encrypted)) == nil)
        #expect(try store.protection().damagedRecords == 0)
        #expect(try store.all() == [good])
    }

    @Test("The files contain nothing of a removed row")
    func removal() throws {
        let rows = try rawRows("credential")
        let row = try #require(rows.first { $0.identity[0] == "RefreshToken" })
        // Nor anything of an earlier version of it.
        try store.save(victim)
        let second = try #require(try rawRows("credential").first { $0.identity[0] == "RefreshToken" })
        #expect(try folder.storeBytes().range(of: Data(second.encrypted)) != nil)
        try store.update(matching: CredentialQuery(homeAccountIDs: ["uid.victim"])) { $0.map { .delete($0.key) } }
        let bytes = try folder.storeBytes()
        for part in [row.encrypted, second.encrypted, row.nonce, second.nonce] {
            #expect(bytes.range(of: Data(part)) == nil)
        }
        #expect(bytes.range(of: Data("uid.victim".utf8)) == nil)
        #expect(try store.all() == [good])
    }
}
