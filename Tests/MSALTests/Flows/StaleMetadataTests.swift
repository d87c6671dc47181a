import DemoAuthority
import Foundation
import KeyturnCrypto
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Cached metadata of an authority may be outdated: it is fetched again before a token is sent or rejected.
@Suite("Outdated metadata", .oneSessionAtATime) struct StaleMetadataTests {
    /// Knows only the authority's host.
    private struct NarrowTransport: HTTPTransport {
        let world: World

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            guard request.url.host() == world.transport.origin.host() else {
                throw TransportFailure(.couldNotResolveHost, reason: "Can't resolve \(request.url.host() ?? "") (DNS).")
            }
            return try await world.transport.send(request)
        }
    }

    private static func url(_ world: World, _ path: String) throws -> URL {
        try #require(URL(string: path, relativeTo: world.transport.origin)?.absoluteURL)
    }

    private static let issuer = Directory.contoso + "/v2.0"
    private static let discovery = "/\(issuer)/.well-known/openid-configuration"

    /// A world in which Ann has signed in at the OpenID issuer, and an application that starts with the cached
    /// metadata.
    private struct Started {
        let world: World
        let application: MSALPublicClientApplication
        let account: MSALAccount

        func refreshed() async throws -> MSALResult {
            let parameters = MSALSilentTokenParameters(scopes: ["email"], account: account)
            parameters.forceRefresh = true
            return try await application.acquireTokenSilent(with: parameters)
        }

        /// Request counts by path, and the refresh tokens of the token requests.
        func spent() -> [(url: String, token: String)] {
            world.transport.requests.filter { $0.method == .post }.map { request in
                let form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
                return (request.url.path(), form["refresh_token"] ?? "")
            }
        }

        func asked(_ suffix: String) -> Int {
            world.transport.requests.count { $0.method == .get && $0.url.path().hasSuffix(suffix) }
        }
    }

    private func started(change: (inout [String: JSONValue]) -> Void = { _ in }) async throws -> Started {
        var world = try World()
        world.seat(.ann)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["email"], webviewParameters: MSALWebviewParameters())
        let account = try await world.application(authority: Self.issuer, isOpenID: true)
            .acquireToken(with: parameters).account
        world.browser = ForbiddenBrowser()
        let address = try Self.url(world, Self.discovery)
        var kept = try #require(world.documents.load(address))
        var members = try #require(try JSONValue(parsing: kept.body).object)
        change(&members)
        kept.body = Array(JSONValue.object(members).serialized.utf8)
        world.documents.save(kept, for: address)
        world.transport.forget()
        return Started(
            world: world,
            application: try world.application(
                authority: Self.issuer, isOpenID: true, transport: NarrowTransport(world: world)),
            account: account)
    }

    @Test("Valid metadata costs no request")
    func right() async throws {
        let started = try await started()
        _ = try await started.refreshed()
        #expect(started.world.transport.requests.count == 1)
    }

    @Test(
        "A token endpoint that moved within its server, or from a lost host, gets the refresh token once",
        arguments: ["http://127.0.0.1:8400/moved/token", "http://127.0.0.2:8400/token"])
    func movedTokenEndpoint(old: String) async throws {
        let started = try await started { $0["token_endpoint"] = .string(old) }
        _ = try await started.refreshed()
        let spent = started.spent()
        #expect(Set(spent.map(\.url)).count == spent.count)
        #expect(spent.last?.url.hasSuffix("/oauth2/v2.0/token") == true)
        #expect(started.asked("openid-configuration") == 1)
        // The new discovery document is cached: the next refresh uses it at once.
        started.world.transport.forget()
        _ = try await started.refreshed()
        #expect(started.world.transport.requests.count == 1)
    }

    @Test("A refresh token that a server received isn't sent to another; the next request uses the new endpoint")
    func movedToAnotherServer() async throws {
        let started = try await started { $0["token_endpoint"] = "http://127.0.0.1:8401/old/token" }
        started.world.transport.tamper { request, response in
            request.url.port == 8401 ? HTTPResponse(status: 404) : response
        }
        let failure = try await SignedInWorld.failure { try await started.refreshed() }
        #expect(failure.failureKind == .unavailable)
        #expect(
            failure.localizedDescription
                == "The endpoint at 127.0.0.1:8401 moved to http://127.0.0.1:8400 (HTTP 404).")
        #expect(started.spent().map(\.url) == ["/old/token"])
        started.world.transport.forget()
        _ = try await started.refreshed()
        #expect(started.spent().count == 1)
    }

    @Test("The browser doesn't open if the authority is unreachable")
    func stopped() async throws {
        let started = try await started()
        started.world.transport.trouble(.offline)
        let parameters = MSALInteractiveTokenParameters(scopes: ["email"], webviewParameters: MSALWebviewParameters())
        let failure = try await SignedInWorld.failure { try await started.application.acquireToken(with: parameters) }
        #expect(failure.failureKind == .unavailable)
        #expect(failure.localizedDescription.contains("Can't reach"))
    }

    @Test("An endpoint that is gone without a new URL gets one request", arguments: [404, 405, 410])
    func gone(status: Int) async throws {
        let started = try await started()
        started.world.transport.tamper { request, response in
            request.method == .post ? HTTPResponse(status: status) : response
        }
        let failure = try await SignedInWorld.failure { try await started.refreshed() }
        #expect(failure.userInfo[MSALHTTPResponseCodeKey] as? String == String(status))
        #expect(started.spent().count == 1)
        #expect(started.asked("openid-configuration") == 1)
    }

    @Test("An endpoint that returns a server error or an OAuth error has not moved", arguments: [400, 403, 500, 503])
    func answering(status: Int) async throws {
        let started = try await started()
        started.world.transport.tamper { request, response in
            request.method == .post ? HTTPResponse(status: status) : response
        }
        _ = try await SignedInWorld.failure { try await started.refreshed() }
        #expect(started.spent().count == 1)
        #expect(started.asked("openid-configuration") == 0)
    }

    @Test("A key that was replaced under its old ID is fetched again before the ID token is rejected")
    func replacedKey() async throws {
        let started = try await started()
        let world = started.world
        let configuration = try OpenIDConfiguration(
            parsing: try #require(world.documents.load(Self.url(world, Self.discovery))).body)
        let address = try #require(configuration.jwksURI)
        var kept = try #require(world.documents.load(address))
        let names = try JWKSet(parsing: kept.body).keys.map(\.keyID)
        let other = try PrivateKey.generate(.rsa(bits: 2048)).publicKey
        kept.body = Array(JWKSet(keys: names.map { JWK(other, keyID: $0) }).json.serialized.utf8)
        world.documents.save(kept, for: address)
        let before = world.store.all.filter { $0.key.kind == .refreshToken }
        let result = try await started.refreshed()
        #expect(!result.idTokenVerdicts.isEmpty && result.idTokenVerdicts.allSatisfy { $0.outcome != .failed })
        #expect(world.store.all.filter { $0.key.kind == .refreshToken } != before)
        #expect(started.spent().count == 1)
        #expect(started.asked("openid-configuration") == 1)
    }

    @Test("Moved keys are found through discovery")
    func movedKeys() async throws {
        let started = try await started { $0["jwks_uri"] = "http://127.0.0.1:8400/moved/keys" }
        _ = try await started.refreshed()
        #expect(started.spent().count == 1)
        #expect(started.asked("openid-configuration") == 1)
        #expect(started.asked("/moved/keys") == 1)
    }

    @Test("A forged token is rejected after one new fetch")
    func forged() async throws {
        let started = try await started()
        started.world.transport.tamper { request, response in
            guard request.method == .post, var members = try? JSONValue(parsing: response.body).object,
                var parts = members["id_token"]?.string?.split(separator: ".").map(String.init), parts.count == 3
            else { return response }
            parts[2] = (parts[2].hasPrefix("A") ? "B" : "A") + parts[2].dropFirst()
            members["id_token"] = .string(parts.joined(separator: "."))
            return HTTPResponse(status: 200, body: Array(JSONValue.object(members).serialized.utf8))
        }
        _ = try await SignedInWorld.failure { try await started.refreshed() }
        #expect(started.asked("openid-configuration") == 1)
        #expect(started.spent().count == 1)
    }

    @Test(
        "Metadata is cached for as long as the authority allows, and for at most a day",
        arguments: [
            ("max-age=60", 59.0, 0), ("max-age=60", 61, 1), ("no-cache", 1, 1), ("no-store", 0, 1),
            ("private", 86_000, 0),
            ("private", 86_401, 1), ("max-age=9999999", 86_401, 1),
        ])
    func lifetime(control: String, age: Double, times: Int) async throws {
        var world = try World()
        world.seat(.ann)
        world.transport.tamper { _, response in
            var response = response
            response.headers["Cache-Control"] = control
            return response
        }
        let parameters = MSALInteractiveTokenParameters(scopes: ["email"], webviewParameters: MSALWebviewParameters())
        let account = try await world.application(authority: Self.issuer, isOpenID: true)
            .acquireToken(with: parameters).account
        #expect((world.documents.load(try Self.url(world, Self.discovery)) == nil) == (control == "no-store"))
        world.time.advance(by: age)
        world.transport.forget()
        let started = Started(
            world: world, application: try world.application(authority: Self.issuer, isOpenID: true), account: account)
        _ = try await started.refreshed()
        #expect(started.asked("openid-configuration") == times)
    }

    @Test("Expired metadata is removed")
    func removed() async throws {
        let started = try await started()
        let address = try Self.url(started.world, Self.discovery)
        started.world.transport.tamper { _, response in
            var response = response
            response.headers["Cache-Control"] = "no-store"
            return response
        }
        _ = await started.application.probeAuthority()
        #expect(started.world.documents.load(address) == nil)
    }

    @Test("The authority of an account is its issuer, with the final slash")
    func finalSlash() async throws {
        let started = try await started()
        let address = try Self.url(started.world, Self.discovery)
        let issuer = try Self.url(started.world, Self.issuer)
        #expect(try started.application.authorities(of: started.account) == [issuer])
        let kept = try #require(started.world.documents.load(address))
        var members = try #require(try JSONValue(parsing: kept.body).object)
        members["issuer"] = .string("\(issuer.absoluteString)/")
        let changed = CachedDocument(
            body: Array(JSONValue.object(members).serialized.utf8), fetchedAt: kept.fetchedAt)
        started.world.documents.save(changed, for: address)
        let application = try started.world.application(authority: Self.issuer, isOpenID: true)
        #expect(try application.authorities(of: started.account).map(\.absoluteString) == ["\(issuer.absoluteString)/"])
    }

    @Test(
        "A cached ID token is checked with fetched keys if the authority forbids caching them",
        arguments: [true, false])
    func keysThatAreNotStored(isReachable: Bool) async throws {
        var world = try World()
        world.seat(.ann)
        world.transport.tamper { _, response in
            var response = response
            response.headers["Cache-Control"] = "no-store"
            return response
        }
        let application = try world.application(authority: "\(Self.issuer)/", isOpenID: true)
        let account = try await application.acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["email"], webviewParameters: MSALWebviewParameters())
        ).account
        let stored = try #require(try application.storedIDToken(for: account))
        #expect(stored.verdicts.isEmpty)
        guard isReachable else {
            world.transport.trouble(.offline)
            await #expect(throws: MSALAuthenticationError.self) {
                try await application.verdicts(onIDToken: stored.idToken, of: account)
            }
            return
        }
        let verdicts = try await application.verdicts(onIDToken: stored.idToken, of: account)
        #expect(verdicts.first { $0.rule == "Signature" }?.outcome == .passed)
    }

    @Test(
        "A cached ID token is checked with the keys of the URL that signed in, also after a failed request to its tenant"
    )
    func keysOfTheOtherURL() async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in HTTPResponse(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8)) }
        _ = try await signedIn.failure(force: true)
        let stored = try #require(try signedIn.application.storedIDToken(for: signedIn.account))
        #expect(stored.verdicts.first { $0.rule == "Signature" }?.outcome == .passed)
    }

    @Test("A malformed optional endpoint does not prevent a sign-in")
    func optional() async throws {
        var world = try World()
        world.seat(.ann)
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("openid-configuration"),
                var members = try? JSONValue(parsing: response.body).object
            else { return response }
            members["end_session_endpoint"] = "javascript:alert(1)"
            members["device_authorization_endpoint"] = 5
            return HTTPResponse(status: 200, body: Array(JSONValue.object(members).serialized.utf8))
        }
        let application = try world.application(authority: Self.issuer, isOpenID: true)
        let parameters = MSALInteractiveTokenParameters(scopes: ["email"], webviewParameters: MSALWebviewParameters())
        _ = try await application.acquireToken(with: parameters)
        let probe = await application.probeAuthority()
        #expect(probe.failure == nil)
        #expect(probe.unusableEndpoints == ["device_authorization_endpoint", "end_session_endpoint"])
        let failure = try await SignedInWorld.failure {
            try await application.acquireToken(with: MSALDeviceCodeParameters(scopes: ["email"]) { _ in })
        }
        #expect(failure.localizedDescription.contains("device_authorization_endpoint"))
    }
}
