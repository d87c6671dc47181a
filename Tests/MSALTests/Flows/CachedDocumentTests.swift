import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

@Suite("Cached documents") struct CachedDocumentTests {
    /// Reports its damage once, like the store that moves a damaged file away.
    private struct DamagedOnce: DocumentCache {
        func urls(beginning start: String) throws(CredentialStoreFailure) -> [URL] { [] }

        let remaining = Countdown(1)

        func load(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument? {
            if remaining.next() { throw CredentialStoreFailure(.setAside(as: "x"), reason: "It is damaged.") }
            return nil
        }

        func save(_ document: CachedDocument?, for url: URL) {}
    }

    @Test("Damage found while only reading cached documents is reported by the next request")
    func damage() async throws {
        var dependencies = try World().dependencies
        dependencies.documents = DamagedOnce()
        let metadata = MetadataSource(dependencies: dependencies)
        let url = try #require(URL(string: "https://login.contoso.example/keys"))
        #expect(metadata.cachedDocument(url) { $0 } == nil)
        await #expect(throws: AuthenticationFailure.self) {
            _ = try await metadata.document(url, by: dependencies.transport) { $0 }
        }
    }

    @Test("An unregistered token type is not repeated, since it may be a secret of the request")
    func tokenType() {
        let unknown = TokenResponseFailure.Fact.otherTokenType(expected: "Bearer", found: "RT-secret")
        #expect(unknown.explanation == "its token is not a Bearer token")
        for type in ["DPoP", "ssh-cert"] {
            let known = TokenResponseFailure.Fact.otherTokenType(expected: "Bearer", found: type)
            #expect(known.explanation.contains("\"\(type)\""))
        }
    }
}

private final class Countdown: Sendable {
    private let left: Locked<Int>

    init(_ count: Int) { left = Locked(count) }

    func next() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}
