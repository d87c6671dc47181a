import Foundation
import Glibc
import Testing

@testable import KeyturnSystem

@Suite("Partial files")
struct PartialFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "partial-\(UUID().uuidString)").path

    private func withFolder(_ body: () throws -> Void) throws {
        try #require(mkdir(folder, 0o700) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private func place(_ names: [String]) throws {
        for name in names {
            try #require(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data("secret".utf8)))
        }
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test("The next write of the same file deletes them, and nothing else")
    func sameFile() throws {
        try withFolder {
            let others = [
                "a", "a.part", "a.1qor0qlrtd1c4", "a.ABCDEFGHIJ.part", "a.12345678.part", "a.12345678901234.part",
                "a.b.1qor0qlrtd1c4.part", "ab.1qor0qlrtd1c4.part", "b.1qor0qlrtd1c4.part",
                "tokens.1qor0qlrtd.json.part",
            ]
            try place(others + ["a.1qor0qlrtd1c4.part", "a.qor0qlrtd.part"])
            try DurableFile.write([1], to: "\(folder)/a", replaces: true)
            #expect(try names() == others.sorted())
        }
    }

    @Test("A write of another file of the same owner deletes them")
    func sameOwner() throws {
        try withFolder {
            let others = ["cache.db", "cache.dbx.1qor0qlrtd1c4.part", "other.db.1qor0qlrtd1c4.part"]
            try place(
                others + [
                    "cache.db.anchor.1qor0qlrtd1c4.part", "cache.db.yQvI_3Q.key.1qor0qlrtd1c4.part",
                    "cache.db.1qor0qlrtd1c4.part",
                ])
            try DurableFile.write([1], to: "\(folder)/cache.db.anchor", replaces: true, of: "\(folder)/cache.db")
            #expect(try names() == (others + ["cache.db.anchor"]).sorted())
        }
    }

    @Test("Keeps files that a process is writing, and anything but regular files")
    func inUse() throws {
        try withFolder {
            let (file, path) = try PartialFile.make(for: "\(folder)/a")
            try #require(mkdir("\(folder)/a.1qor0qlrtd1c4.part", 0o700) == 0)
            try #require(mkfifo("\(folder)/a.2qor0qlrtd1c4.part", 0o600) == 0)
            try #require(symlink("a", "\(folder)/a.3qor0qlrtd1c4.part") == 0)
            PartialFile.removeAbandoned(of: "\(folder)/a")
            #expect(try names().count == 4)
            // The end of the process closes the file and releases the lock.
            close(file)
            PartialFile.removeAbandoned(of: "\(folder)/a")
            #expect(access(path, F_OK) != 0)
            #expect(try names().count == 3)
        }
    }

    @Test("Their names match the pattern")
    func form() throws {
        try withFolder {
            let (file, path) = try PartialFile.make(for: "\(folder)/a")
            close(file)
            #expect(PartialFile.isPartialName((path as NSString).lastPathComponent, of: "a"))
        }
    }

    @Test("Concurrent writers of the same file don't disturb each other")
    func atOnce() async throws {
        try #require(mkdir(folder, 0o700) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/a"
        let failures: [String] = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<8 { group.addTask { Self.writeOften(path) } }
            return await group.reduce(into: [String]()) { if let failure = $1 { $0.append(failure) } }
        }
        #expect(failures == [])
        #expect(try names() == ["a"])
    }

    private static func writeOften(_ path: String) -> String? {
        do {
            for number in 0..<40 { try DurableFile.write([UInt8(number)], to: path, replaces: true) }
            return nil
        } catch {
            return "\(error)"
        }
    }
}
