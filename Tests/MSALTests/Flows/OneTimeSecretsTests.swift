import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// What a sign-in sends only once (RFC 6749 §10.10, RFC 7636 §7.1, OpenID Connect Core §15.5.2).
@Suite("One-time values of a sign-in", .oneSessionAtATime)
struct OneTimeSecretsTests {
    @Test("State, nonce and verifier differ from each other and from those of the next sign-in")
    func different() async throws {
        let openID = try OpenIDWorld()
        for _ in 0..<2 { try await openID.signIn("User.Read") }
        let pages = openID.world.transport.requests.filter {
            $0.url.path().hasSuffix("/authorize") && $0.method == .get
        }
        .map { Parameters(queryOf: $0.url.absoluteString) }
        .filter { $0["state"] != nil }
        let states = Set(pages.compactMap { $0["state"] })
        let nonces = Set(pages.compactMap { $0["nonce"] })
        let verifiers = Set(openID.forms.compactMap { $0["code_verifier"] })
        let challenges = Set(pages.compactMap { $0["code_challenge"] })
        for values in [states, nonces, verifiers] { #expect(values.count == 2) }
        #expect(states.union(nonces).union(verifiers).union(challenges).count == 8)
        #expect(Set(verifiers.compactMap { CodeVerifier($0)?.challenge }) == challenges)
    }
}
