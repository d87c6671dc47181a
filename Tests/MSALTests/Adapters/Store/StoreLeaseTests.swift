import Foundation
import MSAL
import Testing

@Suite("Refresh lease")
struct StoreLeaseTests {
    private let folder: TemporaryFolder
    private let key = CredentialKey(.refreshToken, homeAccountID: "uid.utid")

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("Has one holder at a time for each account, across all programs that have the store open")
    func one() throws {
        let store = SQLiteCredentialStore.of(folder)
        let other = SQLiteCredentialStore.of(folder)
        let lease = try #require(try store.lease(key))
        #expect(try store.lease(key) == nil)
        #expect(try other.lease(key) == nil)
        let another = try #require(try other.lease(CredentialKey(.refreshToken, homeAccountID: "uid.other")))
        lease.release()
        lease.release()
        let second = try #require(try other.lease(key))
        #expect(try store.lease(key) == nil)
        second.release()
        another.release()
        #expect(try folder.permissions("cache.db.lock") == 0o600)
    }

    @Test("Ends with its holder")
    func forgotten() throws {
        let store = SQLiteCredentialStore.of(folder)
        do {
            let lease = try store.lease(key)
            #expect(lease != nil)
        }
        #expect(try store.lease(key) != nil)
    }

    @Test("Rejects a file that other users can read")
    func unsafe() throws {
        try folder.place("cache.db.lock", Data())
        let path = folder.file("cache.db.lock").path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let failure = #expect(throws: CredentialStoreFailure.self) { try SQLiteCredentialStore.of(folder).lease(key) }
        #expect(failure?.kind == .unsafePermissions)
    }
}
