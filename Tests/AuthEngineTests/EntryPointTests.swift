import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import AuthEngine

/// Every public entry point given what nobody should give it: it does its work or throws a documented error.
@Suite("Every entry point", .oneSessionAtATime) struct EntryPointTests {
    struct Input: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
    }

    static let inputs: [Input] = [
        Input(testDescription: "empty", text: ""),
        Input(testDescription: "blank", text: " \t\n "),
        Input(testDescription: "a megabyte", text: String(repeating: "x", count: 1 << 20)),
        Input(testDescription: "a megabyte of parts", text: String(repeating: "{[/ ", count: 1 << 18)),
        Input(testDescription: "malformed address", text: "http://[::1"),
        Input(testDescription: "malformed JSON", text: #"{"a":"#),
        Input(testDescription: "percent signs", text: "%%%zz%00%"),
        Input(testDescription: "not ASCII", text: "日本語 e\u{301} 👩‍👩‍👧"),
        Input(testDescription: "right to left", text: "\u{202E}txt.exe\u{202C}"),
        Input(testDescription: "control characters", text: "a\0b\u{1B}[2J\r\nSet-Cookie: x"),
        Input(testDescription: "a query", text: "?a=b&client_id=other#fragment"),
        Input(testDescription: "a path upwards", text: "../../etc/passwd"),
    ]

    struct EntryPoint: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var call: @Sendable (String, SignedInWorld) async throws -> Void

        init(_ name: String, _ call: @escaping @Sendable (String, SignedInWorld) async throws -> Void) {
            testDescription = name
            self.call = call
        }

        /// An interactive call whose page is closed at once, for the case that it opens.
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
                    _ = try make(url)
                }
            }
        }
    }

    static let entryPoints: [EntryPoint] = [
        EntryPoint("application, client ID") { text, world in _ = try world.world.application(clientID: text) },
        EntryPoint("application, redirect URI") { text, world in _ = try world.world.application(redirectURI: text) },
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
            _ = try world.application.account(forIdentifier: text)
        },
        EntryPoint("account by user name") { text, world in _ = try world.application.account(forUsername: text) },
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

    @Test("does its work or throws a documented error", arguments: entryPoints)
    func documented(entryPoint: EntryPoint) async throws {
        let world = try await SignedInWorld()
        for input in Self.inputs {
            do {
                try await entryPoint.call(input.text, world)
            } catch {
                let error = error as NSError
                #expect(error is MSALAuthenticationError, "\(input.testDescription): \(type(of: error))")
                #expect(error.domain == MSALErrorDomain)
                #expect(!error.localizedDescription.isEmpty && error.localizedDescription.utf8.count <= 8192)
                #expect(error.localizedRecoverySuggestion?.isEmpty == false)
                #expect(error.code != MSALError.internal.rawValue || error.userInfo[MSALInternalErrorCodeKey] is Int)
            }
        }
        #expect(try world.application.allAccounts().count == 1)
    }

    @Test(
        "these are the caller's mistakes",
        arguments: [
            ("a scope that is two", "interactive, scope", "User.Read Mail.Read"),
            ("a scope with a line end", "silent, scope", "a\r\nb"),
            ("an endless scope", "silent, scope", String(repeating: "x", count: 1 << 20)),
            ("an endless hint", "interactive, login hint", String(repeating: "x", count: 1 << 20)),
            ("an endless parameter", "silent, extra parameter", String(repeating: "x", count: 1 << 20)),
            ("claims that are none", "silent, claims", "[]"), ("no client ID", "application, client ID", " "),
            ("a client ID with a line end", "application, client ID", "a\nb"),
        ])
    func callersMistake(name: String, entryPoint: String, text: String) async throws {
        let world = try await SignedInWorld()
        let entryPoint = try #require(Self.entryPoints.first { $0.testDescription == entryPoint })
        let error = await #expect(throws: MSALAuthenticationError.self) { try await entryPoint.call(text, world) }
        #expect(
            error?.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorInvalidParameter.rawValue)
        #expect(world.world.transport.requests.allSatisfy { $0.method == .get })
    }
}
