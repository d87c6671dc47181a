import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Signing in by pasting the final URL of a browser on another machine.
@Suite(.oneSessionAtATime) struct PasteTests {
    private let world: World

    init() throws { world = try World() }

    /// Signs in. The user completes the pages elsewhere and pastes the result of `paste` for the final URL.
    private func signIn(
        _ log: EventLog = EventLog(), pastes: Bool = false, receiver: (any RedirectReceiver)? = nil,
        paste: @escaping @Sendable (URL) throws -> Void
    ) async throws -> MSALResult {
        let transport = world.transport
        let webview = MSALWebviewParameters()
        webview.expectsPaste = pastes
        webview.openURLHandler = { url in
            let user = ScriptedUser(username: "ann@contoso.example", password: "ann-likes-tea") {
                try await transport.send($0)
            }
            try paste(try await user.walk(from: url))
        }
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        parameters.flowEventHandler = log.handler
        var dependencies = world.dependencies
        dependencies.receiver = receiver ?? world.receiver
        return try await world.application(with: dependencies).acquireToken(with: parameters)
    }

    @Test func aURLWithLineBreaks() async throws {
        let result = try await signIn { url in
            let text = url.absoluteString
            let middle = text.index(text.startIndex, offsetBy: text.count / 2)
            let pasted = "'\(text[..<middle])\n\(text[middle...])'"
            let taken = try MSALPublicClientApplication.handlePastedResponse(pasted)
            #expect(taken == .address)
        }
        #expect(result.account.username == "ann@contoso.example")
    }

    @Test(
        "A URL on its own line is accepted among other lines",
        arguments: [
            String(repeating: "x", count: 70_000), "http://localhost:51234/?code=other&state=other", "not an address",
        ])
    func otherLines(other: String) async throws {
        for isFirst in [true, false] {
            let result = try await signIn { url in
                let lines = isFirst ? [url.absoluteString, other] : [other, url.absoluteString]
                let taken = try MSALPublicClientApplication.handlePastedResponse(lines.joined(separator: "\n") + "\n")
                #expect(taken == .address)
            }
            #expect(result.account.username == "ann@contoso.example")
        }
    }

    @Test(
        "A response without state is not called another sign-in",
        arguments: [
            (
                "error=access_denied",
                "The URL contains the error \"access_denied\", but not the state of this sign-in."
            ),
            ("code=abc", "This URL has no state, so it can't be matched to this sign-in."),
            ("code=abc&state=other", "This is the response to another sign-in."),
        ])
    func withoutState(query: String, explanation: String) async throws {
        let result = try await signIn { url in
            let other = (url.absoluteString.split(separator: "?").first ?? "") + "?" + query
            let error = #expect(throws: MSALAuthenticationError.self) {
                try MSALPublicClientApplication.handlePastedResponse(other)
            }
            #expect(error?.localizedDescription == explanation)
            try MSALPublicClientApplication.handlePastedResponse(url.absoluteString)
        }
        #expect(result.account.username == "ann@contoso.example")
    }

    @Test("With a taken port, only a user who pastes can sign in")
    func takenPort() async throws {
        let log = EventLog()
        let result = try await signIn(log, pastes: true, receiver: TakenReceiver()) { url in
            #expect(url.absoluteString.hasPrefix("http://localhost:8400"))
            try MSALPublicClientApplication.handlePastedResponse(url.absoluteString)
        }
        #expect(result.account.username == "ann@contoso.example")
        #expect(log.all.contains { $0.step == .listen && $0.detail == "Not listening: Taken." })
        #expect(log.all.contains { $0.step == .waitForResponse && $0.detail == "Waiting for the final URL" })
        await #expect(throws: MSALAuthenticationError.self) { try await signIn(receiver: TakenReceiver()) { _ in } }
    }

    private struct TakenReceiver: RedirectReceiver {
        func open(
            _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
        ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
            throw RedirectReceiverFailure(reason: "Taken.", takenURI: URL(string: "http://localhost:8400"))
        }
    }

    @Test func theCodeAloneIsAcceptedAndMarkedAsUnverified() async throws {
        let log = EventLog()
        let result = try await signIn(log) { url in
            let code = AuthorizationResponse.parameters(of: url)["code"] ?? ""
            let taken = try MSALPublicClientApplication.handlePastedResponse(code)
            #expect(taken == .bareCode)
        }
        #expect(result.idTokenVerdicts.first { $0.rule == "Nonce" }?.outcome == .passed)
        #expect(log.all.contains { $0.step == .waitForResponse && $0.detail.contains("can't be checked") })
    }

    @Test("A code with its state is accepted if the state is this sign-in's")
    func codeWithState() async throws {
        let log = EventLog()
        _ = try await signIn(log) { url in
            let parameters = AuthorizationResponse.parameters(of: url)
            let (code, state) = (parameters["code"] ?? "", parameters["state"] ?? "")
            let error = #expect(throws: MSALAuthenticationError.self) {
                try MSALPublicClientApplication.handlePastedResponse("\(code)#\(state)-other")
            }
            #expect(error.map { Failure($0).reason } == "This is the response to another sign-in.")
            try MSALPublicClientApplication.handlePastedResponse("\(code)#\(state)")
        }
        #expect(log.all.contains { $0.step == .waitForResponse && $0.detail.contains("its issuer can't be checked") })
    }

    @Test func theCodeOfAnotherSignInIsRejected() async throws {
        let transport = world.transport
        let error = await #expect(throws: MSALAuthenticationError.self) {
            _ = try await signIn { _ in
                // A code that was issued for another code challenge.
                try MSALPublicClientApplication.handlePastedResponse("stolen-code-of-another-sign-in")
            }
        }
        #expect(error?.userInfo[MSALOAuthErrorKey] as? String == "invalid_grant")
        #expect(!transport.requests.isEmpty && world.store.all.isEmpty)
    }

    @Test func wrongTextsAreExplainedAndTheWaitGoesOn() async throws {
        let log = EventLog()
        let result = try await signIn(log) { url in
            let text = url.absoluteString
            for (wrong, explanation) in [
                ("", "Nothing was pasted"), ("https://login.example/x", "Wrong URL"),
                ("It does not work", "neither a URL nor a code"),
                (text.replacing("state=", with: "state=x"), "another sign-in"),
                ("http://127.0.0.1:8400/common/oauth2/v2.0/authorize?client_id=a&response_type=code", "sign-in page"),
            ] {
                let error = #expect(throws: MSALAuthenticationError.self) {
                    try MSALPublicClientApplication.handlePastedResponse(wrong)
                }
                #expect(error?.localizedDescription.contains(explanation) == true, "\(wrong)")
                #expect(error?.localizedRecoverySuggestion?.isEmpty == false)
            }
            try MSALPublicClientApplication.handlePastedResponse(text)
        }
        #expect(result.account.username == "ann@contoso.example")
        // The error says it already.
        #expect(!log.all.contains { $0.detail.contains("another sign-in") })
    }

    @Test func pastingWithoutASignInThrows() {
        let error = #expect(throws: MSALAuthenticationError.self) {
            try MSALPublicClientApplication.handlePastedResponse("http://localhost:51234/?code=a&state=b")
        }
        #expect(error?.localizedDescription.contains("No sign-in is waiting") == true)
    }
}
