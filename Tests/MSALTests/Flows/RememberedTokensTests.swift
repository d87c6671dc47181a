import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// A token from memory equals the one that the cache would return.
@Suite("Remembered tokens", .oneSessionAtATime)
struct RememberedTokensTests {
    /// A world in which the same token was requested before.
    private func asked() async throws -> SignedInWorld {
        let signedIn = try await SignedInWorld()
        _ = try await signedIn.token()
        #expect(signedIn.application.rememberedToken(for: signedIn.parameters()) != nil)
        return signedIn
    }

    @Test("Are the same tokens, and each call's result has its own correlation ID")
    func same() async throws {
        let signedIn = try await SignedInWorld()
        let parameters = signedIn.parameters()
        #expect(signedIn.application.rememberedToken(for: parameters) == nil)
        let first = try await signedIn.application.acquireTokenSilent(with: parameters)
        let second = try await signedIn.application.acquireTokenSilent(with: parameters)
        #expect(second.accessToken == first.accessToken && second.idToken == first.idToken)
        #expect(second.scopes == first.scopes && second.expiresOn == first.expiresOn && second.isFromCache)
        #expect(second.account == first.account && second.authority.url == first.authority.url)
        #expect(second.idTokenVerdicts == first.idTokenVerdicts)
        #expect(second.correlationId != first.correlationId)
        parameters.correlationId = UUID()
        let third = try await signedIn.application.acquireTokenSilent(with: parameters)
        #expect(third.correlationId == parameters.correlationId)
        #expect(signedIn.world.transport.requests.isEmpty)
    }

    @Test("Are dropped when anything in the store changes")
    func changed() async throws {
        let signedIn = try await asked()
        try signedIn.change(.accessToken) { $0.members["secret"] = "another" }
        #expect(try await signedIn.token().accessToken == "another")
        try TokenCache(store: signedIn.world.store, clientID: signedIn.application.settings.clientID)
            .remove(homeAccountID: try #require(signedIn.account.identifier))
        #expect(try await signedIn.failure().code == MSALError.interactionRequired.rawValue)
    }

    @Test("Are not returned when the store fails")
    func failing() async throws {
        let signedIn = try await asked()
        signedIn.world.store.fail(with: CredentialStoreFailure(.io, reason: "It failed."))
        #expect(try await signedIn.failure().code == MSALError.internal.rawValue)
    }

    @Test("Last as long as the cache would return them", arguments: [-60.0, 3290, 3310, 4000])
    func time(seconds: Double) async throws {
        let signedIn = try await asked()
        signedIn.world.time.advance(by: seconds)
        let isGood = (0..<3300).contains(seconds)
        #expect((signedIn.application.rememberedToken(for: signedIn.parameters()) != nil) == isGood)
        #expect(try await signedIn.token().isFromCache == isGood)
    }

    @Test("Are dropped when the token is due for a refresh")
    func due() async throws {
        let signedIn = try await SignedInWorld()
        let soon = signedIn.world.time.now().timeIntervalSince1970 + 600
        try signedIn.change(.accessToken) { $0.members["refresh_on"] = .string(String(Int(soon))) }
        _ = try await signedIn.token()
        signedIn.world.time.advance(by: 599)
        #expect(try await signedIn.token().isFromCache)
        signedIn.world.time.advance(by: 2)
        #expect(try await !signedIn.token().isFromCache)
    }

    static let others: [(name: String, change: @Sendable (MSALSilentTokenParameters, World) throws -> Void)] = [
        ("other scopes", { parameters, _ in parameters.scopes = ["Mail.Read"] }),
        ("a new token", { parameters, _ in parameters.forceRefresh = true }),
        (
            "claims",
            { parameters, _ in
                parameters.claimsRequest = try MSALClaimsRequest(jsonString: #"{"access_token":{"acrs":null}}"#)
            }
        ),
        (
            "another authority",
            { parameters, world in
                parameters.authority = try MSALAADAuthority(url: world.transport.origin.appending(path: "fabrikam"))
            }
        ),
        ("parameters of its own", { parameters, _ in parameters.extraQueryParameters = ["a": "b"] }),
        (
            "a token for one request",
            { parameters, world in
                parameters.authenticationScheme = MSALAuthenticationSchemePop(
                    httpMethod: .GET, request: world.transport.origin, nonce: nil, additionalParameters: nil)
            }
        ),
        ("a caller that follows the flow", { parameters, _ in parameters.flowEventHandler = { _ in } }),
    ]

    @Test("Do not serve another request", arguments: others.indices)
    func other(index: Int) async throws {
        let signedIn = try await asked()
        let parameters = signedIn.parameters()
        try Self.others[index].change(parameters, signedIn.world)
        #expect(signedIn.application.rememberedToken(for: parameters) == nil, "\(Self.others[index].name)")
    }

    /// For several hundred results without tokens.
    private let small = RememberedTokens(mostBytes: 1 << 20)
    private let stamp = CredentialStamp(SIMD4(1, 0, 0, 0))

    private func question(_ number: Int) -> RememberedTokens.Question {
        RememberedTokens.Question(
            scopes: [], homeAccountID: "\(number)", authority: AuthorityRules.common)
    }

    private func remember(_ number: Int) {
        small.remember(
            RememberedTokens.Entry(
                contents: Self.result.contents, stamp: stamp, good: ManualTime.start..<ManualTime.start + 60),
            for: question(number))
    }

    private func isKnown(_ number: Int) -> Bool {
        small.contents(for: question(number), stamp: stamp, now: ManualTime.start) != nil
    }

    @Test("Stay within the memory limit, and the last one stays")
    func bounded() {
        var most = 0
        for number in 0..<5000 {
            remember(number)
            most = max(most, small.count)
            #expect(isKnown(number))
        }
        #expect((300..<600).contains(most))
        #expect(!isKnown(0))
    }

    @Test("Of the same request replace each other, and count once")
    func replaced() {
        for _ in 0..<5000 { remember(0) }
        remember(1)
        #expect(small.count == 2)
    }

    @Test("Count with the size of their tokens")
    func heavy() {
        let large = RememberedTokens(mostBytes: 1 << 20)
        for number in 0..<100 {
            large.remember(
                RememberedTokens.Entry(
                    contents: Self.result(String(repeating: "a", count: 100_000)).contents, stamp: stamp,
                    good: ManualTime.start..<ManualTime.start + 60),
                for: question(number))
            #expect(large.count <= 11)
        }
    }

    private static let result = result("at")

    private static func result(_ accessToken: String) -> MSALResult {
        let contents = MSALResultContents(
            accessToken: accessToken, expiresOn: nil, idToken: nil, scopes: [],
            tenantProfile: MSALTenantProfile(
                identifier: nil, environment: nil, tenantId: nil, isHomeTenantProfile: true, claims: nil),
            account: MSALAccount(
                username: nil, homeAccountId: nil, environment: "", tenantProfiles: nil, claims: nil),
            authority: AuthorityRules.common, isFromCache: true)
        return MSALResult(contents, correlationID: UUID())
    }
}
