import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

@Suite("Documents in the token store")
struct EncryptedDocumentCacheTests {
    private let folder: TemporaryFolder
    private let keys: URL
    private let discovery: URL
    private let document = CachedDocument(
        body: Array("{\n\"token_endpoint\": \"https://authority.test/token\"}".utf8),
        fetchedAt: Date(timeIntervalSince1970: 1_700_000_000.25), lifetime: 90.5)

    init() throws {
        folder = try TemporaryFolder()
        keys = try #require(URL(string: "https://authority.test/a/../keys?x=1"))
        discovery = try #require(URL(string: "https://authority.test/.well-known/openid-configuration"))
    }

    private var cache: EncryptedDocumentCache { EncryptedDocumentCache(SQLiteCredentialStore.of(folder)) }

    @Test("Are returned in another process, for their own URL only, until they are removed")
    func roundTrip() throws {
        #expect(try cache.load(keys) == nil)
        try cache.save(document, for: keys)
        #expect(try cache.load(keys) == document)
        #expect(try cache.load(discovery) == nil)
        let newer = CachedDocument(body: [0, 255], fetchedAt: Date(timeIntervalSince1970: -1))
        try cache.save(newer, for: keys)
        #expect(try cache.load(keys) == newer)
        try cache.save(nil, for: keys)
        #expect(try cache.load(keys) == nil)
    }

    @Test("Of a server under a CA file are for applications with this file alone") func trust() throws {
        let shared = cache
        let (one, other) = (
            TrustedDocumentCache(shared, authorities: "/one.pem"),
            TrustedDocumentCache(shared, authorities: "/other.pem")
        )
        for url in [keys, discovery] {
            try one.save(document, for: url)
            #expect(try one.load(url) == document)
            #expect(try other.load(url) == nil && shared.load(url) == nil)
            try shared.save(document, for: url)
            try one.save(nil, for: url)
            #expect(try one.load(url) == nil && shared.load(url) == document)
        }
        let record = try #require(URL(string: "urn:keyturn:client:ab12"))
        try one.save(document, for: record)
        #expect(try shared.load(record) == document)
    }

    @Test("The URL is not encrypted, but the document is, as docs/security.md says")
    func plainURL() throws {
        try cache.save(document, for: keys)
        try change("PRAGMA wal_checkpoint(TRUNCATE)")
        let content = try Data(contentsOf: folder.file("cache.db"))
        #expect(content.range(of: Data("authority.test/a/".utf8)) != nil)
        #expect(content.range(of: Data("token_endpoint".utf8)) == nil)
    }

    private func change(_ sql: String) throws {
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 60_000)
        try connection.run(sql)
    }

    @Test(
        "Are dropped without an error after another program changed or moved them",
        arguments: [
            "UPDATE credential SET sealed = zeroblob(length(sealed)) WHERE kind = 'Document'",
            "UPDATE credential SET target = 'https://authority.test/.well-known/openid-configuration'",
        ])
    func changed(sql: String) throws {
        try cache.save(document, for: keys)
        try change(sql)
        #expect(try cache.load(keys) == nil && cache.load(discovery) == nil)
        // Nothing is left to report, and the document can be cached again.
        let store = SQLiteCredentialStore.of(folder)
        #expect(try store.protection().damagedRecords == 0)
        #expect(try store.all().isEmpty)
        try cache.save(document, for: keys)
        #expect(try cache.load(keys) == document)
    }

    @Test("Are not read with an account's tokens, nor exported")
    func apart() throws {
        let store = MemoryCredentialStore()
        try EncryptedDocumentCache(store).save(document, for: keys)
        let tokens = TokenCache(store: store, clientID: "app")
        #expect(try tokens.credentials(of: "uid.utid", includesApplication: true).records.isEmpty)
        var export = UnifiedDocument()
        export.apply(store.all.map { .save($0) })
        #expect(export.records.isEmpty)
    }
}
