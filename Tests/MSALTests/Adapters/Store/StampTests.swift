import Foundation
import KeyturnSystem
import MSAL
import Testing

@Suite("Stamp of a store")
struct StampTests {
    @Test("Stays the same until a record changes, in this process or another connection")
    func changes() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteCredentialStore.of(folder)
        // Not opened yet: the stamp is unknown.
        #expect(store.stamp() == nil)
        try store.save(.test())
        let first = try #require(store.stamp())
        _ = try store.all()
        #expect(store.stamp() == first)

        try store.save(.test(secret: "another"))
        let second = try #require(store.stamp())
        #expect(second != first)

        let other = SQLiteCredentialStore.of(folder)
        _ = try other.all()
        #expect(store.stamp() == second)
        try other.save(.test(secret: "a third"))
        let third = try #require(store.stamp())
        #expect(third != second)

        try other.update(matching: CredentialQuery()) { $0.map { .delete($0.key) } }
        #expect(store.stamp() != third)
        #expect(store.stamp() != nil)
    }

    @Test("Differs for another opening, and is nil for a missing or unsafe file")
    func openings() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteCredentialStore.of(folder)
        try store.save(.test())
        let other = SQLiteCredentialStore.of(folder)
        _ = try other.all()
        #expect(other.stamp() != store.stamp())

        let path = folder.file("cache.db").path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(store.stamp() == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(store.stamp() != nil)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        #expect(store.stamp() == nil)
    }

    @Test("Is nil at once while another thread uses the store")
    func inUse() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteCredentialStore.of(folder)
        try store.save(.test())
        let whileInUse = Locked<CredentialStamp??>(nil)
        try store.update(matching: CredentialQuery()) { _ in
            let isTold = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                whileInUse.withLock { $0 = .some(store.stamp()) }
                isTold.signal()
            }
            isTold.wait()
            return []
        }
        #expect(whileInUse.withLock(\.self) == .some(nil))
        #expect(store.stamp() != nil)
    }
}
