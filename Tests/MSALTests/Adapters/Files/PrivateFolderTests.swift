import Foundation
import Glibc
import KeyturnSystem
import Testing

@testable import MSAL

@Suite("Private folders")
struct PrivateFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("Missing folders are created for their owner alone, and existing ones keep their mode")
    func making() throws {
        let path = folder.url.path + "/above/keyturn"
        try PrivateFolder.make(path)
        #expect(mode(path) == 0o700)
        #expect(mode(folder.url.path + "/above") == 0o700)
        chmod(path, 0o755)
        try PrivateFolder.make(path)
        #expect(mode(path) == 0o755)
    }

    @Test("A folder that cannot be created is reported with the cause")
    func failures() throws {
        let file = folder.url.path + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(throws: POSIXError(.ENOTDIR)) { try PrivateFolder.make(file + "/keyturn") }
        #expect(throws: POSIXError(.ENOENT)) { try PrivateFolder.make("") }
    }

    /// If a folder were open for a moment, one of the threads would see it within a few rounds.
    @Test("Threads that create the same folder at the same moment never see it open to other users")
    func race() throws {
        let failures = Locked<[String]>([])
        for round in 0..<300 {
            let path = "\(folder.url.path)/\(round)/keyturn"
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                do { try PrivateFile.prepareFolder(path) } catch { failures.withLock { $0.append("\(error)") } }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }
}
