import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The scopes and parameters that a provider gets, as its metadata and the configuration want them.
@Suite("Scopes and parameters for a provider", .oneSessionAtATime)
struct ProviderScopesTests {
    private static let issuer = "\(Directory.contoso)/v2.0"

    /// The parameters of the authorization request, the token request and the refresh after it.
    private func sent(
        listing scopes: [String]?, change: (MSALPublicClientApplicationConfig) throws -> Void = { _ in }
    ) async throws -> (authorize: Parameters, redemption: Parameters, refresh: Parameters) {
        var world = try World()
        world.seat(.ann)
        world.transport.changeJSON(of: "/.well-known/openid-configuration") {
            $0["scopes_supported"] = scopes.map { .array($0.map(JSONValue.string)) }
        }
        let application = try world.application(authority: Self.issuer, isOpenID: true, change: change)
        let log = EventLog()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log.handler
        let account = try await application.acquireToken(with: parameters).account
        let refresh = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        refresh.forceRefresh = true
        // Without offline_access there is no refresh token.
        _ = try? await application.acquireTokenSilent(with: refresh)
        let forms = world.transport.requests.filter { $0.url.path().hasSuffix("/token") }.map {
            Parameters(formEncoded: String(decoding: $0.body, as: UTF8.self))
        }
        return (
            log.all.lazy.compactMap(\.authorizationURL).first.map(AuthorizationResponse.parameters) ?? [:],
            try #require(forms.first), forms.dropFirst().first ?? [:]
        )
    }

    @Test(
        "Of the reserved scopes, a provider gets those it lists, or all if it lists none",
        arguments: [
            (nil, "User.Read openid profile offline_access"),
            ([], "User.Read openid profile offline_access"),
            (["openid", "profile", "email", "offline_access"], "User.Read openid profile offline_access"),
            (["openid", "profile", "email"], "User.Read openid profile"),
            (["openid", "email", "phone"], "User.Read openid"), (["offline_access"], "User.Read openid offline_access"),
        ] as [([String]?, String)])
    func listed(scopes: [String]?, expected: String) async throws {
        let sent = try await sent(listing: scopes)
        #expect(sent.authorize["scope"] == expected)
        #expect(sent.redemption["scope"] == expected)
    }

    @Test("A reserved scope that the configuration names is always requested")
    func named() async throws {
        let sent = try await sent(listing: ["openid"]) { $0.requiredReservedScopes = ["offline_access"] }
        #expect(sent.authorize["scope"] == "User.Read openid offline_access")
        #expect(sent.refresh["grant_type"] == "refresh_token")
    }

    private static let google = """
        {"issuer":"https://accounts.google.com","authorization_endpoint":"https://accounts.google.com/o/oauth2/v2/auth",
        "token_endpoint":"https://oauth2.googleapis.com/token","jwks_uri":"https://www.googleapis.com/oauth2/v3/certs",
        "scopes_supported":["openid","email","profile"]}
        """

    @Test("Google gets access_type and consent instead of offline_access")
    func google() throws {
        let document = try OpenIDConfiguration(
            parsing: Array(Self.google.utf8))
        #expect(document.isGoogle)
        #expect(document.reservedScopes.text == "openid profile")
        var request = AuthorizationRequest(
            endpoint: document.authorizationEndpoint, clientID: "c", redirectURI: "http://127.0.0.1",
            scopes: document.reservedScopes, state: "s", nonce: "n", codeChallenge: "h")
        request.requestsGoogleOfflineAccess = document.isGoogle
        #expect(request.parameters["access_type"] == "offline")
        for (prompt, expected) in [
            (nil, "consent"), (.selectAccount, "select_account consent"), (.consent, "consent"), (Prompt.none, "none"),
        ] as [(Prompt?, String)] {
            request.prompt = prompt
            #expect(request.parameters["prompt"] == expected)
        }
        request.extraParameters = ["access_type": "online"]
        #expect(request.parameters["access_type"] == "online")
    }

