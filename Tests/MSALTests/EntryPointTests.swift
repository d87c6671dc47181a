import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Calls every public entry point with hostile text: it succeeds or throws a documented error.
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
        Input(testDescription: "another client's ID", text: "&client_id=evil"),
        Input(testDescription: "separators", text: "=&#?%"),
        Input(testDescription: "plus signs", text: "+ +"),
        Input(testDescription: "markup", text: "'\"><script>"),
        Input(testDescription: "long", text: String(repeating: "x", count: 100_000)),
        Input(testDescription: "a path upwards", text: "../../etc/passwd"),
    ]

    @Test("Succeeds or throws a documented error", arguments: EntryPoint.all)
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
        "Rejects these caller mistakes",
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
        let entryPoint = try #require(EntryPoint.all.first { $0.testDescription == entryPoint })
        let error = await #expect(throws: MSALAuthenticationError.self) { try await entryPoint.call(text, world) }
        #expect(
            error?.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorInvalidParameter.rawValue)
        #expect(world.world.transport.requests.allSatisfy { $0.method == .get })
    }

    /// The inputs that fit in a URL.
    static let sendable = inputs.filter { $0.text.utf8.count <= 100_000 }

    @Test("A login hint is sent as the login hint only", arguments: sendable)
    func hints(input: Input) async throws {
        let sent = try await authorize {
            $0.loginHint = input.text
            $0.domainHint = input.text
        }
        #expect(sent["login_hint"] == input.text)
        #expect(sent["domain_hint"] == input.text)
        #expect(sent["client_id"] == DemoAuthorityServer.clientID)
        #expect(sent.firstRepeatedName == nil)
    }

    @Test("An extra parameter stays one parameter", arguments: sendable) func extras(input: Input) async throws {
        let sent = try await authorize { $0.extraQueryParameters = ["name": input.text, "x\(input.text)": "value"] }
        #expect(sent["name"] == input.text)
        #expect(sent["x\(input.text)"] == "value")
        #expect(sent["client_id"] == DemoAuthorityServer.clientID)
    }

    @Test(
        "Extra parameters cannot replace the ones that protect the exchange",
        arguments: ["state", "nonce", "code_challenge", "code_challenge_method"])
    func protected(name: String) async throws {
        let sent = try await authorize { $0.extraQueryParameters = [name: "mine"] }
        #expect(sent[name] != "mine")
        #expect(sent.count(of: name) == 1)
    }

    /// The request to /authorize; the sign-in is then cancelled.
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
}
