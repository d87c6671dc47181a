import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Token requests for the challenge of a resource.
@Suite("Requests for a challenge", .oneSessionAtATime) struct ChallengedRequestTests {
    private static let claims =
        "eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiYzEifX19"

    @Test("A rejected token is replaced, a missing one comes from the cache", arguments: [true, false])
    func rejected(isRejected: Bool) async throws {
        let world = try await SignedInWorld()
        let parameters = world.parameters()
        parameters.challenge = try MSALChallenge(headers: [isRejected ? "Bearer error=invalid_token" : "Bearer"])
        let result = try await world.application.acquireTokenSilent(with: parameters)
        #expect(result.isFromCache == !isRejected)
        #expect(world.tokenRequests.count == (isRejected ? 1 : 0))
    }

    @Test("The scopes and claims of a challenge are requested besides the program's") func more() async throws {
        let world = try await SignedInWorld()
        let parameters = world.parameters()
        parameters.claimsRequest = try MSALClaimsRequest(jsonString: #"{"id_token":{"email":null}}"#)
        parameters.challenge = try MSALChallenge(
            text: "WWW-Authenticate: Bearer scope=\"Mail.Read\", claims=\"\(Self.claims)\"")
        let error = try await SignedInWorld.failure { try await world.application.acquireTokenSilent(with: parameters) }
        #expect(error.failureKind == .signInRequired)
        let request = try #require(world.tokenRequests.first)
        #expect(Scopes(parsing: request["scope"] ?? "").withoutReserved == ["User.Read", "Mail.Read"])
        #expect(
            request["claims"]
                == #"{"access_token":{"acrs":{"essential":true,"value":"c1"}},"id_token":{"email":null}}"#)
    }

    @Test("Only a sign-in can meet a step-up challenge: nothing is sent silently") func stepUp() async throws {
        let world = try await SignedInWorld()
        let challenge = try MSALChallenge(headers: [
            #"Bearer error="insufficient_user_authentication", max_age=60, acr_values="urn:mfa urn:phr""#
        ])
        let parameters = world.parameters()
        parameters.challenge = challenge
        let error = try await SignedInWorld.failure { try await world.application.acquireTokenSilent(with: parameters) }
        #expect(error.failureKind == .signInRequired)
        #expect(world.world.transport.requests.isEmpty)

        var seated = world.world
        seated.seat(.ann)
        let interactive = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        interactive.challenge = challenge
        _ = try await seated.application().acquireToken(with: interactive)
        let page = try #require(world.world.transport.requests.first { $0.url.path().hasSuffix("/authorize") })
        let query = Parameters(formEncoded: page.url.query() ?? "")
        #expect(query["acr_values"] == "urn:mfa urn:phr")
        #expect(query["max_age"] == "60")
    }

    /// OpenID Connect Core §3.1.2.1: after `max_age`, the ID token must say when the user was authenticated. Entra doesn't.
    @Test(
        "After max_age, a user who was authenticated too long ago is not signed in",
        arguments: [
            (false, 1_000_000_000, "more than the requested"), (true, 1_000_000_000, "more than the requested"),
            (false, .null, "doesn't say when"), (true, .null, nil),
        ] as [(Bool, JSONValue, String?)])
    func oldAuthentication(isEntra: Bool, time: JSONValue, reason: String?) async throws {
        let fault = try Fault([
            "name": "x", "title": "x", "behaviour": "x", "demand": "reject",
            "changes": ["claims": ["auth_time": time]],
        ])
        var world = try World(fault.settings)
        world.seat(.ann)
        let application = try world.application(
            authority: isEntra ? "common" : "\(Directory.contoso)/v2.0", isOpenID: !isEntra)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        _ = try await application.acquireToken(with: parameters)
        parameters.challenge = try MSALChallenge(headers: [
            #"Bearer error="insufficient_user_authentication", max_age=60, acr_values="urn:other""#
        ])
        guard let reason else {
            let result = try await application.acquireToken(with: parameters)
            let warning = result.idTokenVerdicts.first { $0.explanation.contains("how the user was authenticated") }
            #expect(warning?.outcome == .warning)
            return
        }
        let error = try await SignedInWorld.failure { try await application.acquireToken(with: parameters) }
        #expect(error.localizedDescription.contains(reason), "\(error.localizedDescription)")
    }

    @Test(
        "A challenge that can't be met is named",
        arguments: [
            ("DPoP algs=\"ES256\"", "DPoP"), ("Basic realm=x", "no Bearer challenge"),
            ("Bearer claims=%%%", "not a JSON object"),
        ])
    func named(_ header: String, _ word: String) throws {
        let error = try #require(
            #expect(throws: MSALAuthenticationError.self) { try MSALChallenge(headers: [header]) })
        #expect(error.localizedDescription.contains(word), "\(error.localizedDescription)")
    }
}
