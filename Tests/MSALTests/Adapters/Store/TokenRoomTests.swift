import Foundation
import Glibc
import Testing

@testable import MSAL

/// The torture test uses the room on file systems that are full; these tests look for it on any.
@Suite("Room for new tokens")
struct TokenRoomTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func status(_ name: String) throws -> (length: Int, allocated: Int) {
        var status = stat()
        try #require(stat(folder.file(name).path, &status) == 0)
        return (Int(status.st_size), Int(status.st_blocks) * 512)
    }

    private func spareFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasSuffix(".part") }
    }

    @Test("The encrypted store has it in its log, which keeps its length, and does not collect it")
    func log() throws {
        let store = SQLiteCredentialStore.of(folder)
        #expect(try store.reserveRoom() == nil)
        try store.save(.test(.refreshToken, "uid.ann"))
        let before = try status("cache.db-wal")
        #expect(try store.reserveRoom() == nil)
        let after = try status("cache.db-wal")
        #expect(after.length == before.length)
        #expect(after.allocated >= after.length + TokenRoom.bytes)
        _ = try store.reserveRoom()
        #expect(try status("cache.db-wal").allocated == after.allocated)
        #expect(try SQLiteCredentialStore.of(folder).all().count == 1)
    }

    @Test("The shared file has it beside itself until it ends, and keeps its content")
    func spare() throws {
        let store = UnifiedFileCredentialStore(file: folder.file("cache.json"))
        try store.update(matching: CredentialQuery()) { _ in [.save(.test(.refreshToken, "uid.ann"))] }
        let before = try Data(contentsOf: folder.file("cache.json"))
        let room = try #require(try store.reserveRoom())
        let spare = try #require(try spareFiles().first)
        #expect(try status(spare).allocated >= before.count + TokenRoom.bytes)
        room.release()
        #expect(try spareFiles().isEmpty)
        #expect(try Data(contentsOf: folder.file("cache.json")) == before)
        var forgotten = try store.reserveRoom()
        #expect(try spareFiles().count == 1 && forgotten != nil)
        forgotten = nil
        #expect(try spareFiles().isEmpty)
    }

    @Test("The store is created with the room")
    func missingStore() throws {
        _ = try SQLiteCredentialStore.of(folder).reserveRoom()
        #expect(FileManager.default.fileExists(atPath: folder.file("cache.db").path))
    }
}