    @Test("The authority's way to a refresh token is chosen by its issuer")
    func googleIssuer() async throws {
        var world = try World()
        world.browser = CancellingBrowser()
        let log = EventLog()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["email"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log.handler
        let configuration = MSALPublicClientApplicationConfig(
            clientId: DemoAuthorityServer.clientID, redirectUri: "http://localhost",
            authority: try MSALOIDCAuthority(url: try #require(URL(string: "https://accounts.google.com"))))
        var dependencies = world.dependencies
        // The same document has the keys.
        let document = Self.google.replacing("{", with: #"{"keys":[],"#, maxReplacements: 1)
        dependencies.transport = OneDocument(text: document)
        let application = try MSALPublicClientApplication(
            configuration: configuration, registration: World.registration,
            dependencies: dependencies)
        _ = try? await application.acquireToken(with: parameters)
        let sent = try #require(log.all.lazy.compactMap(\.authorizationURL).first)
        #expect(AuthorizationResponse.parameters(of: sent)["access_type"] == "offline")
    }

    @Test("Extra parameters are in the authorization request; those of a call replace them")
    func extra() async throws {
        let sent = try await sent(listing: nil) {
            $0.extraAuthorizationParameters = ["kc_idp_hint": "github", "organization": "org_1"]
        }
        #expect(sent.authorize["kc_idp_hint"] == "github")
        #expect(sent.authorize["organization"] == "org_1")
        #expect(sent.redemption["kc_idp_hint"] == nil)
    }

    @Test(
        "The protocol's own parameters are rejected by name",
        arguments: ["state", "Scope", "redirect_uri", "code_challenge", "response_mode", "request_uri", "prompt"])
    func own(name: String) throws {
        let error = #expect(throws: MSALAuthenticationError.self) {
            try World().application { $0.extraAuthorizationParameters = [name: "x"] }
        }
        #expect(error?.localizedDescription.contains(name) == true)
    }

    @Test("An audience is sent with every request, and another audience gets no cached token of it")
    func audience() async throws {
        let sent = try await sent(listing: nil) { $0.audience = "https://api.example" }
        for parameters in [sent.authorize, sent.redemption, sent.refresh] {
            #expect(parameters["audience"] == "https://api.example")
        }
        var world = try World()
        world.seat(.ann)
        func application(_ audience: String?) throws -> MSALPublicClientApplication {
            try world.application(authority: Self.issuer, isOpenID: true) { $0.audience = audience }
        }
        let account = try await application("https://a.example").acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        ).account
        func isCached(_ audience: String?) async throws -> Bool {
            try await application(audience).acquireTokenSilent(
                with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
            ).isFromCache
        }
        #expect(try await isCached("https://a.example"))
        #expect(try await !isCached("https://b.example"))
        #expect(try await isCached("https://b.example"))
        #expect(try await !isCached(nil))
    }

    @Test("At Entra, tokens for two sets of scopes are cached side by side")
    func alternating() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        func token(_ scope: String, _ account: MSALAccount) async throws -> MSALResult {
            try await application.acquireTokenSilent(with: MSALSilentTokenParameters(scopes: [scope], account: account))
        }
        let account = try await application.acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        ).account
        _ = try await application.acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["Mail.Read"], webviewParameters: MSALWebviewParameters()))
        #expect(try await token("User.Read", account).isFromCache)
        #expect(try await token("Mail.Read", account).isFromCache)
        #expect(try await token("User.Read", account).isFromCache)
    }

    @Test(
        "A rejected scope is named, with who requested it",
        arguments: [
            ("Scope not allowed: offline_access", ["Every sign-in requests offline_access", "at the provider"]),
            ("Unknown scope User.Read.", ["Check the spelling of User.Read,"]),
            ("One or more scopes are not configured.", ["User.Read", "openid, profile, offline_access"]),
        ])
    func rejected(description: String, expected: [String]) async throws {
        var world = try World()
        world.seat(.ann)
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token") else { return response }
            let body: JSONValue = ["error": "invalid_scope", "error_description": .string(description)]
            return HTTPResponse(
                status: 400, headers: ["Content-Type": "application/json"], body: Array(body.serialized.utf8))
        }
        let application = try world.application(authority: Self.issuer, isOpenID: true)
        let error = try await SignedInWorld.failure {
            try await application.acquireToken(
                with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters()))
        }
        for part in expected {
            #expect(
                error.localizedRecoverySuggestion?.contains(part) == true, "\(error.localizedRecoverySuggestion ?? "")")
        }
    }
}

/// A server that has one document, at every URL.
private struct OneDocument: HTTPTransport {
    let text: String

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }
}
