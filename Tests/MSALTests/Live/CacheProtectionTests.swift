import Foundation
import MSAL
import Testing

@Suite("Cache protection")
struct CacheProtectionTests {
    static let rows: [(kind: MSALCacheProtection.Kind, words: String, configure: @Sendable (MSALCacheConfig) -> Void)] =
        [
            (.keyFile, "Encrypted with a key in a file", { $0.keySource = .keyFile }),
            (
                .passphrase, "Encrypted with a key from a passphrase",
                { cache in
                    cache.keySource = .passphrase
                    cache.passphrase = .provider { "correct horse" }
                }
            ),
            (
                .unifiedFile, "Not encrypted",
                { cache in cache.storeURL.map { cache.kind = .unified($0) } }
            ),
        ]

    @Test("Equals the application's report of its own cache", arguments: rows.indices)
    func said(index: Int) throws {
        let row = Self.rows[index]
        let folder = FileManager.default.temporaryDirectory.appending(path: "protection-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "client", redirectUri: "http://localhost", authority: nil)
        let file = folder.appending(path: "cache")
        configuration.cacheConfig.storeURL = file
        row.configure(configuration.cacheConfig)
        let protection = try MSALPublicClientApplication(configuration: configuration).cacheProtection
        #expect(protection.kind == row.kind)
        #expect(protection.path == file.path)
        #expect(protection.explanation.hasPrefix(row.words), "\(protection.explanation)")
        #expect(!protection.explanation.contains("\n"))
    }

    @Test("Throws when the cache cannot be opened")
    func rejected() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "protection-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "client", redirectUri: "http://localhost", authority: nil)
        configuration.cacheConfig.storeURL = folder.appending(path: "cache")
        let application = try MSALPublicClientApplication(configuration: configuration)
        #expect(throws: MSALAuthenticationError.self) { try application.cacheProtection }
    }
}
