import Foundation
import KeyturnCrypto
import KeyturnSystem
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Sign-in on the pages")
struct SignInTests {
    private func published(_ bench: Bench, tenant: String) throws -> JWKSet {
        try JWKSet(parsing: try bench.get("/\(tenant)/discovery/v2.0/keys").body)
    }

    @Test("The tokens of a sign-in pass every check of the client, with the published keys")
    func tokensVerify() async throws {
        let bench = try Bench()
        let tokens = try await bench.signIn()
        let idToken = try JWT(parsing: tokens.text("id_token"))
        let document = try bench.get("/common/v2.0/.well-known/openid-configuration").body
        var input = IDTokenRules.Input(
            token: idToken, issuer: try OpenIDConfiguration(parsing: document).issuer,
            clientID: Directory.demoClientID, localTime: bench.now)
        input.keys = try published(bench, tenant: "common")
        input.nonce = "the-nonce"
        input.accessToken = Secret(try tokens.text("access_token"))
        let verdicts = IDTokenRules().judge(input)
        let wanted: Set<Verdict.Rule> = [
            .signature, .issuer, .audience, .nonce, .expiry, .issuedAt, .accessTokenHash,
        ]
        #expect(Set(verdicts.filter { $0.outcome == .passed }.map(\.rule)).isSuperset(of: wanted), "\(verdicts)")
        #expect(!verdicts.contains { $0.outcome == .failed }, "\(verdicts)")
    }

    @Test("The ID token has user, tenant and times")
    func idTokenClaims() async throws {
        let bench = try Bench()
        let claims = try JWT(parsing: try await bench.signIn().text("id_token")).payload
        #expect(claims["tid"] == .string(Bench.contoso))
        #expect(claims["iss"] == .string("http://127.0.0.1:8400/\(Bench.contoso)/v2.0"))
        #expect(claims["preferred_username"] == "ann@contoso.example")
        #expect(claims["name"] == "Ann Archer")
        #expect(claims["oid"] == "a1b2c3d4-0001-4a00-8a00-00000000a001")
        #expect(claims["exp"]?.double == bench.now.timeIntervalSince1970 + 3600)
        #expect(claims["auth_time"]?.double == bench.now.timeIntervalSince1970)
    }

    @Test("The access token is for the resource of its scopes and signed with the published key")
    func accessToken() async throws {
        let bench = try Bench()
        let token = try JWT(parsing: try await bench.signIn().text("access_token"))
        let key = try #require(
            try published(bench, tenant: Bench.contoso).keys(for: token.keyID, algorithm: .rs256).first)
        #expect(key.publicKey.isValidSignature(token.signature, of: token.signingInput, algorithm: .rs256))
        #expect(token.payload["aud"] == "https://graph.keyturn.example")
        #expect(token.payload["scp"] == "User.Read")
    }

    @Test("client_info names the home account, with the code and with the tokens")
    func clientInfo() async throws {
        let bench = try Bench()
        let answer = try await bench.answer(of: bench.user("zoe@fabrikam.example"), tenant: "contoso")
        let ofAnswer = try ClientInfo(parsing: try #require(answer["client_info"]))
        let tokens = try bench.redeem(try #require(answer["code"]), tenant: "contoso").json
        let ofTokens = try ClientInfo(parsing: try tokens.text("client_info"))
        let claims = try JWT(parsing: tokens.text("id_token")).payload
        #expect(ofAnswer.homeAccountID == "a1b2c3d4-0003-4a00-8a00-00000000a003.\(Bench.fabrikam)")
        #expect(ofTokens == ofAnswer)
        #expect(claims["tid"] == .string(Bench.contoso))
        #expect(claims["oid"] == "a1b2c3d4-0003-4a00-8a00-0000000c0003")
    }

    @Test("Names arrive as in the directory", arguments: ["wang@contoso.example", "zoe@fabrikam.example"])
    func names(username: String) async throws {
        let bench = try Bench()
        let claims = try JWT(parsing: try await bench.signIn(as: username).text("id_token")).payload
        let name = try #require(Directory.standard.user(named: username)?.name)
        #expect(Array((claims["name"]?.string ?? "").unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test(
        "Every response mode has state, code and the tenant's issuer", arguments: ["query", "fragment", "form_post"])
    func responseModes(mode: String) async throws {
        let bench = try Bench()
        let address = try await bench.user().walk(from: try bench.authorizeURL(["response_mode": mode]))
        #expect((address.fragment() != nil) == (mode == "fragment"))
        #expect(address.absoluteString.hasPrefix("\(Bench.redirectURI)/"))
        let answer = AuthorizationResponse.parameters(of: address)
        #expect(answer["state"] == "the-state")
        #expect(answer["iss"] == "http://127.0.0.1:8400/\(Bench.contoso)/v2.0")
        #expect(try bench.redeem(try #require(answer["code"])).status == 200)
    }

    @Test("The user's pages are logged one by one, without the password")
    func visits() async throws {
        let bench = try Bench()
        let visits = Locked<[PageVisit]>([])
        _ = try await bench.user("wang@contoso.example").walk(from: try bench.authorizeURL(tenant: "contoso")) {
            visit in
            visits.withLock { $0.append(visit) }
        }
        let told = visits.withLock { $0 }
        #expect(told.map(\.title) == ["Sign in to Contoso", "Permissions requested"])
        #expect(told.map(\.pressed) == ["Sign in", "Accept"])
        #expect(told[0].fields.map(\.label) == ["Username", "Password"])
        #expect(told[0].fields.map(\.value) == ["wang@contoso.example", "••••••••"])
        #expect(told[1].fields.allSatisfy { $0.kind == .checkbox(isTicked: true) })
        #expect(told[1].fields.map(\.label).contains("Read your profile (User.Read)"), "without its explanation")
        #expect(told[0].text == ["to continue to Keyturn"], "the list of users is an aside")
        #expect(!"\(told)".contains("wang-likes-jazz"))
    }

    @Test("A wrong password shows the page again and stops the scripted user")
    func wrongPassword() async throws {
        let bench = try Bench()
        await #expect {
            _ = try await bench.user(password: "not this").walk(from: try bench.authorizeURL())
        } throws: { error in
            guard case .rejected(_, let alert) = error as? ScriptedUser.Stuck else { return false }
            return alert.hasPrefix("AADSTS50126") && !alert.contains("not this")
        }
    }

    @Test(
        "An account of another tenant is rejected with that reason",
        arguments: [
            ("fabrikam", "ann@contoso.example"), ("organizations", "mia@outlook.example"),
            ("consumers", "ann@contoso.example"),
        ])
    func wrongTenant(tenant: String, username: String) async throws {
        let bench = try Bench()
        await #expect {
            _ = try await bench.user(username).walk(from: try bench.authorizeURL(tenant: tenant))
        } throws: { error in
            guard case .rejected(_, let alert) = error as? ScriptedUser.Stuck else { return false }
            return alert.hasPrefix("AADSTS50020")
        }
    }
}
