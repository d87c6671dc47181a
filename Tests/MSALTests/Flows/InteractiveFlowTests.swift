import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Signing in at the built-in authority, in memory, and its failures.
@Suite(.oneSessionAtATime) struct InteractiveFlowTests {
    private func parameters(_ log: EventLog? = nil) -> MSALInteractiveTokenParameters {
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log?.handler
        return parameters
    }

    private func failure(_ work: () async throws -> MSALResult) async throws -> NSError {
        let error = await #expect(throws: MSALAuthenticationError.self) { _ = try await work() }
        return try #require(error)
    }

    @Test func aSignedInUserIsListed() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        let log = EventLog()
        let result = try await application.acquireToken(with: parameters(log))

        #expect(result.account.username == "ann@contoso.example")
        #expect(result.scopes.contains { $0.lowercased().hasSuffix("user.read") })
        #expect(!result.isFromCache)
        #expect(result.idTokenVerdicts.allSatisfy { $0.outcome != .failed })
        let met = Set(result.idTokenVerdicts.filter { $0.outcome == .passed }.map(\.rule))
        #expect(met.isSuperset(of: ["Signature", "Issuer", "Audience", "Nonce", "Expiry", "Access token hash"]))
        #expect(
            log.steps == [
                .findAuthority, .listen, .openBrowser, .waitForResponse, .redeemCode, .verifyIDToken, .saveTokens,
            ])
        #expect(try application.allAccounts().map(\.username) == ["ann@contoso.example"])
        #expect(world.receiver.opened == 1 && world.receiver.closed == 1)
    }

    @Test func theAuthorizationRequestIsFreshAndProtected() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        let log = EventLog()
        _ = try await application.acquireToken(with: parameters(log))
        _ = try await application.acquireToken(with: parameters(log))

        let requests = log.all.compactMap(\.authorizationURL).map { AuthorizationResponse.parameters(of: $0) }
        #expect(requests.count == 2)
        for name in ["state", "nonce", "code_challenge"] {
            #expect(requests[0][name] != requests[1][name])
            #expect((requests[0][name]?.utf8.count ?? 0) >= 43)
        }
        #expect(requests[0]["code_challenge_method"] == "S256")
        #expect(requests[0]["response_type"] == "code")
        #expect(requests[0]["redirect_uri"] == "http://localhost:51234")
        #expect(requests[0]["scope"] == "User.Read openid profile offline_access")
    }

    @Test func noEventContainsASecret() async throws {
        var world = try World()
        world.seat(.ann)
        let log = EventLog()
        let result = try await world.application().acquireToken(with: parameters(log))
        let told = log.all.map(\.detail).joined(separator: "\n")
        let refreshToken = world.store.all.first { $0.key.kind == .refreshToken }?.members["secret"]?.string
        for secret in [result.accessToken, result.idToken, refreshToken] {
            #expect(!told.contains(try #require(secret)))
        }
    }

    @Test func anOpenIDProviderNeedsNoClientInfo() async throws {
        var world = try World()
        world.seat(.ann)
        let issuer = try #require(Directory.standard.tenants.first).id + "/v2.0"
        let application = try world.application(authority: issuer, isOpenID: true)
        let result = try await application.acquireToken(with: parameters())
        #expect(result.account.username == "ann@contoso.example")
        #expect(
            world.transport.requests.allSatisfy { !String(decoding: $0.body, as: UTF8.self).contains("client_info") })

        world.transport.forget()
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: result.account)
        #expect(try await application.acquireTokenSilent(with: silent).isFromCache)
        #expect(world.transport.requests.isEmpty)
    }

    @Test func decliningConsentIsACancellation() async throws {
        var world = try World()
        world.seat(.wang, consent: .decline)
        let application = try world.application()
        let error = try await failure { try await application.acquireToken(with: parameters()) }
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "access_denied")
        #expect(world.store.all.isEmpty)
    }

    @Test func aResponseWithAnotherIssuerIsRejected() async throws {
        var world = try World()
        world.seat(.ann) { url in
            URL(string: url.absoluteString.replacing("iss=", with: "iss=x")) ?? url
        }
        let issuer = try #require(Directory.standard.tenants.first).id + "/v2.0"
        let application = try world.application(authority: issuer, isOpenID: true)
        let error = try await failure { try await application.acquireToken(with: parameters()) }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorInvalidResponse.rawValue)
        #expect(world.store.all.isEmpty)
    }

    @Test(
        "A multi-tenant authority's response names the tenant of the ID token",
        arguments: [
            (
                "/0a0a0a0a-0000-4000-8000-000000000000/v2.0",
                "from http://127.0.0.1:8400/0a0a0a0a-0000-4000-8000-000000000000/v2.0,"
            ),
            // This port is invalid, so the text is not a URL and is not shown.
            (".example/common/v2.0", "from \u{2026},"),
        ])
    func theIssuerOfATemplateIsHeldAgainstTheIDToken(path: String, shown: String) async throws {
        var world = try World()
        let origin = world.transport.origin.absoluteString
        world.seat(.ann) { url in
            var parameters = AuthorizationResponse.parameters(of: url)
            parameters["iss"] = origin + path
            return URL(string: "\(url.absoluteString.prefix { $0 != "?" })?\(parameters.formEncoded)") ?? url
        }
        let application = try world.application()
        let error = try await failure { try await application.acquireToken(with: parameters()) }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorInvalidResponse.rawValue)
        #expect(error.localizedDescription.contains(shown))
        #expect(world.store.all.isEmpty)
    }

    @Test(
        "After signing out, the page asks for the password again",
        arguments: [
            (MSALPromptType.promptIfNecessary, "login"), (.selectAccount, "login"), (.login, "login"),
            (.consent, "consent"),
        ])
    func thePromptAfterRemoval(prompt: MSALPromptType, sent: String) async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        let account = try await application.acquireToken(with: parameters()).account
        try application.remove(account)
        let log = EventLog()
        let again = parameters(log)
        again.account = account
        again.promptType = prompt
        _ = try await application.acquireToken(with: again)
        let request = try #require(log.all.compactMap(\.authorizationURL).first)
        #expect(AuthorizationResponse.parameters(of: request)["prompt"] == sent)
    }

    @Test func claimsAmongTheExtraParametersAreDroppedForEntra() async throws {
        var world = try World()
        world.seat(.ann)
        let log = EventLog()
        let call = parameters(log)
        call.extraQueryParameters = ["claims": "{}", "kept": "yes"]
        _ = try await world.application().acquireToken(with: call)
        let request = try #require(log.all.compactMap(\.authorizationURL).first)
        #expect(AuthorizationResponse.parameters(of: request)["claims"] == nil)
        #expect(AuthorizationResponse.parameters(of: request)["kept"] == "yes")
    }

    @Test func aForgedIDTokenSavesNothing() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        world.transport.changeJSON(of: "/token") { members in
            guard let token = members["id_token"]?.string else { return }
            members["id_token"] = .string(String(token.dropLast(8)) + "AAAAAAAA")
        }
        let error = try await failure { try await application.acquireToken(with: parameters()) }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorInvalidResponse.rawValue)
        #expect(error.localizedDescription.lowercased().contains("signature"))
        #expect(world.store.all.isEmpty)
    }

    /// `client_info` is not signed: without an ID token, nothing verified identifies the user.
    @Test func aResponseWithoutAnIDTokenSignsInNoUser() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        world.transport.changeJSON(of: "/token") {
            $0["id_token"] = nil
        }
        let error = try await failure { try await application.acquireToken(with: parameters()) }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorInvalidResponse.rawValue)
        #expect(world.store.all.isEmpty)
    }

    /// A rejected document is not cached: once the authority is repaired, the next attempt succeeds.
    @Test func aDiscoveryDocumentOfAnotherIssuerIsNotCached() async throws {
        var world = try World()
        world.seat(.ann)
        let issuer = try #require(Directory.standard.tenants.first).id + "/v2.0"
        let application = try world.application(authority: issuer, isOpenID: true)
        world.transport.changeJSON(of: "openid-configuration") {
            $0["issuer"] = "http://127.0.0.1:8400/another/v2.0"
        }
        let error = try await failure { try await application.acquireToken(with: parameters()) }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorFailedAuthorityValidation.rawValue)
        world.transport.tamper(nil)
        #expect(try await application.acquireToken(with: parameters()).account.username == "ann@contoso.example")
    }

    @Test(arguments: [
        (500, "not json", MSALInternalError.internalErrorUnhandledResponse),
        (200, "not json", .internalErrorInvalidResponse),
        (200, "{}", .internalErrorUnexpected),
        (200, #"{"access_token":7,"token_type":"Bearer"}"#, .internalErrorInvalidResponse),
        (400, #"{"error":"invalid_client"}"#, .internalErrorInvalidClient),
    ])
    func anAnswerOfAnyShapeIsAnErrorAndSavesNothing(status: Int, body: String, code: MSALInternalError) async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        world.transport.tamper { request, response in
            request.url.path().hasSuffix("/token") ? HTTPResponse(status: status, body: Array(body.utf8)) : response
        }
        let error = try await failure { try await application.acquireToken(with: parameters()) }
        #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == code.rawValue)
        #expect(error.userInfo[MSALCorrelationIDKey] is String)
        #expect(world.store.all.isEmpty)
    }

    @Test("A sign-in whose tokens can't be saved fails before a request", arguments: [false, true])
    func anUnusableStore(isDeviceCode: Bool) async throws {
        var world = try World()
        world.seat(.ann)
        world.store.fail(with: CredentialStoreFailure(.io, reason: "The disk is full."))
        let application = try world.application()
        let error = try await failure {
            if isDeviceCode {
                return try await application.acquireToken(
                    with: MSALDeviceCodeParameters(scopes: ["User.Read"]) { _ in })
            }
            return try await application.acquireToken(with: parameters())
        }
        #expect(error.localizedDescription == "The disk is full.")
        #expect(world.receiver.opened == 0 && world.transport.requests.isEmpty)
    }

    @Test func foreignRequestsAtTheListenerDoNotEndTheWait() async throws {
        var world = try World()
        let receiver = world.receiver
        let transport = world.transport
        world.seat(.ann) { url in
            for stray in ["?code=x&state=y", "?error=access_denied", "", "?state="] {
                guard let stray = URL(string: "http://localhost:51234/\(stray)") else { continue }
                #expect(!receiver.deliver(stray))
            }
            return url
        }
        let result = try await world.application().acquireToken(with: parameters())
        #expect(result.account.username == "ann@contoso.example")
        #expect(!transport.requests.isEmpty)
    }

    @Test func aBrowserThatFailsToStartDoesNotEndTheWait() async throws {
        var world = try World()
        let broken = BrokenBrowser()
        world.browser = broken
        let application = try world.application()
        let log = EventLog()
        let call = parameters(log)
        call.webviewParameters.openURLHandler = nil
        let correlation = UUID()
        call.correlationId = correlation
        let task = Task { [parameters = call] in try await application.acquireToken(with: parameters) }
        await broken.opened()
        #expect(MSALPublicClientApplication.cancelCurrentWebAuthSession())
        let error = try await failure { try await task.value }
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(error.userInfo[MSALCorrelationIDKey] as? String == correlation.uuidString)
        #expect(log.all.contains { $0.step == .openBrowser && $0.phase == .failed })
    }

    @Test("A sign-in whose URL is not shown fails when the program's handler cannot open the page")
    func handlerFails() async throws {
        let world = try World()
        let webview = MSALWebviewParameters()
        webview.openURLHandler = { _ in throw CocoaError(.fileNoSuchFile) }
        let error = try await failure {
            try await world.application().acquireToken(
                with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview))
        }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorNoViewController.rawValue
        )
        #expect(world.receiver.closed == 1)
    }

    @Test("Without a browser, a sign-in whose URL is not shown fails at once and names other sign-in methods")
    func noBrowserAndNobodyFollows() async throws {
        var world = try World()
        world.browser = BrokenBrowser(.noBrowser)
        let error = try await failure {
            try await world.application().acquireToken(
                with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters()))
        }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorNoViewController.rawValue
        )
        #expect(error.localizedRecoverySuggestion?.contains("device code") == true)
        #expect(error.localizedRecoverySuggestion?.contains("handlePastedResponse") == true)
        let text = error.localizedDescription
        #expect(text.contains("no browser") && text.contains("/oauth2/v2.0/authorize") && !text.contains("state="))
        #expect(world.receiver.closed == 1)
        #expect(!MSALPublicClientApplication.cancelCurrentWebAuthSession())
        let posted = world.notices.all.contains { if case .didFail = $0 { true } else { false } }
        #expect(posted)
    }

    @Test("Without a browser, the wait goes on if the program follows the flow or the user chose the browser command")
    func noBrowserAndSomeoneFollows() async throws {
        for (kind, log) in [(BrowserLaunchFailure.Kind.noBrowser, EventLog()), (.commandFailed, nil)] {
            var world = try World()
            let broken = BrokenBrowser(kind)
            world.browser = broken
            let application = try world.application()
            let call = MSALInteractiveTokenParameters(
                scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
            call.flowEventHandler = log?.handler
            let task = Task { [call] in try await application.acquireToken(with: call) }
            await broken.opened()
            #expect(MSALPublicClientApplication.cancelCurrentWebAuthSession())
            let error = try await failure { try await task.value }
            #expect(error.code == MSALError.userCanceled.rawValue)
            #expect(log.map { !$0.all.contains { $0.detail.contains("started") } } != false)
        }
    }

    @Test("A browser that fails to start after the sign-in ended is not reported as started", .timeLimit(.minutes(10)))
    func lateFailureOfTheBrowser() async throws {
        var world = try World()
        let broken = LateBrokenBrowser()
        world.browser = broken
        let application = try world.application()
        let log = EventLog()
        let call = parameters(log)
        let task = Task { try await application.acquireToken(with: call) }
        await broken.opened()
        #expect(MSALPublicClientApplication.cancelCurrentWebAuthSession())
        _ = try await failure { try await task.value }
        let told = log.all.filter { $0.step == .openBrowser && $0.phase != .started }
        #expect(told.map(\.phase) == [.failed])
    }

    @Test(.timeLimit(.minutes(10)))
    func aBrowserInTheTerminalEndsWithTheResponse() async throws {
        var world = try World()
        world.seat(.ann)
        world.browser = StayingBrowser(user: try #require(world.browser as? FollowingBrowser))
        let result = try await world.application().acquireToken(with: parameters(EventLog()))
        #expect(result.account.username == "ann@contoso.example")
    }

    @Test func aLongWaitIsReportedOnceAndGoesOn() async throws {
        var world = try World()
        world.browser = QuietBrowser()
        let application = try world.application()
        let log = EventLog()
        let call = parameters(log)
        let task = Task { try await application.acquireToken(with: call) }
        func told() -> [MSALFlowEvent] { log.all.filter { $0.step == .waitForResponse && $0.phase == .noted } }
        try await wait(until: "the wait is told") { !told().isEmpty }
        #expect(told()[0].detail.hasPrefix("No response yet: no browser has come to localhost:51234. Open the URL"))
        let began = log.all.first { $0.step == .waitForResponse && $0.phase == .started }
        #expect(began.map { told()[0].date.timeIntervalSince($0.date) } == BrowserVisit.patience)
        #expect(MSALPublicClientApplication.cancelCurrentWebAuthSession())
        _ = try await failure { try await task.value }
        #expect(told().count == 1)
    }

    @Test func cancellingTheTaskEndsTheSignInAndClosesTheListener() async throws {
        var world = try World()
        let browser = BrokenBrowser()
        world.browser = browser
        let application = try world.application()
        let call = parameters()
        let task = Task { try await application.acquireToken(with: call) }
        await browser.opened()
        task.cancel()
        let error = try await failure { try await task.value }
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(world.receiver.closed == 1)
        #expect(!MSALPublicClientApplication.cancelCurrentWebAuthSession())
    }

    @Test func anotherUserThanRequestedIsReportedAndNotSaved() async throws {
        var world = try World()
        world.seat(.ann)
        let ann = try await world.application().acquireToken(with: parameters()).account
        world.seat(.wang)
        let application = try world.application()
        let call = parameters()
        call.account = ann
        call.promptType = .login
        let before = world.store.all
        let error = try await failure { try await application.acquireToken(with: call) }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorMismatchedUser.rawValue)
        #expect(world.store.all == before)
    }

    @Test func completionBlockGetsTheSameResult() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        let call = parameters()
        call.completionBlockQueue = DispatchQueue(label: "test")
        let username = try await withCheckedThrowingContinuation { continuation in
            application.acquireToken(with: call) { result, error in
                continuation.resume(with: Result { try error.map { throw $0 } ?? result?.account.username })
            }
        }
        #expect(username == "ann@contoso.example")
    }

    @Test(arguments: [["openid"], ["User.Read", "offline_access"]])
    func reservedScopesAreRejected(scopes: [String]) async throws {
        let world = try World()
        let application = try world.application()
        let call = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: MSALWebviewParameters())
        let error = try await failure { try await application.acquireToken(with: call) }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorInvalidParameter.rawValue
        )
    }
}

