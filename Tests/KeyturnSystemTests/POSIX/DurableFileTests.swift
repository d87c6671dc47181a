import Foundation
import KeyturnSystem
import Testing

@Suite("Durable files")
struct DurableFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "durable-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    private func finish() { try? FileManager.default.removeItem(at: folder) }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("Are written for their owner only, replaced if allowed, and leave no other file")
    func writing() throws {
        defer { finish() }
        let path = folder.appending(path: "a").path
        let long = [UInt8](repeating: 7, count: 3 << 20)
        try DurableFile.write(long, to: path, replaces: false)
        #expect(FileManager.default.contents(atPath: path) == Data(long))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let rejected = #expect(throws: POSIXError.self) { try DurableFile.write([1], to: path, replaces: false) }
        #expect(rejected?.code == .EEXIST)
        #expect(FileManager.default.contents(atPath: path) == Data(long))
        try DurableFile.write([], to: path, replaces: true)
        #expect(FileManager.default.contents(atPath: path) == Data())
        #expect(try names() == ["a"])
    }

    @Test("Leave the old file when writing fails")
    func failing() throws {
        defer { finish() }
        let path = folder.appending(path: "a").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: POSIXError.self) { try DurableFile.write([1], to: path, replaces: true) }
        #expect(throws: POSIXError.self) { try DurableFile.write([1], to: path + "/missing/b", replaces: true) }
        #expect(try names() == ["a"])
    }
}
