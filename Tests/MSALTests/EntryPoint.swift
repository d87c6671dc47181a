import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// One entry point of the library, called with a text in one place.
struct EntryPoint: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var call: @Sendable (String, SignedInWorld) async throws -> Void

    init(_ name: String, _ call: @escaping @Sendable (String, SignedInWorld) async throws -> Void) {
        testDescription = name
        self.call = call
    }

    /// An interactive call whose page, if it opens, is closed at once.
    static func interactive(
        _ name: String, _ change: @escaping @Sendable (MSALInteractiveTokenParameters, String) throws -> Void
    ) -> EntryPoint {
        EntryPoint(name) { text, world in
            let webview = MSALWebviewParameters()
            webview.openURLHandler = { _ in _ = MSALPublicClientApplication.cancelCurrentWebAuthSession() }
            let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
            try change(parameters, text)
            _ = try await world.application.acquireToken(with: parameters)
        }
    }

    static func silent(
        _ name: String, _ change: @escaping @Sendable (MSALSilentTokenParameters, String) throws -> Void
    ) -> EntryPoint {
        EntryPoint(name) { text, world in
            let parameters = world.parameters(force: true)
            try change(parameters, text)
            _ = try await world.application.acquireTokenSilent(with: parameters)
        }
    }

    static func address(
        _ name: String, _ make: @escaping @Sendable (URL) throws -> MSALAuthority
    ) -> EntryPoint {
        EntryPoint(name) { text, _ in
            for text in [text, "https://login.example/" + text, "https://" + text] {
                guard let url = URL(string: text) else { continue }
                let authority = try make(url)
                #expect(authority.url.scheme == "https")
                #expect(authority.url.query() == nil && authority.url.fragment() == nil)
            }
        }
    }
}

extension EntryPoint {
    static let all: [EntryPoint] = [
        EntryPoint("application, client ID") { text, world in _ = try world.world.application(clientID: text) },
        EntryPoint("application, redirect URI") { text, world in _ = try world.world.application(redirectURI: text) },
        EntryPoint("application, redirect URI of a nested one") { text, world in
            let configuration = MSALPublicClientApplicationConfig(
                clientId: "client", redirectUri: nil, authority: nil, nestedAuthBrokerClientId: "broker",
                nestedAuthBrokerRedirectUri: text)
            _ = try MSALPublicClientApplication(
                configuration: configuration, registration: World.registration, dependencies: world.world.dependencies)
        },
        EntryPoint("application, capabilities") { text, world in
            let application = try world.world.application { $0.clientApplicationCapabilities = [text] }
            _ = try await application.acquireTokenSilent(with: world.parameters(force: true))
        },
        .address("authority") { try MSALAuthority(url: $0) },
        .address("Entra authority") { try MSALAADAuthority(url: $0) },
        .address("B2C authority") { try MSALB2CAuthority(url: $0) },
        .address("CIAM authority") { try MSALCIAMAuthority(url: $0) },
        .address("OpenID authority") { try MSALOIDCAuthority(url: $0) },
        EntryPoint("Entra authority, tenant") { text, world in
            _ = try MSALAADAuthority(url: world.world.transport.origin, rawTenant: text)
        },
        EntryPoint("account by identifier") { text, world in
            let account = try world.application.account(forIdentifier: text)
            Issue.record("\(account.username ?? "An account") was found")
        },
        EntryPoint("account by user name") { text, world in
            let account = try world.application.account(forUsername: text)
            Issue.record("\(account.username ?? "An account") was found")
        },
        EntryPoint("accounts by tenant profile") { text, world in
            _ = try world.application.accounts(for: .init(tenantProfileIdentifier: text))
        },
        .interactive("interactive, scope") { $0.scopes = [$1] },
        .interactive("interactive, scope to consent to") { $0.extraScopesToConsent = [$1] },
        .interactive("interactive, login hint") { $0.loginHint = $1 },
        .interactive("interactive, domain hint") { $0.domainHint = $1 },
        .interactive("interactive, extra parameter") { $0.extraQueryParameters = ["x": $1] },
        .interactive("interactive, extra parameter's name") { $0.extraQueryParameters = [$1: "x"] },
        .interactive("interactive, claims") { $0.claimsRequest = try MSALClaimsRequest(jsonString: $1) },
        .silent("silent, scope") { $0.scopes = [$1] },
        .silent("silent, extra parameter") { $0.extraQueryParameters = ["x": $1] },
        .silent("silent, extra parameter's name") { $0.extraQueryParameters = [$1: "x"] },
        .silent("silent, claims") { $0.claimsRequest = try MSALClaimsRequest(jsonString: $1) },
        EntryPoint("response") { text, _ in
            for text in [text, "http://localhost/?code=" + text] {
                guard let url = URL(string: text) else { continue }
                #expect(!MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: text))
            }
        },
        EntryPoint("decoded token") { text, _ in
            for text in [text, "\(text).\(text).\(text)"] { #expect(MSALDecodedToken(text) == nil) }
        },
        EntryPoint("registration") { text, _ in _ = try MSALAppRegistration(infoPlist: Data(text.utf8)) },
    ]
}
