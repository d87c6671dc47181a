import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Sign-out, with and without the browser (docs/upstream-behaviour.md §4.9 and §8).
@Suite(.oneSessionAtATime) struct SignoutTests {
    private static let otherClient = "the-other-client"

    /// Ann has signed in to this client and to another client of the same cache; Bo only to the other client.
    private func signedIn(
        cookies: CookieJar = CookieJar()
    ) async throws -> (World, MSALPublicClientApplication, MSALAccount) {
        var world = try World()
        world.seat(.ann, cookies: cookies)
        let account = try await world.application().acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        ).account
        let other = TokenCache(store: world.store, clientID: Self.otherClient)
        try other.save(TokenGrantTests.grant(home: account.identifier ?? "", client: Self.otherClient))
        try other.save(TokenGrantTests.grant(home: "bo.t", client: Self.otherClient))
        world.browser = ForbiddenBrowser()
        world.transport.forget()
        return (world, try world.application(), account)
    }

    private func failure(_ work: () async throws -> Bool) async throws -> NSError {
        let error = await #expect(throws: MSALAuthenticationError.self) { _ = try await work() }
        return try #require(error)
    }

    @Test func withoutOptionsTheAccountLeavesThisClient() async throws {
        let (world, application, account) = try await signedIn()
        #expect(try await application.signout(with: account, signoutParameters: MSALSignoutParameters()))
        #expect(try application.allAccounts().isEmpty)
        let tokens = world.store.all.filter { $0.key.kind == .refreshToken }
        #expect(tokens.count == 2)
        #expect(tokens.allSatisfy { $0.key.client == Self.otherClient })
        #expect(world.store.all.contains { $0.key.kind == .account && $0.key.homeAccountID == account.identifier })
        #expect(world.transport.requests.isEmpty)
    }

    @Test func wipeAccountRemovesTheAccountFromEveryClient() async throws {
        let (world, application, account) = try await signedIn()
        let parameters = MSALSignoutParameters()
        parameters.wipeAccount = true
        #expect(try await application.signout(with: account, signoutParameters: parameters))
        let left = world.store.all.filter { $0.key.homeAccountID == account.identifier }
        #expect(left.map(\.key.kind) == [.accountMetadata])
        #expect(try #require(left.first).signInState == .signedOut)
        #expect(world.store.all.contains { $0.key.homeAccountID == "bo.t" && $0.key.kind == .refreshToken })
        #expect(world.store.all.contains { $0.key.kind == .appMetadata })
    }

    @Test func wipeCacheForAllAccountsEmptiesTheCache() async throws {
        let (world, application, account) = try await signedIn()
        let parameters = MSALSignoutParameters()
        parameters.wipeCacheForAllAccounts = true
        #expect(try await application.signout(with: account, signoutParameters: parameters))
        #expect(world.store.all.isEmpty)
    }

    private func inBrowser(_ openURL: (@Sendable (URL) async throws -> Void)? = nil) -> MSALSignoutParameters {
        let webview = MSALWebviewParameters()
        webview.openURLHandler = openURL
        let parameters = MSALSignoutParameters(webviewParameters: webview)
        parameters.signoutFromBrowser = true
        parameters.extraQueryParameters = ["logout_hint": "a b", "state": "forged", "post_logout_redirect_uri": "x"]
        return parameters
    }

    @Test func theBrowserSessionEndsAtTheAuthority() async throws {
        let cookies = CookieJar()
        var (world, _, account) = try await signedIn(cookies: cookies)
        #expect(!cookies.isEmpty)
        world.seat(.ann, cookies: cookies)
        let log = EventLog()
        let parameters = inBrowser()
        parameters.flowEventHandler = log.handler
        #expect(try await world.application().signout(with: account, signoutParameters: parameters))
        #expect(cookies.isEmpty)
        #expect(world.receiver.opened == 2 && world.receiver.closed == 2)

        let page = try #require(log.all.compactMap(\.authorizationURL).first)
        let query = AuthorizationResponse.parameters(of: page)
        #expect(page.path().hasSuffix("/oauth2/v2.0/logout"))
        #expect(query["post_logout_redirect_uri"] == "http://localhost:51234")
        #expect((query["state"]?.utf8.count ?? 0) >= 43)
        #expect(query["logout_hint"] == "a b")
        #expect(query["client-request-id"] != nil)
        #expect(query["id_token_hint"] == nil && query["client_id"] == nil)
        #expect(query.firstRepeatedName == nil)
    }

    @Test("An account of another authority is not signed out in this authority's browser session, and stays")
    func otherAuthority() async throws {
        let (world, _, account) = try await signedIn()
        let elsewhere = try #require(URL(string: "https://id.example"))
        let other = try world.application { $0.authority = try MSALOIDCAuthority(url: elsewhere) }
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await other.signout(
                with: account, signoutParameters: inBrowser { _ in Issue.record("The browser was opened.") })
        }
        #expect(error?.localizedDescription.contains("Nothing was changed") == true)
        #expect(try world.application().allAccounts().count == 1)
    }

    @Test(
        "The sign-out page gets the ID token, even if expired, and opens without one", arguments: [0, 3_000_000.0])
    func thePageIsOpenedWithTheIDTokenAndShownWithoutIt(age: Double) async throws {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: age)
        let stored = try #require(
            world.store.all.first { $0.key.kind == .idToken && $0.key.client != Self.otherClient })
        let (receiver, opened, log) = (world.receiver, Locked<URL?>(nil), EventLog())
        let parameters = inBrowser { page in
            opened.withLock { $0 = page }
            let state = AuthorizationResponse.parameters(of: page)["state"] ?? ""
            let landing = try #require(URL(string: "http://localhost:51234/?state=\(state)"))
            #expect(receiver.deliver(landing))
        }
        parameters.flowEventHandler = log.handler
        #expect(try await application.signout(with: account, signoutParameters: parameters))
        let page = try #require(opened.withLock { $0 })
        #expect(AuthorizationResponse.parameters(of: page)["id_token_hint"] == stored.members["secret"]?.string)
        let shown = try #require(log.all.compactMap(\.authorizationURL).first)
        var expected = AuthorizationResponse.parameters(of: page)
        expected["id_token_hint"] = nil
        #expect(AuthorizationResponse.parameters(of: shown) == expected)
    }

    @Test func signOutWaitsTwoMinutesForTheBrowser() async throws {
        let (world, application, account) = try await signedIn()
        let start = world.time.now()
        let log = EventLog()
        let parameters = inBrowser { _ in }
        parameters.flowEventHandler = log.handler
        let signingOut = Task { try await application.signout(with: account, signoutParameters: parameters) }
        try await wait(until: "the wait is told") { log.saysThatItWaits }
        world.time.advance(by: 120 - BrowserVisit.patience)
        let error = try await failure { try await signingOut.value }
        #expect(world.time.now().timeIntervalSince(start) == 120)
        #expect(
            error.localizedDescription.contains("The sign-out was not confirmed by 127.0.0.1:8400 within 2 minutes.")
                && error.localizedDescription.contains("removed"))
        #expect(error.localizedRecoverySuggestion?.contains("post_logout_redirect_uri") == true)
        #expect(log.all.contains { $0.phase == .noted && $0.detail.contains("Times out after 2 min.") })
        #expect(try application.allAccounts().isEmpty)
        #expect(world.receiver.opened == world.receiver.closed)
    }

    @Test func anOpenIDProviderGetsTheClientID() async throws {
        var world = try World()
        world.seat(.ann)
        let issuer = try #require(Directory.standard.tenants.first).id + "/v2.0"
        let application = try world.application(authority: issuer, isOpenID: true)
        let account = try await application.acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        ).account
        let log = EventLog()
        let parameters = inBrowser()
        parameters.flowEventHandler = log.handler
        #expect(try await application.signout(with: account, signoutParameters: parameters))
        let query = AuthorizationResponse.parameters(of: try #require(log.all.compactMap(\.authorizationURL).first))
        #expect(query["client_id"] == DemoAuthorityServer.clientID)
        #expect(query["client-request-id"] == nil)
    }

    @Test(
        arguments: [
            ("", nil), ("&error=access_denied", nil), ("&error=server_error", MSALError.serverError),
        ] as [(String, MSALError?)])
    func theAnswerDecides(answer: String, code: MSALError?) async throws {
        let (world, application, account) = try await signedIn()
        let receiver = world.receiver
        let parameters = inBrowser { page in
            let state = AuthorizationResponse.parameters(of: page)["state"] ?? ""
            for stray in ["", "?state=x", "?error=access_denied"] {
                let url = try #require(URL(string: "http://localhost:51234/\(stray)"))
                #expect(!receiver.deliver(url))
            }
            let url = try #require(URL(string: "http://localhost:51234/?state=\(state)\(answer)"))
            #expect(receiver.deliver(url))
        }
        guard let code else {
            #expect(try await application.signout(with: account, signoutParameters: parameters))
            return
        }
        let error = try await failure {
            try await application.signout(with: account, signoutParameters: parameters)
        }
        #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == code.rawValue)
        #expect(try application.allAccounts().isEmpty)
    }

    @Test func cancellingThrowsAlthoughTheTokensAreRemoved() async throws {
        let (world, application, account) = try await signedIn()
        let parameters = inBrowser { _ in #expect(MSALPublicClientApplication.cancelCurrentWebAuthSession()) }
        let error = try await failure {
            try await application.signout(with: account, signoutParameters: parameters)
        }
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(try application.allAccounts().isEmpty)
        #expect(world.receiver.opened == world.receiver.closed)
    }

    @Test func anAuthorityWithoutASignOutPageThrowsAlthoughTheTokensAreRemoved() async throws {
        let (world, _, account) = try await signedIn()
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("openid-configuration"),
                var object = try? JSONValue(parsing: response.body).object
            else { return response }
            object["end_session_endpoint"] = nil
            var response = response
            response.body = Array(JSONValue.object(object).serialized.utf8)
            return response
        }
        world.time.advance(by: MetadataSource.maximumAge + 1)
        let application = try world.application()
        let error = try await failure {
            try await application.signout(with: account, signoutParameters: inBrowser())
        }
        #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorUnexpected.rawValue)
        #expect(try application.allAccounts().isEmpty)
    }

    @Test("A sign-out can revoke the refresh token, after it was removed here")
    func revocation() async throws {
        let (world, application, account) = try await signedIn()
        let token = world.store.all.first { $0.key.kind == .refreshToken && $0.key.homeAccountID == account.identifier }
        #expect(token != nil)
        let parameters = MSALSignoutParameters()
        parameters.revokesTokens = true
        let outcomes = Locked<[MSALRevocation]>([])
        parameters.revocationHandler = { outcome in outcomes.withLock { $0.append(outcome) } }
        #expect(try await application.signout(with: account, signoutParameters: parameters))
        let request = try #require(world.transport.requests.last { $0.url.path().hasSuffix("/revoke") })
        let form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
        #expect(form["token_type_hint"] == "refresh_token" && form["token"]?.isEmpty == false)
        guard case .revoked? = outcomes.withLock(\.first) else {
            Issue.record("not revoked")
            return
        }
    }

    @Test("Where the authority revokes no tokens, a sign-out says so")
    func noRevocation() async throws {
        let (world, _, account) = try await signedIn()
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("openid-configuration"),
                var object = try? JSONValue(parsing: response.body).object
            else { return response }
            object["revocation_endpoint"] = nil
            var response = response
            response.body = Array(JSONValue.object(object).serialized.utf8)
            return response
        }
        world.time.advance(by: MetadataSource.maximumAge + 1)
        let parameters = MSALSignoutParameters()
        parameters.revokesTokens = true
        let outcomes = Locked<[MSALRevocation]>([])
        parameters.revocationHandler = { outcome in outcomes.withLock { $0.append(outcome) } }
        #expect(try await world.application().signout(with: account, signoutParameters: parameters))
        guard case .notOffered? = outcomes.withLock(\.first) else {
            Issue.record("\(outcomes.withLock(\.self))")
            return
        }
    }

    @Test("Without a connection, a sign-out removes the tokens and says that they weren't revoked")
    func revocationOffline() async throws {
        let (world, application, account) = try await signedIn()
        world.transport.trouble(.offline)
        let parameters = MSALSignoutParameters()
        parameters.revokesTokens = true
        let outcomes = Locked<[MSALRevocation]>([])
        parameters.revocationHandler = { outcome in outcomes.withLock { $0.append(outcome) } }
        #expect(try await application.signout(with: account, signoutParameters: parameters))
        #expect(try application.allAccounts().isEmpty)
        guard case .failed(let error)? = outcomes.withLock(\.first) else {
            Issue.record("not failed")
            return
        }
        #expect(error.failureKind == .unavailable)
    }

    @Test("A sign-out at an unreachable authority says that only the tokens on this computer were removed")
    func unreachableAuthority() async throws {
        let (world, _, account) = try await signedIn()
        world.time.advance(by: MetadataSource.maximumAge + 1)
        world.transport.trouble(.offline)
        let application = try world.application()
        let error = try await failure {
            try await application.signout(with: account, signoutParameters: inBrowser())
        }
        #expect(error.failureKind == .unavailable)
        #expect(
            error.localizedDescription.hasSuffix(
                " The tokens on this computer were removed, but the browser may still be signed in at 127.0.0.1:8400."))
        #expect(
            error.localizedRecoverySuggestion == "To sign out in the browser, use the website of 127.0.0.1:8400.")
        #expect(try application.allAccounts().isEmpty)
    }

    @Test func anUnknownAccountThrowsBeforeAnythingIsRemoved() async throws {
        let (world, application, _) = try await signedIn()
        let before = world.store.all
        let unknown = MSALAccount(
            username: nil, homeAccountId: nil, environment: "", tenantProfiles: nil, claims: nil)
        _ = try await failure {
            try await application.signout(with: unknown, signoutParameters: MSALSignoutParameters())
        }
        #expect(world.store.all == before)
    }

    @Test func aFailingStoreThrowsBeforeTheBrowserOpens() async throws {
        let (world, application, account) = try await signedIn()
        world.store.fail(with: CredentialStoreFailure(.io, reason: "The disk is full."))
        let error = try await failure {
            try await application.signout(with: account, signoutParameters: inBrowser())
        }
        #expect(error.localizedDescription == "The disk is full.")
    }

    @Test func completionBlockGetsTheSameResult() async throws {
        let (_, application, account) = try await signedIn()
        let parameters = MSALSignoutParameters()
        parameters.completionBlockQueue = DispatchQueue(label: "test")
        let isDone = try await withCheckedThrowingContinuation { continuation in
            application.signout(with: account, signoutParameters: parameters) { isDone, error in
                continuation.resume(with: Result { try error.map { throw $0 } ?? isDone })
            }
        }
        #expect(isDone)
    }

    @Test("An account belongs to its issuer, also without a cached discovery document", arguments: [true, false])
    func accountOfAnIssuer(isStored: Bool) async throws {
        var world = try World()
        world.seat(.ann)
        if !isStored { world.transport.tamper { _, response in response.notStored } }
        let own = try world.application(authority: "\(Directory.contoso)/v2.0", isOpenID: true)
        let account = try await own.acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["email"], webviewParameters: MSALWebviewParameters())
        ).account
        for path in ["\(Directory.contoso)/v2.0", "\(Directory.contoso)/v2.0/"] {
            #expect(try world.application(authority: path, isOpenID: true).isOfAuthority(account))
        }
        let other = try world.application(authority: "\(Directory.fabrikam)/v2.0", isOpenID: true)
        #expect(!other.isOfAuthority(account))
        let issuer = world.transport.origin.appending(path: "\(Directory.contoso)/v2.0")
        #expect(try other.otherAuthorities(of: [account]) == [#require(account.identifier): issuer])
        #expect(try own.otherAuthorities(of: [account]).isEmpty)
        // Another program's identifier doesn't have the issuer.
        let foreign = MSALAccount(
            username: "ann", homeAccountId: MSALAccountId("ann"), environment: account.environment,
            tenantProfiles: nil, claims: nil)
        #expect(other.isOfAuthority(foreign))
    }

    @Test(arguments: [
        ("https://login.microsoftonline.com/common", "login.windows.net", true),
        ("https://login.microsoftonline.com/common", "login.microsoftonline.us", true),
        ("https://login.microsoftonline.com/common", "contoso.ciamlogin.com", false),
        ("https://login.microsoftonline.com/common", "login.microsoftonline.com.example", false),
        ("http://localhost:8400/common", "login.windows.net", false),
        ("http://localhost:8400/common", "localhost", true),
    ])
    func anAccountIsOfTheAuthorityByAnyNameOfItsHost(authority: String, environment: String, isOf: Bool) throws {
        let world = try World()
        let application = try world.application {
            $0.authority = try MSALAADAuthority(url: try #require(URL(string: authority)))
        }
        let account = MSALAccount(
            username: "ann", homeAccountId: MSALAccountId("ann.home"), environment: environment, tenantProfiles: nil,
            claims: nil)
        #expect(application.isOfAuthority(account) == isOf)
    }
}

extension HTTPResponse {
    fileprivate var notStored: HTTPResponse {
        var response = self
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