/// A browser that uses the terminal until it is stopped: it signs the user in and keeps the last page open.
private struct StayingBrowser: BrowserLauncher {
    var user: FollowingBrowser

    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        try await user.open(page)
        for await _ in AsyncStream<Never>.makeStream().stream {}
    }
}

/// A browser in which the user does nothing.
private struct QuietBrowser: BrowserLauncher {
    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {}
}

/// A browser that fails to start only when it is no longer needed.
private final class LateBrokenBrowser: BrowserLauncher {
    private let signal = AsyncStream<Void>.makeStream()

    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        signal.continuation.yield()
        for await _ in AsyncStream<Never>.makeStream().stream {}
        throw BrowserLaunchFailure(reason: "no browser")
    }

    func opened() async {
        for await _ in signal.stream { return }
    }
}

/// A browser that fails to start, and reports the attempt.
private final class BrokenBrowser: BrowserLauncher {
    private let signal = AsyncStream<Void>.makeStream()
    private let kind: BrowserLaunchFailure.Kind

    init(_ kind: BrowserLaunchFailure.Kind = .commandFailed) {
        self.kind = kind
    }

    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        signal.continuation.yield()
        throw BrowserLaunchFailure(kind, reason: "no browser")
    }

    func opened() async {
        for await _ in signal.stream { return }
    }
}
