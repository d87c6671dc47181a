import Foundation
import TestSupport
import Testing

@testable import MSAL

/// Changes by a program that can write the store's files, but has no key.
@Suite("An emptied, rolled back or replaced store")
struct TamperedStoreTests {
    private let folder: TemporaryFolder
    private let ann = CredentialRecord.test(.refreshToken, "uid.ann")
    private let ben = CredentialRecord.test(.refreshToken, "uid.ben")

    init() throws {
        folder = try TemporaryFolder()
        try SQLiteCredentialStore.of(folder).save(ann, ben, .test(.account, "uid.ann"))
    }

    private var store: SQLiteCredentialStore { .of(folder) }

    private func sqlite(_ statements: String..., in folder: TemporaryFolder? = nil) throws {
        let path = (folder ?? self.folder).file("cache.db").path
        let connection = try SQLiteConnection(path: path, busyMilliseconds: 0)
        for statement in statements { try connection.run(statement) }
    }

    private func records(of account: String) throws -> [CredentialRecord] {
        try store.records(matching: CredentialQuery(kinds: [.refreshToken], homeAccountIDs: [account]))
    }

    /// All current files of the store.
    private func files() throws -> [String: Data] {
        // Everything is in the database, nothing in the log.
        try sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            .filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
            .reduce(into: [:]) { $0[$1] = try Data(contentsOf: folder.file($1)) }
    }

