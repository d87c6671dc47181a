import Foundation
import Glibc
import KeyturnSystem
import Testing

@testable import MSAL

@Suite("ADAL cache files")
struct ADALCacheDiskTests {
    @Test("Are used only if other users can't change them or their folder")
    func trust() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("adal.json")
        try folder.place("adal.json", Data("x".utf8))
        let disk = ADALCacheDisk(
            files: [file, folder.file("missing")], patience: .init(quietSeconds: 0, seconds: 0))
        #expect(disk.contents() == [Array("x".utf8)])
        try #require(chmod(file.path, 0o602) == 0)
        #expect(disk.contents().isEmpty)
        try #require(chmod(file.path, 0o644) == 0)
        #expect(disk.contents().count == 1)
        try #require(chmod(folder.url.path, 0o702) == 0)
        #expect(disk.contents().isEmpty)
    }
}
