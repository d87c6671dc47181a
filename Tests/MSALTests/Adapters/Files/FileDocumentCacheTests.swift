import Foundation
import Glibc
import Testing

@testable import MSAL

@Suite("Document cache")
struct FileDocumentCacheTests {
    private let folder: TemporaryFolder
    private let cache: FileDocumentCache
    private let url: URL
    private let document = CachedDocument(
        body: Array("{\n\"keys\": [\n]}\n\n".utf8), fetchedAt: Date(timeIntervalSince1970: 1_700_000_000.25),
        lifetime: 90.5)

    init() throws {
        folder = try TemporaryFolder()
        cache = FileDocumentCache(directory: folder.file("documents"))
        url = try #require(URL(string: "https://authority.test/a/../keys?x=1"))
    }

    @Test("Returns the document for its own URL only")
    func roundTrip() throws {
        #expect(cache.load(url) == nil)
        cache.save(document, for: url)
        #expect(cache.load(url) == document)
        #expect(cache.load(try #require(URL(string: "https://authority.test/keys"))) == nil)
        let empty = CachedDocument(body: [], fetchedAt: Date(timeIntervalSince1970: -1))
        cache.save(empty, for: url)
        #expect(FileDocumentCache(directory: folder.file("documents")).load(url) == empty)
        #expect(try names().count == 1)
        cache.save(nil, for: url)
        #expect(try cache.load(url) == nil && names().isEmpty)
        cache.save(document, for: url)
        #expect(try folder.permissions("documents") == 0o700)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("documents").path)
    }

    @Test(
        "Garbage counts as absent, and is replaced",
        arguments: [
            "", "garbage", "keyturn-document-2\nhttps://elsewhere.test/\n1\n\n{}",
            "keyturn-document-2\nhttps://authority.test/a/../keys?x=1\nnan\n\n{}",
            "keyturn-document-2\nhttps://authority.test/a/../keys?x=1\n1\n",
            "keyturn-document-1\nhttps://authority.test/a/../keys?x=1\n1\n{}",
        ])
    func garbage(text: String) throws {
        cache.save(document, for: url)
        let file = folder.file("documents/\(try #require(try names().first))")
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
        #expect(cache.load(url) == nil)
        cache.save(document, for: url)
        #expect(cache.load(url) == document)
    }

    @Test("Ignores a folder that other users can change")
    func unsafeFolder() throws {
        cache.save(document, for: url)
        try #require(chmod(folder.url.path, 0o777) == 0)
        #expect(cache.load(url) == nil)
    }

    @Test("An unusable folder is not a failure")
    func unusable() throws {
        try Data().write(to: folder.file("file"))
        let cache = FileDocumentCache(directory: folder.file("file/below"))
        cache.save(document, for: url)
        #expect(cache.load(url) == nil)
    }
}
