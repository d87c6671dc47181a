import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The cause of a failure, as its caller sees it, when an authority behaves unusually.
@Suite("Causes of failures", .oneSessionAtATime) struct TrueReasonTests {
    @Test(
        "A response to a refresh without an OAuth error is not a verdict, and asks for no sign-in",
        arguments: [(400, ""), (400, "{}"), (401, ""), (403, "<html>"), (409, "no")])
    func refreshWithoutReason(status: Int, body: String) async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in HTTPResponse(status: status, body: Array(body.utf8)) }
        let error = try await signedIn.failure(force: true)
        #expect(error.failureKind == .unavailable)
        #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == "\(status)")
    }

    @Test("A refresh token that comes alone is kept, because it replaced the one that was spent")
    func refreshTokenAlone() async throws {
        let signedIn = try await SignedInWorld()
        let tamper: @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse = { request, response in
            guard request.url.path().hasSuffix("/token"),
                var members = (try? JSONValue(parsing: response.body))?.object
            else { return response }
            for name in ["access_token", "id_token"] { members[name] = nil }
            return HTTPResponse(status: 200, body: Array(JSONValue.object(members).serialized.utf8))
        }
        let spent = signedIn.secrets(.refreshToken)
        signedIn.world.transport.tamper(tamper)
        let error = try await signedIn.failure(force: true)
        #expect(error.failureKind == .protocolViolation)
        #expect(!error.localizedDescription.contains("can't be renewed"))
        #expect(signedIn.secrets(.refreshToken).isDisjoint(with: spent))
        signedIn.world.transport.tamper(nil)
        #expect(try await signedIn.token(force: true).accessToken.isEmpty == false)
    }

    @Test(
        "An unusable response that replaced the refresh token says that the sign-in is gone",
        arguments: [#"{"access_token":"a","refresh_token":"r"}"#, #"{"access_token":1,"refresh_token":"r"}"#])
    func lostRefreshToken(body: String) async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in HTTPResponse(status: 200, body: Array(body.utf8)) }
        let error = try await signedIn.failure(force: true)
        #expect(error.failureKind == .protocolViolation)
        #expect(error.localizedDescription.contains("this sign-in can't be renewed"))
    }

    @Test("An outage during a refresh asks for no sign-in", arguments: ["temporarily_unavailable", "server_error"])
    func outage(error: String) async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in .rejection(error) }
        #expect(try await signedIn.failure(force: true).failureKind == .unavailable)
    }

    @Test("A token due for refresh serves while the authority is busy")
    func dueToken() async throws {
        let signedIn = try await SignedInWorld()
        try signedIn.change(.accessToken) { $0.members["refresh_on"] = "1767225601" }
        signedIn.world.time.advance(by: 60)
        signedIn.answer { _ in .rejection("temporarily_unavailable") }
        #expect(try await signedIn.token().isFromCache)
    }

    @Test("Documents that a busy server does not send are an outage", arguments: ["openid-configuration", "/keys"])
    func documents(path: String) async throws {
        var world = try World()
        world.seat(.ann)
        let log = EventLog()
        world.transport.tamper { request, response in
            request.url.path().hasSuffix(path)
                ? HTTPResponse(status: 503, headers: ["Retry-After": "120"]) : response
        }
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log.handler
        let application = try world.application()
        let error = try await #require(
            #expect(throws: MSALAuthenticationError.self) { try await application.acquireToken(with: parameters) })
        #expect(error.failureKind == .unavailable)
        #expect(error.localizedDescription == "127.0.0.1:8400 is busy (HTTP 503).")
        #expect(error.localizedRecoverySuggestion == "Try again in 120 s.")
        #expect(!log.all.contains { $0.detail.contains("rejected") })
        #expect(world.store.all.isEmpty)
    }

    @Test("A rejected ID token names the failed check")
    func failedCheck() async throws {
        let signedIn = try await SignedInWorld()
        signedIn.world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token"),
                var object = try? JSONValue(parsing: response.body).object, let token = object["id_token"]?.string
            else { return response }
            var response = response
            object["id_token"] = .string(String(token.dropLast(8)) + "AAAAAAAA")
            response.body = Array(JSONValue.object(object).serialized.utf8)
            return response
        }
        let error = try await signedIn.failure(force: true)
        #expect(error.userInfo[MSALFailedChecksKey] as? [String] == ["Signature"])
        #expect(error.failureKind == .protocolViolation)
    }

    @Test(
        "Secrets of the exchange that an ID token repeats are masked",
        arguments: ["kid", "iss", "aud", "azp", "sub", "nonce"])
    func echoInIDToken(place: String) async throws {
        let signedIn = try await SignedInWorld()
        let spent = try #require(signedIn.secrets(.refreshToken).first)
        signedIn.world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token"), var body = try? JSONValue(parsing: response.body).object,
                let token = body["id_token"]?.string, let jwt = try? JWT(parsing: token),
                let new = body["refresh_token"]?.string
            else { return response }
            var (header, claims) = (jwt.header, jwt.payload)
            let secrets = JSONValue.string("\(spent) and \(new)")
            if place == "kid" { header[place] = secrets } else { claims[place] = secrets }
            body["id_token"] = .string(
                JWT.compact(header: .object(header), payload: .object(claims)) { _ in jwt.signature })
            return HTTPResponse(status: 200, body: Array(JSONValue.object(body).serialized.utf8))
        }
        let log = EventLog()
        let parameters = signedIn.parameters(force: true)
        parameters.flowEventHandler = log.handler
        let error = try await SignedInWorld.failure {
            try await signedIn.application.acquireTokenSilent(with: parameters)
        }
        #expect(error.failureKind == .protocolViolation)
        let told = "\(error.userInfo) \(log.all.map(\.detail))"
        #expect(!told.contains(spent.prefix(20)))
    }

    @Test("An access token instead of an ID token is rejected", arguments: ["at+jwt", "application/AT+JWT"])
    func otherToken(type: String) async throws {
        let world = try OpenIDWorld()
        world.change { members in
            guard let jwt = try? JWT(parsing: members["id_token"]?.string ?? "") else { return }
            let header = jwt.header.merging(["typ": .string(type)]) { $1 }
            members["id_token"] = .string(
                JWT.compact(header: .object(header), payload: .object(jwt.payload)) { _ in jwt.signature })
        }
        let error = try await SignedInWorld.failure { try await world.signIn("email") }
        #expect(error.localizedDescription.contains("typ names another kind of token"))
    }

    @Test("An access token that has already expired is rejected", arguments: [0, .number(0.5), "0"] as [JSONValue])
    func expiredToken(lifetime: JSONValue) async throws {
        let world = try OpenIDWorld()
        world.change { $0["expires_in"] = lifetime }
        let error = try await SignedInWorld.failure { try await world.signIn("email") }
        #expect(error.localizedDescription.contains("already expired"))
        #expect(world.world.store.all.isEmpty)
    }

    @Test("A new refresh token keeps the nonce of the sign-in")
    func originalNonce() async throws {
        let world = try OpenIDWorld()
        let result = try await world.signIn("email")
        let nonce = try JWT(parsing: try #require(result.idToken)).claims.nonce
        _ = try await world.token(result.account, "email", force: true)
        let tokens = world.world.store.all.compactMap(CachedRefreshToken.init)
        #expect(nonce != nil && tokens.map(\.originalNonce) == [nonce])
    }

    @Test("An account of another authority has its own error, not a missing token")
    func otherAuthority() async throws {
        let world = try OpenIDWorld()
        let account = try await world.signIn("email").account
        let other = try world.world.application(authority: "\(Directory.fabrikam)/v2.0", isOpenID: true)
        let parameters = MSALInteractiveTokenParameters(scopes: ["email"], webviewParameters: MSALWebviewParameters())
        var elsewhere = world.world
        elsewhere.seat(.zoe)
        _ = try await elsewhere.application(authority: "\(Directory.fabrikam)/v2.0", isOpenID: true)
            .acquireToken(with: parameters)
        let silent = MSALSilentTokenParameters(scopes: ["email"], account: account)
        let error = try await SignedInWorld.failure { try await other.acquireTokenSilent(with: silent) }
        #expect(error.failureKind == .other)
        #expect(error.localizedDescription.contains("/\(Directory.contoso)/v2.0"))
        #expect(error.localizedDescription.contains("/\(Directory.fabrikam)/v2.0"))
        #expect(try other.authorities(of: account).map { $0.path() } == ["/\(Directory.contoso)/v2.0"])
    }

    @Test("A refresh token that the token endpoint repeats is masked")
    func echo() async throws {
        let signedIn = try await SignedInWorld()
        let secret = try #require(signedIn.secrets(.refreshToken).first)
        signedIn.answer { form in
            let body = #"{"error":"invalid_grant","error_description":"unknown: \#(form.formEncoded)"}"#
            return HTTPResponse(status: 400, body: Array(body.utf8))
        }
        let error = try await signedIn.failure(force: true)
        #expect(!"\(error.userInfo)".contains(secret))
        #expect(error.localizedDescription.contains("refresh_token="))
    }
}
