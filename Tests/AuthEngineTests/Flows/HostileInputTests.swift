import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import AuthEngine

/// Whatever a caller passes: it reaches the authority as it is, and as nothing else, or is refused with a code.
@Suite("Hostile input of callers", .oneSessionAtATime) struct HostileInputTests {
    private static let texts = [
        "", " ", "\u{0}", "a\r\nSet-Cookie: b", "&client_id=evil", "=&#?%", "%00%2e%2e", "\u{1B}[2J", "\u{202E}evil",
        "Größe ✓ 👩‍👩‍👧", "e\u{301}", String(repeating: "x", count: 100_000), "+ +", "'\"><script>",
    ]

    /// What was sent to /authorize; the sign-in itself is then cancelled.
    private func authorize(_ ask: (MSALInteractiveTokenParameters) -> Void) async throws -> Parameters {
        var world = try World()
        world.browser = CancellingBrowser()
        let log = EventLog()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log.handler
        ask(parameters)
        let application = try world.application()
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters)
        }
        #expect(error?.code == MSALError.userCanceled.rawValue)
        let url = try #require(log.all.compactMap(\.authorizationURL).first)
        #expect(url.host() == "127.0.0.1")
        return AuthorizationResponse.parameters(of: url)
    }

    @Test("A hint is a hint", arguments: texts) func hints(text: String) async throws {
        let sent = try await authorize {
            $0.loginHint = text
            $0.domainHint = text
        }
        #expect(sent["login_hint"] == text)
        #expect(sent["domain_hint"] == text)
        #expect(sent["client_id"] == DemoAuthorityServer.clientID)
        #expect(sent.firstRepeatedName == nil)
    }

    @Test("An extra parameter is one parameter", arguments: texts) func extras(text: String) async throws {
        let sent = try await authorize { $0.extraQueryParameters = ["name": text, "x\(text)": "value"] }
        #expect(sent["name"] == text)
        #expect(sent["x\(text)"] == "value")
        #expect(sent["client_id"] == DemoAuthorityServer.clientID)
    }

    @Test(
        "What protects the exchange cannot be replaced",
        arguments: ["state", "nonce", "code_challenge", "code_challenge_method"])
    func protected(name: String) async throws {
        let sent = try await authorize { $0.extraQueryParameters = [name: "mine"] }
        #expect(sent[name] != "mine")
        #expect(sent.count(of: name) == 1)
    }

    @Test("An account's name is looked for as it is", arguments: texts) func accounts(text: String) throws {
        let application = try World().application()
        let byName = #expect(throws: MSALAuthenticationError.self) { try application.account(forUsername: text) }
        let byIdentifier = #expect(throws: MSALAuthenticationError.self) {
            try application.account(forIdentifier: text)
        }
        #expect(byName?.code == MSALError.internal.rawValue)
        #expect(byIdentifier?.code == MSALError.internal.rawValue)
    }

    @Test(
        "An authority of any text is one or is refused", arguments: texts + ["https://", "https://[", "https://a b/c"])
    func authorities(text: String) throws {
        for address in [text, "https://\(text)", "https://login.example.com/\(text)"] {
            guard let url = URL(string: address) else { continue }
            do {
                let authority = try MSALAuthority(url: url)
                #expect(authority.url.scheme == "https")
                #expect(authority.url.query() == nil && authority.url.fragment() == nil)
            } catch let error as NSError {
                #expect(error.domain == MSALErrorDomain)
                #expect(!error.localizedDescription.isEmpty)
            }
        }
    }

    @Test("A configuration of any text makes an application or is refused", arguments: texts)
    func configurations(text: String) throws {
        let world = try World()
        for configuration in [
            MSALPublicClientApplicationConfig(clientId: text),
            MSALPublicClientApplicationConfig(clientId: "client", redirectUri: text, authority: nil),
            MSALPublicClientApplicationConfig(
                clientId: "client", redirectUri: nil, authority: nil, nestedAuthBrokerClientId: "broker",
                nestedAuthBrokerRedirectUri: text),
        ] {
            do {
                _ = try MSALPublicClientApplication(
                    configuration: configuration, registration: World.registration, dependencies: world.dependencies)
            } catch let error as NSError {
                #expect(error.domain == MSALErrorDomain)
                #expect(error.userInfo[MSALInternalErrorCodeKey] != nil)
            }
        }
    }
}
