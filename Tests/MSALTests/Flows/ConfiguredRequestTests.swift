import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The parameters that configuration and requests send, and the requests they make invalid (docs/upstream-behaviour.md
/// §2.1, §3, §7).
@Suite("Configured requests", .oneSessionAtATime) struct ConfiguredRequestTests {
    private func parameters(_ log: EventLog? = nil) -> MSALInteractiveTokenParameters {
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log?.handler
        return parameters
    }

    /// The parameters of /authorize, and the query and the body of /token.
    private struct Sent {
        var authorize: Parameters = [:]
        var tokenQuery: Parameters = [:]
        var tokenBody: Parameters = [:]

        init(_ log: EventLog, _ world: World) {
            if let url = log.all.lazy.compactMap(\.authorizationURL).first {
                authorize = AuthorizationResponse.parameters(of: url)
            }
            if let request = world.transport.requests.last(where: { $0.url.path().hasSuffix("/token") }) {
                tokenQuery = AuthorizationResponse.parameters(of: request.url)
                tokenBody = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
            }
        }
    }

    private func signIn(
        configure: (MSALPublicClientApplicationConfig) throws -> Void = { _ in },
        ask: (MSALInteractiveTokenParameters) throws -> Void = { _ in }
    ) async throws -> Sent {
        var world = try World()
        world.seat(.ann)
        let log = EventLog()
        let application = try world.application(change: configure)
        let parameters = parameters(log)
        try ask(parameters)
        _ = try await application.acquireToken(with: parameters)
        return Sent(log, world)
    }

    @Test("A plain request sends no optional parameters") func plain() async throws {
        let sent = try await signIn()
        for name in ["claims", "instance_aware", "slice", "dc", "pc", "brk_client_id", "brk_redirect_uri", "prompt"] {
            #expect(sent.authorize[name] == nil)
        }
        #expect(sent.tokenBody["claims"] == nil)
    }

    @Test("Slice, clouds, preferred method and a private session") func switches() async throws {
        let sent = try await signIn {
            $0.sliceConfig = MSALSliceConfig(slice: "testslice", dc: "prod")
            $0.multipleCloudsSupported = true
        } ask: {
            $0.preferredAuthMethod = .QRPIN
            $0.webviewParameters.prefersEphemeralWebBrowserSession = true
        }
        #expect(sent.authorize["slice"] == "testslice" && sent.authorize["dc"] == "prod")
        #expect(sent.tokenQuery["slice"] == "testslice" && sent.tokenQuery["dc"] == "prod")
        #expect(sent.authorize["instance_aware"] == "true")
        #expect(sent.authorize["pc"] == "18")
        #expect(sent.authorize["prompt"] == "login")
    }

    @Test("Capabilities and claims are sent together, to both endpoints") func claims() async throws {
        let sent = try await signIn {
            $0.clientApplicationCapabilities = ["CP1"]
        } ask: {
            $0.claimsRequest = try MSALClaimsRequest(jsonString: #"{"access_token":{"acrs":{"value":"c1"}}}"#)
        }
        let expected = #"{"access_token":{"acrs":{"value":"c1"},"xms_cc":{"values":["CP1"]}}}"#
        #expect(sent.authorize["claims"] == expected)
        #expect(sent.tokenBody["claims"] == expected)
    }

    @Test("A silent request sends capabilities to the token endpoint too") func silent() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application { $0.clientApplicationCapabilities = ["CP1"] }
        let account = try await application.acquireToken(with: parameters()).account
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        silent.forceRefresh = true
        _ = try await application.acquireTokenSilent(with: silent)
        #expect(
            Sent(EventLog(), world).tokenBody["claims"] == #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#)
    }

    @Test("Claims among the extra parameters are dropped for Entra") func extraClaims() async throws {
        let sent = try await signIn { _ in
        } ask: {
            $0.extraQueryParameters = ["claims": #"{"id_token":{"sub":null}}"#, "other": "1"]
        }
        #expect(sent.authorize["claims"] == nil && sent.tokenQuery["claims"] == nil)
        #expect(sent.authorize["other"] == "1" && sent.tokenQuery["other"] == "1")
    }

    @Test("A nested application uses the redirect URI of the outer one") func nested() async throws {
        var world = try World()
        world.seat(.ann) { url in
            URL(string: url.absoluteString.replacing("http://localhost", with: "http://127.0.0.1:51234")) ?? url
        }
        let log = EventLog()
        let url = world.transport.origin.appending(path: "common")
        let configuration = MSALPublicClientApplicationConfig(
            clientId: DemoAuthorityServer.clientID, redirectUri: "http://localhost",
            authority: try MSALAADAuthority(url: url), nestedAuthBrokerClientId: "hub",
            nestedAuthBrokerRedirectUri: "http://127.0.0.1")
        let application = try MSALPublicClientApplication(
            configuration: configuration, registration: World.registration, dependencies: world.dependencies)
        _ = try await application.acquireToken(with: parameters(log))
        let sent = Sent(log, world)
        #expect(sent.authorize["brk_client_id"] == "hub")
        #expect(sent.authorize["brk_redirect_uri"] == "http://127.0.0.1:51234")
        #expect(sent.authorize["redirect_uri"] == "http://localhost")
        #expect(sent.tokenBody["redirect_uri"] == "http://localhost")
    }

    enum Failure: String, CaseIterable, Sendable {
        case claimsTwice
        case brokenClaims
        case otherKindOfAuthority
        case clientIDAsScope

        func ask(_ parameters: MSALInteractiveTokenParameters) throws {
            switch self {
            case .claimsTwice:
                parameters.claimsRequest = MSALClaimsRequest()
                parameters.extraQueryParameters = ["claims": "{}"]
            case .brokenClaims:
                parameters.claimsRequest = MSALClaimsRequest(jsonString: "no", error: nil)
            case .otherKindOfAuthority:
                let url = URL(string: "https://contoso.b2clogin.com/tfp/contoso.example/policy")
                parameters.authority = try url.map { try MSALB2CAuthority(url: $0) }
            case .clientIDAsScope: parameters.scopes = [DemoAuthorityServer.clientID]
            }
        }
    }

    @Test("Contradictory requests are rejected before anything is sent", arguments: Failure.allCases)
    func rejected(reason: Failure) async throws {
        let world = try World()
        let application = try world.application()
        let parameters = parameters()
        try reason.ask(parameters)
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters)
        }
        #expect(error?.userInfo[MSALInternalErrorCodeKey] as? Int == -42000)
        #expect(world.transport.requests.isEmpty)
        #expect(world.notices.all.isEmpty)
    }

    @Test("A result's authority is the tenant that issued the tokens") func resultAuthority() async throws {
        var world = try World()
        world.seat(.ann)
        let result = try await world.application().acquireToken(with: parameters())
        let tenant = try #require(Directory.standard.tenants.first).id
        #expect(result.authority.url.absoluteString == "\(world.transport.origin.absoluteString)/\(tenant)")
        #expect(result.authority is MSALAADAuthority)
    }

    @Test("The page's progress is posted as notifications, without the response") func notices() async throws {
        var world = try World()
        world.seat(.ann)
        let log = EventLog()
        _ = try await world.application().acquireToken(with: parameters(log))
        let page = try #require(log.all.compactMap(\.authorizationURL).first)
        let landing = try #require(URL(string: "http://localhost:51234/"))
        #expect(Set(world.notices.all.map(\.name)).count == 3)
        #expect(world.notices.all.first == .didStartLoad(page))
        #expect(world.notices.all.contains(.didFinishLoad(page)))
        #expect(world.notices.all.contains(.didComplete(landing)))
        #expect(world.notices.all.allSatisfy { !"\($0.userInfo)".contains("code=") })
    }

    @Test("A cancelled sign-in is posted as failed") func failureNotice() async throws {
        var world = try World()
        world.browser = CancellingBrowser()
        let application = try world.application()
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters())
        }
        #expect(error?.code == MSALError.userCanceled.rawValue)
        let last = try #require(world.notices.all.last)
        #expect(last.name == MSALWebAuthDidFailNotification)
        #expect((last.userInfo["error"] as? NSError)?.code == MSALError.userCanceled.rawValue)
    }
}
