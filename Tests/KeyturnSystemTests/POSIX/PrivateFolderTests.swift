import Foundation
import Glibc
import Testing

@testable import KeyturnSystem

@Suite("Private folders")
struct PrivateFolderTests {
    @Test("Whether a folder can be written is tried in the nearest existing one, without a trace")
    func writing() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            .path(percentEncoded: false)
        try PrivateFolder.make(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for path in [folder, "\(folder)/a", "\(folder)/a/b/c"] {
            #expect(PrivateFolder.codeOfWriting(in: path) == nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("Even root can't create files in /proc or in a file", arguments: ["/proc/keyturn", "/dev/null/keyturn"])
    func impossible(path: String) {
        #expect(PrivateFolder.codeOfWriting(in: path) != nil)
    }
}