    private func restore(_ files: [String: Data], _ names: String...) throws {
        for name in ["cache.db-wal", "cache.db-shm"] { try? FileManager.default.removeItem(at: folder.file(name)) }
        for name in names { try folder.place(name, try #require(files[name])) }
    }

    private func expect(_ kind: CredentialStoreFailure.Kind, _ words: String, _ work: () throws -> Void) {
        let failure = #expect(throws: CredentialStoreFailure.self, performing: work)
        #expect(failure?.kind == kind)
        #expect(failure?.reason.contains(words) == true, "\(failure?.reason ?? "")")
    }

    private func expectSetAside(_ work: () throws -> Void) throws -> String {
        let failure = #expect(throws: CredentialStoreFailure.self, performing: work)
        guard case .setAside(let place) = failure?.kind else {
            Issue.record("\(String(describing: failure))")
            return ""
        }
        return place
    }

    /// Rejected every time without a change, until it is accepted.
    private func expectRejection(_ words: String, left: Int, _ source: MSALCacheKeySource = .keyFile) throws {
        let before = try files()
        for _ in 0..<2 {
            expect(.notAsLeft, words) { _ = try SQLiteCredentialStore.of(folder, source).all() }
            expect(.notAsLeft, words) { try SQLiteCredentialStore.of(folder, source).save(ann) }
        }
        #expect(try files() == before)
        #expect(try SQLiteCredentialStore.of(folder, source, access: .acceptingAsFound).all().count == left)
        #expect(try SQLiteCredentialStore.of(folder, source).all().count == left)
    }

    // Rows

    @Test("All rows deleted: reported once, then empty")
    func allRows() throws {
        try sqlite("DELETE FROM credential")
        expect(.damagedRecords, "lacks 3 entries") { _ = try store.all() }
        #expect(try store.all().isEmpty)
        try store.save(ann)
        #expect(try store.all() == [ann])
    }

    @Test("All rows and all account seals deleted: reported")
    func allRowsAndGroups() throws {
        try sqlite("DELETE FROM credential", "DELETE FROM seal WHERE part != 'store'")
        expect(.damagedRecords, "lacks") { _ = try records(of: "uid.ann") }
        #expect(try store.all().isEmpty)
    }

    @Test("The seal of one group deleted or changed: reported when listing and when reading")
    func groupManifest() throws {
        let reads: [() throws -> Void] = [
            { _ = try records(of: "uid.ann") }, { _ = try store.all() },
            { _ = try store.digests(DigestProbe()) },
        ]
        for change in ["DELETE FROM seal", "UPDATE seal SET sealed = zeroblob(length(sealed))"] {
            for read in reads {
                try store.save(ann)
                try sqlite("\(change) WHERE part = '\(AccountPlace("uid.ann").group)'")
                expect(.damagedRecords, "entries") { try read() }
                #expect(try store.all().contains(ben))
            }
        }
    }

    private static let manifestLosses = [
        "DELETE FROM seal WHERE part = 'store'",
        "UPDATE seal SET sealed = zeroblob(length(sealed)) WHERE part = 'store'",
    ]

    @Test(
        "The store's own seal deleted or changed: reported once, restored from the anchor, and the accounts keep working",
        arguments: manifestLosses)
    func storeManifest(loss: String) throws {
        let reads: [() throws -> Void] = [
            { _ = try records(of: "uid.ann") }, { _ = try store.all() },
            { _ = try store.digests(DigestProbe()) }, { _ = try store.protection() },
            { try store.save(ben) }, { _ = try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p").all() },
        ]
        for read in reads {
            try sqlite(loss)
            expect(.damagedRecords, "restored from") { try read() }
            #expect(try store.all().count == 3)
            #expect(try records(of: "uid.ben") == [ben])
        }
        #expect(try store.protection().damagedRecords == 0)
        // The manifests are complete again.
        try sqlite("DELETE FROM credential WHERE home_account_id = 'uid.ann'")
        expect(.damagedRecords, "lacks 2 entries") { _ = try store.all() }
    }

    @Test(
        "All seals deleted: no entry is proven current, so all are set aside",
        arguments: ["DELETE FROM seal", "DROP TABLE seal"])
    func allManifests(loss: String) throws {
        try sqlite(loss)
        expect(.damagedRecords, "2 × RefreshToken") { _ = try records(of: "uid.ann") }
        #expect(try store.all().isEmpty)
        #expect(try store.protection().damagedRecords == 3)
        #expect(try store.deleteSetAside().records == 3)
        try store.save(ann)
        #expect(try store.all() == [ann])
    }

    @Test(
        "A signed-out account whose rows are restored stays signed out, even without the store's seal",
        arguments: ["SELECT 1", "DELETE FROM seal WHERE part = 'store'", "DELETE FROM seal", "seal of the account"])
    func signedOut(loss: String) throws {
        try folder.place("old.db", try #require(try files()["cache.db"]))
        try store.update(matching: CredentialQuery(homeAccountIDs: ["uid.ann"])) { $0.map { .delete($0.key) } }
        #expect(try store.all() == [ben])
        let old = folder.file("old.db").path
        try sqlite(
            "ATTACH '\(old)' AS old",
            "INSERT INTO credential SELECT * FROM old.credential WHERE home_account_id = 'uid.ann'",
            loss.hasPrefix("seal")
                ? "INSERT OR REPLACE INTO seal SELECT * FROM old.seal WHERE part != 'store'" : "SELECT 1")
        try sqlite(loss.hasPrefix("seal") ? "DELETE FROM seal WHERE part = 'store'" : loss)
        let looking = SQLiteCredentialStore.of(folder, access: .lookingOnly)
        expect(.foundDamaged, "damaged or missing") { _ = try looking.all() }
        expect(.damagedRecords, "RefreshToken") { _ = try store.all() }
        #expect(try records(of: "uid.ann").isEmpty)
        #expect(try store.all().allSatisfy { $0 == ben })
        #expect(try store.protection().damagedRecords >= 2)
        _ = try store.deleteSetAside()
        #expect(try store.protection().damagedRecords == 0)
    }

    @Test(
        "Without the seal, unreadable rows are set aside; a read-only store reports the damage and changes nothing"
    )
    func storeManifestAndRow() throws {
        try sqlite(
            "DELETE FROM seal WHERE part = 'store'",
            "UPDATE credential SET sealed = zeroblob(60) WHERE home_account_id = 'uid.ann' AND kind = 'RefreshToken'")
        let before = try files()
        let looking = SQLiteCredentialStore.of(folder, access: .lookingOnly)
        for _ in 0..<2 { expect(.foundDamaged, "damaged or missing") { _ = try looking.all() } }
        #expect(try files() == before)
        expect(.damagedRecords, "has damaged entries (1 × RefreshToken)") { _ = try store.all() }
        #expect(try store.all().map(\.key) == [CredentialRecord.test(.account, "uid.ann").key, ben.key])
        #expect(try store.protection().damagedRecords == 1)
    }

    @Test("The outdated entries of an earlier database without its seal are set aside, and earlier ones are rejected")
    func storeManifestAndRollback() throws {
        let old = try files()
        try store.save(.test(.refreshToken, "uid.ann", secret: "newer"))
        let newest = try files()
        try restore(old, "cache.db")
        try sqlite("DELETE FROM seal WHERE part = 'store'")
        expect(.damagedRecords, "RefreshToken") { _ = try store.all() }
        #expect(try records(of: "uid.ann").isEmpty)
        #expect(try records(of: "uid.ben") == [ben])
        for files in [old, newest] {
            try restore(files, "cache.db")
            expect(.notAsLeft, "older than the version recorded") { _ = try store.all() }
        }
    }

    // Schema

    private static let foreignObjects = [
        "CREATE TRIGGER t BEFORE DELETE ON credential BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TRIGGER t AFTER INSERT ON credential BEGIN INSERT INTO damaged_credential SELECT *, '' FROM credential; END",
        "CREATE TABLE copies AS SELECT * FROM credential", "CREATE VIEW v AS SELECT * FROM credential",
        "CREATE INDEX i ON credential (sealed)", "CREATE VIRTUAL TABLE f USING fts5(x)",
        "ALTER TABLE credential ADD COLUMN other TEXT", "ALTER TABLE key_check RENAME TO k",
    ]

    @Test(
        "Triggers, views, tables and indexes of another program: set aside before anything is used or written",
        arguments: foreignObjects)
    func foreignObject(sql: String) throws {
        try sqlite(sql)
        let before = try files()
        let looking = SQLiteCredentialStore.of(folder, access: .lookingOnly)
        for _ in 0..<2 { expect(.foundDamaged, "another program") { _ = try looking.all() } }
        #expect(try files() == before)
        let place = try expectSetAside { try store.update(matching: CredentialQuery()) { _ in [.delete(ann.key)] } }
        #expect(FileManager.default.contents(atPath: place) == before["cache.db"])
        #expect(try store.all().isEmpty)
        try store.save(ann)
        #expect(try store.all() == [ann])
    }

    @Test("A process that has the store open finds them before it writes", arguments: [true, false])
    func foreignObjectInOpenStore(deletes: Bool) throws {
        let open = store
        #expect(try open.all().count == 3)
        try sqlite(Self.foreignObjects[deletes ? 0 : 1])
        _ = try expectSetAside {
            if deletes {
                try open.update(matching: CredentialQuery()) { _ in [.delete(ann.key)] }
            } else {
                try open.save(ann)
            }
        }
    }

    @Test("A compacted database is unchanged")
    func compacted() throws {
        let open = store
        #expect(try open.all().count == 3)
        try sqlite("VACUUM")
        try open.save(ann)
        #expect(try store.all().count == 3)
    }

    @Test("Without the seal and the anchor, the store is rejected until it is accepted")
    func storeManifestAndAnchor() throws {
        try sqlite("DELETE FROM seal")
        try FileManager.default.removeItem(at: folder.file("cache.db.anchor"))
        for _ in 0..<2 { expect(.notAsLeft, "missing or damaged") { _ = try store.all() } }
        let accepting = SQLiteCredentialStore.of(folder, access: .acceptingAsFound)
        expect(.damagedRecords, "list of its entries") { _ = try accepting.all() }
        #expect(try accepting.all().count == 3)
        #expect(try store.all().count == 3)
    }

    /// Makes a file undeletable, also for root, or deletable again.
    private static func fix(_ file: URL, _ isFixed: Bool) {
        let chattr = Process()
        chattr.executableURL = URL(filePath: "/usr/bin/env")
        chattr.arguments = ["chattr", isFixed ? "+i" : "-i", file.path]
        chattr.standardError = FileHandle.nullDevice
        guard (try? chattr.run()) != nil else { return }
        chattr.waitForEnd()
    }

    /// Whether the file system and the container allow that.
    private static func canFix() throws -> Bool {
        let folder = try TemporaryFolder()
        try folder.place("file", Data())
        fix(folder.file("file"), true)
        defer { fix(folder.file("file"), false) }
        return unlink(folder.file("file").path) != 0
    }

    @Test(
        "A set-aside file that cannot be deleted is reported; all others are deleted",
        .enabled("No file can be made undeletable here.") { try canFix() })
    func obstacle() throws {
        try sqlite("DELETE FROM data_key")
        _ = try expectSetAside { _ = try store.all() }
        try folder.place("cache.db.set-aside-0", Data())
        Self.fix(folder.file("cache.db.set-aside-0"), true)
        defer { Self.fix(folder.file("cache.db.set-aside-0"), false) }
        try folder.place("cache.db.set-aside-2", Data())
        try store.save(ann)
        expect(.io, "cache.db.set-aside-0: ") { _ = try store.deleteSetAside() }
        #expect(try store.protection().setAsideFiles == [folder.file("cache.db.set-aside-0").path])
        #expect(try store.all() == [ann])
    }

    @Test("The key file of a store that was set aside is deleted with it, but never another one")
    func keyFileOfSetAsideStore() throws {
        let old = try #require(try folder.keyFiles().first)
        try sqlite("DROP TABLE key_check")
        let place = try expectSetAside { _ = try store.all() }
        try store.save(ann)
        let current = try #require(try folder.keyFiles().first { $0 != old })
        try folder.place("cache.db.unknown.key", Data())
        #expect(try folder.keyFiles().contains(old), "needed to read the file that was set aside")
        // Another program may name any key in an anchor.
        let id = current.split(separator: ".")[2]
        let forged =
            #"{"entries":[{"place":"keyFile","key":"\#(id)","nonce":"","sealed":""},"#
            + #"{"place":"keyFile","key":"../../x","nonce":"","sealed":""}]}"#
        try folder.place("cache.db.set-aside-9", Data())
        try folder.place("cache.db.set-aside-9.anchor", Data(forged.utf8))
        #expect(try store.deleteSetAside().files.contains(place))
        #expect(try folder.keyFiles().sorted() == [current, "cache.db.unknown.key"].sorted())
        #expect(try store.all() == [ann])
    }

    @Test("Files that were set aside are listed, and deleted with their companions")
    func deletingSetAside() throws {
        for _ in 0..<2 {
            try sqlite("DELETE FROM data_key")
            _ = try expectSetAside { _ = try store.all() }
            try store.save(ann)
        }
        let others = [
            "cache.db.set-aside-", "cache.db.set-aside-1x", "cache.db.set-aside-1.key", "other.db.set-aside-1",
        ]
        for name in others { try folder.place(name, Data()) }
        try folder.place("cache.db.anchor.1qor0qlrtd1c4.part", Data())
        let kept = try SQLiteCredentialStore.of(folder, access: .lookingOnly).deleteSetAside()
        #expect(kept == DeletedDamage(), "a read-only store deletes nothing")
        let files = [1, 2].map { folder.file("cache.db.set-aside-\($0)").path }
        #expect(try store.protection().setAsideFiles == files)
        #expect(try store.deleteSetAside() == DeletedDamage(files: files))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left.filter { $0.contains("set-aside") }.sorted() == others.sorted())
        #expect(left.allSatisfy { !$0.hasSuffix(".part") })
        #expect(try store.all() == [ann])
        #expect(try store.deleteSetAside() == DeletedDamage())
    }

    @Test("One account's rows deleted: reported when that account is read, listed or written")
    func oneAccount() throws {
        let reads: [() throws -> Void] = [
            { _ = try records(of: "uid.ann") }, { _ = try store.all() },
            { _ = try store.digests(DigestProbe()) },
            {
                try store.update(matching: CredentialQuery(homeAccountIDs: ["uid.ann"])) { _ in [] }
            },
        ]
        for read in reads {
            try store.save(ann, .test(.account, "uid.ann"))
            try sqlite("DELETE FROM credential WHERE home_account_id = 'uid.ann'")
            #expect(try records(of: "uid.ben") == [ben], "other accounts are not affected")
            expect(.damagedRecords, "lacks 2 entries") { try read() }
            #expect(try store.all() == [ben])
        }
    }

    @Test("One row of an account deleted: its other rows stay")
    func oneRow() throws {
        try sqlite("DELETE FROM credential WHERE home_account_id = 'uid.ann' AND kind = 'RefreshToken'")
        expect(.damagedRecords, "lacks 1 entry") { _ = try records(of: "uid.ann") }
        #expect(try store.all().map(\.key) == [CredentialRecord.test(.account, "uid.ann").key, ben.key])
    }

    @Test(
        "An old refresh token restored, alone or with its seals: reported, set aside and never returned",
        arguments: [[], ["seal"], ["seal-of-account"]])
    func oldRow(tables: [String]) throws {
        let old = try files()
        try store.save(.test(.refreshToken, "uid.ann", secret: "newer"))
        let aside = folder.file("old.db").path
        try folder.place("old.db", try #require(old["cache.db"]))
        try sqlite(
            "ATTACH '\(aside)' AS old",
            "INSERT OR REPLACE INTO credential SELECT * FROM old.credential WHERE home_account_id = 'uid.ann'",
            tables.isEmpty
                ? "SELECT 1"
                : "INSERT OR REPLACE INTO seal SELECT * FROM old.seal"
                    + (tables == ["seal"] ? "" : " WHERE part != 'store'"))
        if tables == ["seal"] {
            // Everything is restored: an earlier state.
            expect(.notAsLeft, "older than the version recorded") { _ = try records(of: "uid.ann") }
            return
        }
        expect(.damagedRecords, "RefreshToken") { _ = try records(of: "uid.ann") }
        #expect(try records(of: "uid.ann").isEmpty)
        #expect(try store.all().contains { $0.key.homeAccountID == "uid.ann" && $0.key.kind == .refreshToken } == false)
    }

    @Test("One change of several accounts is reported once, at the first use of any of them")
    func once() throws {
        try sqlite(
            "DELETE FROM credential WHERE home_account_id = 'uid.ann'",
            "UPDATE credential SET sealed = zeroblob(60) WHERE home_account_id = 'uid.ben'")
        expect(.damagedRecords, "has damaged entries (1 × RefreshToken), and lacks 2 entries") {
            _ = try records(of: "uid.ann")
        }
        #expect(try records(of: "uid.ben").isEmpty)
        #expect(try store.all().isEmpty)
    }

    @Test("A process that has the store open reports it too")
    func openStore() throws {
        let open = store
        #expect(try open.all().count == 3)
        try sqlite("DELETE FROM credential WHERE home_account_id = 'uid.ann'")
        let query = CredentialQuery(homeAccountIDs: ["uid.ann"])
        expect(.damagedRecords, "lacks 2 entries") { _ = try open.records(matching: query) }
    }

    // Files

    @Test(
        "A database emptied or deleted beside its key is damage, not a store without accounts",
        arguments: [true, false])
    func emptied(isTruncated: Bool) throws {
        for name in ["cache.db-wal", "cache.db-shm"] { try? FileManager.default.removeItem(at: folder.file(name)) }
        if isTruncated {
            try folder.place("cache.db", Data())
        } else {
            try FileManager.default.removeItem(at: folder.file("cache.db"))
        }
        let place = try expectSetAside { _ = try store.all() }
        #expect(FileManager.default.fileExists(atPath: StoreAnchor.path(of: place)))
        try store.save(ben)
        #expect(try store.all() == [ben])
    }

    @Test("A restored old database is rejected, until it is accepted")
    func oldDatabase() throws {
        let old = try files()
        try store.save(.test(.refreshToken, "uid.ann", secret: "newer"))
        _ = try files()
        try restore(old, "cache.db")
        try expectRejection("older than the version recorded", left: 3)
    }

    @Test("Restoring the whole folder is not detected, as docs/security.md says")
    func oldFolder() throws {
        let old = try files()
        try store.save(.test(.refreshToken, "uid.ann", secret: "newer"))
        _ = try files()
        try restore(old, "cache.db", "cache.db.anchor")
        #expect(try records(of: "uid.ann") == [ann])
    }

    @Test("A database deleted together with its anchor is not detected, as docs/security.md says")
    func deletedTogether() throws {
        _ = try files()
        for name in ["cache.db", "cache.db-wal", "cache.db-shm", "cache.db.anchor"] {
            try? FileManager.default.removeItem(at: folder.file(name))
        }
        #expect(try store.all().isEmpty)
    }

    @Test("An anchor that lags behind is valid: a process may end before it writes the anchor")
    func laggingAnchor() throws {
        let old = try files()
        try store.save(.test(.refreshToken, "uid.ann", secret: "newer"))
        let between = try files()
        try store.save(.test(.refreshToken, "uid.ann", secret: "newest"))
        try restore(old.merging(try files()) { old, _ in old }, "cache.db.anchor")
        #expect(try store.all().count == 3)
        // It was updated, so it matches no earlier database.
        try restore(between, "cache.db")
        try expectRejection("older than the version recorded", left: 3)
    }

    @Test(
        "A deleted, emptied or changed anchor is reported, and the database is rejected",
        arguments: ["deleted", "", "{}", #"{"entries":[]}"#, "later"])
    func anchor(content: String) throws {
        let file = folder.file("cache.db.anchor")
        switch content {
        case "deleted": try FileManager.default.removeItem(at: file)
        case "later":
            var text = try String(contentsOf: file, encoding: .utf8)
            let start = try #require(text.range(of: #""sealed":""#)).upperBound
            text.replaceSubrange(start..<text.index(after: start), with: text[start] == "A" ? "B" : "A")
            try folder.place("cache.db.anchor", Data(text.utf8))
        default: try folder.place("cache.db.anchor", Data(content.utf8))
        }
        try expectRejection("missing or damaged", left: 3)
    }

    // Keys

    /// An attacker's store, with a key they know, in place of this one.
    private func swapIn() throws -> Data {
        let theirs = try TemporaryFolder()
        try SQLiteCredentialStore.of(theirs).save(.test(.refreshToken, "uid.mallory"))
        try sqlite("PRAGMA wal_checkpoint(TRUNCATE)", in: theirs)
        let name = try #require(try theirs.keyFiles().first)
        let key = try Data(contentsOf: theirs.file(name))
        try folder.place(name, key)
        _ = try files()
        try restore(["cache.db": try Data(contentsOf: theirs.file("cache.db"))], "cache.db")
        return key
    }

    @Test("Another store in its place is rejected: nothing is encrypted with its key")
    func swapped() throws {
        _ = try swapIn()
        try expectRejection("another key", left: 1)
    }

    @Test("Another store with its key in a weaker place is reported as that")
    func weaker() throws {
        _ = try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p").all()
        _ = try swapIn()
        try expectRejection("better-protected key", left: 1, .automatic)
    }

    @Test("Its rows are not kept when the key moves")
    func swappedAndMoved() throws {
        _ = try swapIn()
        let moving = SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p")
        expect(.notAsLeft, "another key") { _ = try moving.all() }
        // Without an anchor, the owner is unknown.
        try FileManager.default.removeItem(at: folder.file("cache.db.anchor"))
        for _ in 0..<2 { expect(.notAsLeft, "its key can't be moved") { _ = try moving.all() } }
        #expect(
            try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p", access: .acceptingAsFound).all().count
                == 1)
    }

    @Test("Reading writes nothing, not even the anchor")
    func reading() throws {
        let before = try files()
        let changed = try FileManager.default.attributesOfItem(atPath: folder.file("cache.db.anchor").path)
        _ = try store.all()
        _ = try records(of: "uid.ann")
        let after = try FileManager.default.attributesOfItem(atPath: folder.file("cache.db.anchor").path)
        #expect(changed[.modificationDate] as? Date == after[.modificationDate] as? Date)
        #expect(changed[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(try files() == before)
    }
}

@Suite("Seals of a store")
struct StoreManifestTests {
    @Test("Are read as they were written")
    func roundTrip() throws {
        var manifest = StoreManifest(generation: 1 << 40)
        manifest.rows = 12
        manifest.groups = [0: 3, 255: 1 << 33]
        #expect(StoreManifest(manifest.bytes) == manifest)
        var group = GroupManifest()
        for account in ["", "a", "b"] {
            let place = AccountPlace(account)
            group.marks.append(GroupManifest.Mark(place, nonce: Array(0..<12)))
        }
        #expect(GroupManifest(group.bytes) == group)
        #expect(Set(group.marks).count == 3)
        let place = AccountPlace("a")
        for nonce: [UInt8] in [[1, 2], Array(0..<11), Array(0..<13)] {
            #expect(!group.marks.contains(GroupManifest.Mark(place, nonce: nonce)))
        }
    }

    @Test("Bytes of another length are invalid", arguments: [1, 15, 17, 24])
    func malformed(length: Int) {
        #expect(StoreManifest([UInt8](repeating: 0, count: length)) == nil)
        #expect(GroupManifest([UInt8](repeating: 0, count: length)) == nil)
    }
}
