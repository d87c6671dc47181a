import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The scopes that a refresh may request and that a cached token covers (RFC 6749 §5.1, §6).
@Suite("Granted scopes", .oneSessionAtATime)
struct GrantedScopesTests {
    private func expectInteraction(_ scope: String, _ work: () async throws -> MSALResult) async throws {
        let error = try await SignedInWorld.failure(work)
        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(error.localizedDescription.contains(scope))
    }

    @Test("Outside Entra, a scope that was not granted needs a sign-in, without a request")
    func more() async throws {
        let openID = try OpenIDWorld()
        let account = try await openID.signIn("User.Read").account
        openID.world.transport.forget()
        try await expectInteraction("Mail.Read") { try await openID.token(account, "Mail.Read") }
        try await expectInteraction("Mail.Read") { try await openID.token(account, "User.Read", "Mail.Read") }
        #expect(openID.world.transport.requests.isEmpty)
        #expect(try await openID.token(account, "User.Read").isFromCache)
    }

    @Test("Outside Entra, a sign-in for one more scope requests the granted ones too, and loses none")
    func signInForMore() async throws {
        let openID = try OpenIDWorld()
        let account = try await openID.signIn("User.Read", "email").account
        let result = try await openID.signIn("Mail.Read", as: account)
        let requested = Scopes(parsing: try #require(openID.forms.last?["scope"]))
        #expect(Scopes(["User.Read", "email", "Mail.Read"]).isSubset(of: requested))
        #expect(Scopes(["User.Read", "email", "Mail.Read"]).isSubset(of: Scopes(result.scopes)))
        for scope in ["User.Read", "email", "Mail.Read"] {
            #expect(!(try await openID.token(account, scope, force: true).isFromCache))
        }
    }

    @Test("A sign-in that grants less keeps the refresh token and the access token that cover more")
    func declined() async throws {
        let openID = try OpenIDWorld()
        let account = try await openID.signIn("User.Read", "email").account
        openID.answer(scope: "openid User.Read")
        let error = try await SignedInWorld.failure { try await openID.signIn("Mail.Read", as: account) }
        #expect(error.code == MSALError.serverDeclinedScopes.rawValue)
        #expect(try await openID.token(account, "email").isFromCache)
        openID.answer(scope: nil)
        let refreshed = try await openID.token(account, "email", force: true)
        #expect(Scopes(["User.Read", "email"]).isSubset(of: Scopes(refreshed.scopes)))
    }

    @Test("A sign-in without an account that grants less keeps the refresh token that covers more")
    func withoutAccount() async throws {
        let openID = try OpenIDWorld()
        let account = try await openID.signIn("User.Read", "email").account
        try await openID.signIn("Mail.Read")
        #expect(try await openID.token(account, "Mail.Read").isFromCache)
        #expect(!(try await openID.token(account, "email", force: true).isFromCache))
    }

    @Test("At Entra, a sign-in requests only the scopes of the call")
    func signInAtEntra() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        func signIn(_ scope: String, _ account: MSALAccount?) async throws -> MSALAccount {
            let parameters = MSALInteractiveTokenParameters(
                scopes: [scope], webviewParameters: MSALWebviewParameters())
            parameters.account = account
            return try await application.acquireToken(with: parameters).account
        }
        _ = try await signIn("Mail.Read", try await signIn("User.Read", nil))
        let form = try #require(world.transport.requests.last { $0.url.path().hasSuffix("/token") })
        #expect(!String(decoding: form.body, as: UTF8.self).contains("User.Read"))
    }

    @Test("Outside Entra, a refresh names no scopes, and its token has the granted ones")
    func refresh() async throws {
        let openID = try OpenIDWorld()
        let account = try await openID.signIn("User.Read", "email").account
        let refreshed = try await openID.token(account, "User.Read", force: true)
        #expect(!refreshed.isFromCache)
        let form = try #require(openID.forms.last)
        #expect(form["grant_type"] == "refresh_token" && form["scope"] == nil)
        #expect(try await openID.token(account, "email").isFromCache)
    }

    @Test("At Entra, one refresh token serves every resource")
    func entra() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.extraScopesToConsent = ["api://keyturn-files/Files.Read"]
        let account = try await application.acquireToken(with: parameters).account
        let files = MSALSilentTokenParameters(scopes: ["api://keyturn-files/Files.Read"], account: account)
        #expect(try await application.acquireTokenSilent(with: files).scopes.contains("api://keyturn-files/Files.Read"))
    }

    @Test("A refresh whose response names no scopes has the scopes granted before, not the requested ones")
    func silent() async throws {
        let openID = try OpenIDWorld()
        let signIn = try await openID.signIn("User.Read", "email")
        openID.answer(scope: nil)
        let refreshed = try await openID.token(signIn.account, "email", force: true)
        #expect(Scopes(refreshed.scopes) == Scopes(signIn.scopes))
        #expect(refreshed.scopes.contains("User.Read"))
    }

    @Test("The scopes in a refresh response are the granted ones")
    func narrowed() async throws {
        let openID = try OpenIDWorld()
        let account = try await openID.signIn("User.Read", "email").account
        openID.answer(scope: "openid User.Read")
        #expect(try await openID.token(account, "User.Read", force: true).scopes == ["openid", "User.Read"])
        try await expectInteraction("email") { try await openID.token(account, "email") }
    }

    @Test(
        "A scope that is granted under another name needs no request in the next call",
        arguments: [
            ("email", "https://www.googleapis.com/auth/userinfo.email"),
            ("https://www.googleapis.com/auth/userinfo.email", "email"),
        ])
    func names(requested: String, granted: String) async throws {
        let openID = try OpenIDWorld()
        // The built-in authority knows only this name.
        openID.answer(scope: "openid \(granted)")
        let account = try await openID.signIn("email").account
        openID.world.transport.forget()
        #expect(try await openID.token(account, requested).isFromCache)
        #expect(openID.world.transport.requests.isEmpty)
    }

    @Test("Email beside a resource's scopes, which Entra omits from its response, is served from the cache")
    func unnamedEmail() async throws {
        var world = try World()
        world.seat(.ann)
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token") else { return response }
            var response = response
            let body = String(decoding: response.body, as: UTF8.self)
            response.body = Array(body.replacing(/"scope":"[^"]*"/, with: #""scope":"User.Read""#).utf8)
            return response
        }
        let application = try world.application()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read", "email"], webviewParameters: MSALWebviewParameters())
        let result = try await application.acquireToken(with: parameters)
        #expect(result.scopes == ["User.Read"])
        let silent = MSALSilentTokenParameters(scopes: ["User.Read", "email"], account: result.account)
        #expect(try await application.acquireTokenSilent(with: silent).isFromCache)
    }

    @Test("A refresh token without recorded scopes covers those of the access tokens")
    func olderCache() async throws {
        let openID = try OpenIDWorld()
        let account = try await openID.signIn("User.Read").account
        let records = openID.world.store.all.filter { $0.key.kind == .refreshToken }
        #expect(records.map { $0.members["target"]?.string?.contains("User.Read") } == [true])
        try openID.world.store.update(matching: CredentialQuery()) { _ in
            records.map { record in
                CredentialRecord(record.key, record.members.filter { $0.key != "target" })
            }.map(CredentialChange.save)
        }
        openID.world.time.advance(by: 4000)
        #expect(!(try await openID.token(account, "User.Read").isFromCache))
        try await expectInteraction("Mail.Read") { try await openID.token(account, "Mail.Read") }
    }
}
