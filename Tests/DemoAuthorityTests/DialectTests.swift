import Foundation
import OAuthCore
import Testing

@testable import DemoAuthority

/// Features beyond a plain sign-in.
@Suite("Extended features") struct DialectTests {
    private static let challenge = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

    private func claims(_ tokens: JSONValue, _ member: String = "id_token") throws -> JSONValue {
        .object(try JWT(parsing: tokens.text(member)).payload)
    }

    @Test("Claims that require MFA lead to a second factor, and the refresh token records it")
    func stepUp() async throws {
        let bench = try Bench()
        let plain = try await bench.signIn()
        #expect(try claims(plain)["amr"] == ["pwd"])
        let rejected = try bench.refresh(plain.text("refresh_token"), ["claims": Self.challenge])
        #expect(rejected.status == 400)
        #expect(try rejected.json.text("error") == "interaction_required")
        #expect(try rejected.json["error_codes"] == [50076])
        #expect(try RequestedClaims(rejected.json.text("claims"))?.contexts == ["c1"])

        let stepped = try await bench.signIn(["claims": Self.challenge])
        #expect(try claims(stepped)["amr"] == ["pwd", "mfa"])
        #expect(try claims(stepped, "access_token")["acrs"] == ["c1"])
        let refreshed = try bench.refresh(stepped.text("refresh_token"), ["claims": Self.challenge])
        #expect(try claims(refreshed.json, "access_token")["acrs"] == ["c1"])
    }

    @Test("Without pages, a second factor is an error for the client")
    func stepUpSilently() async throws {
        let bench = try Bench()
        let cookies = CookieJar()
        _ = try await bench.answer(of: bench.user(cookies: cookies))
        let answer = try await bench.answer(
            of: bench.user(cookies: cookies), ["prompt": "none", "claims": Self.challenge])
        #expect(answer["error"] == "interaction_required")
    }

    @Test(
        "A claims parameter that is not an object of objects is rejected",
        arguments: ["nothing", "[]", #"{"access_token":1}"#, #"{"id_token":["acr"]}"#])
    func malformedClaims(text: String) async throws {
        let bench = try Bench()
        #expect(
            try bench.get("/common/oauth2/v2.0/authorize", Bench.authorizeParameters.changed(by: ["claims": text]))
                .location["error"] == "invalid_request")
        let token = try await bench.signIn().text("refresh_token")
        #expect(try bench.refresh(token, ["claims": text]).json.text("error") == "invalid_request")
    }

    @Test("Capabilities come back in xms_cc, single claims in the ID token")
    func requestedClaims() async throws {
        let wanted = #"{"access_token":{"xms_cc":{"values":["CP1"]}},"id_token":{"upn":null,"unheard_of":null}}"#
        let tokens = try await Bench().signIn(["claims": wanted])
        #expect(try claims(tokens, "access_token")["xms_cc"] == ["CP1"])
        #expect(try claims(tokens)["upn"] == "ann@contoso.example")
        #expect(try claims(tokens)["unheard_of"] == nil)
    }

    @Test("A user flow has its own issuer, accounts and tokens", arguments: ["tfp/woodgrove", "woodgrove"])
    func userFlow(prefix: String) async throws {
        let bench = try Bench()
        let place = "\(prefix)/B2C_1_SignIn"
        let configuration = try bench.get("/\(place)/v2.0/.well-known/openid-configuration").json
        let code = try #require(
            try await bench.answer(of: bench.user("lea@woodgrove.example"), tenant: place)["code"])
        let tokens = try bench.redeem(code, tenant: place).json
        #expect(try claims(tokens)["iss"] == configuration["issuer"])
        #expect(try claims(tokens)["tfp"] == "b2c_1_signin")
        #expect(try claims(tokens)["tid"] == nil)
        #expect(try ClientInfo(parsing: tokens.text("client_info")).uid.hasSuffix("-b2c_1_signin"))
        let elsewhere = try bench.refresh(tokens.text("refresh_token"), tenant: "\(prefix)/b2c_1_editprofile")
        #expect(elsewhere.status == 400)
        #expect(try bench.get("/\(prefix)/b2c_1_unknown/v2.0/.well-known/openid-configuration").status == 400)
    }

    @Test("Customers exist in their own tenant only")
    func customers() async throws {
        let bench = try Bench()
        await #expect(throws: ScriptedUser.Stuck.self) {
            try await bench.answer(of: bench.user("lea@woodgrove.example"))
        }
        #expect(
            try bench.get("/common/oauth2/v2.0/authorize", Bench.authorizeParameters).text.contains("lea@") == false)
    }

    @Test("Clients of a family may use each other's refresh tokens, others may not")
    func family() async throws {
        let bench = try Bench()
        let (mail, files) = (Directory.familyClientIDs[0], Directory.familyClientIDs[1])
        let code = try #require(try await bench.answer(of: bench.user(), ["client_id": mail])["code"])
        let tokens = try bench.redeem(code, ["client_id": mail]).json
        #expect(tokens["foci"] == "1")
        let other = try bench.refresh(tokens.text("refresh_token"), ["client_id": files])
        #expect(other.status == 200)
        #expect(try claims(other.json)["aud"] == .string(files))
        #expect(try bench.refresh(tokens.text("refresh_token"), ["client_id": mail]).status == 200, "it is still valid")
        let stranger = try bench.refresh(tokens.text("refresh_token"))
        #expect(try stranger.json.text("suberror") == "client_mismatch")
    }

    @Test("Userinfo identifies the token's user, and accepts the token in the header or in a form")
    func userInfo() async throws {
        let bench = try Bench()
        let tokens = try await bench.signIn()
        let token = try tokens.text("access_token")
        let answer = try bench.get("/oidc/userinfo", headers: ["Authorization": "Bearer \(token)"])
        #expect(try answer.json["sub"] == claims(tokens)["sub"])
        #expect(try answer.json["name"] == "Ann Archer")
        #expect(try bench.post("/oidc/userinfo", ["access_token": token]).status == 200)
        bench.advance(by: 3601)
        #expect(try bench.post("/oidc/userinfo", ["access_token": token]).status == 401, "it has expired")
    }

    @Test(
        "Userinfo rejects a foreign token as in RFC 6750",
        arguments: ["Bearer", "Bearer nothing", "Basic YTpi", "Bearer a b", ""])
    func userInfoRejects(field: String) throws {
        let answer = try Bench().get("/oidc/userinfo", headers: ["Authorization": field])
        #expect(answer.status == 401)
        #expect(answer.headers["WWW-Authenticate"]?.contains("invalid_token") == true)
        #expect(try answer.json.text("error") == "invalid_token")
    }

    @Test func userInfoRequiresOpenID() async throws {
        let bench = try Bench()
        let token = try await bench.signIn(["scope": "User.Read"]).text("access_token")
        #expect(try bench.post("/oidc/userinfo", ["access_token": token]).status == 403)
    }

    @Test("A form in a second tab stays valid after a sign-in in the first")
    func secondTab() throws {
        let bench = try Bench()
        let cookies = CookieJar()
        func send(_ request: HTTPRequest) -> HTTPResponse {
            var request = request
            request.headers["Cookie"] = cookies.header(for: request.url)
            let response = bench.send(request)
            cookies.store(response)
            return response
        }
        let pages = try (0..<2).map { _ in PageReader(send(HTTPRequest(.get, try bench.authorizeURL())).text) }
        for page in pages {
            let form = try #require(page.forms.first)
            var answer: Parameters = ["username": "ann@contoso.example", "password": "ann-likes-tea"]
            for input in form.inputs where input.type == "hidden" { answer[input.name] = input.value }
            let end = send(.form(answer, to: try bench.url(form.action)))
            #expect(end.location["code"] != nil, "\(PageReader(end.text).alert)")
        }
    }

    @Test("Guessing user codes is blocked for a while")
    func guessing() throws {
        let bench = try Bench()
        let statuses = try (0..<25).map { try bench.post("/device", ["user_code": "BBBB-BBB\($0 % 9)"]).status }
        #expect(statuses.filter { $0 == 200 }.count == 20)
        let rejected = try bench.post("/device", ["user_code": "BBBB-BBBB"])
        #expect(rejected.status == 429)
        #expect(rejected.headers["Retry-After"] == "60")
        bench.advance(by: 61)
        #expect(try bench.post("/device", ["user_code": "BBBB-BBBB"]).status == 200)
    }

    @Test("domain_hint narrows the page down to one organisation")
    func domainHint() throws {
        let bench = try Bench()
        let page = bench.send(HTTPRequest(.get, try bench.authorizeURL(["domain_hint": "fabrikam.example"]))).text
        #expect(PageReader(page).title == "Sign in to Fabrikam")
        #expect(page.contains("zoe@fabrikam.example"))
        #expect(!page.contains("wang@contoso.example"))
    }

    @Test(
        "Each algorithm signs, and rotation also publishes the earlier keys",
        arguments: ["RS256", "ES256", "PS256"])
    func algorithms(name: String) async throws {
        var settings = AuthoritySettings()
        settings.signatureAlgorithm = try #require(.init(rawValue: name))
        settings.rotatesKeys = true
        let bench = try Bench(settings: settings)
        let first = try JWT(parsing: await bench.signIn().text("id_token"))
        let second = try JWT(parsing: await bench.signIn().text("id_token"))
        #expect(first.algorithm == name)
        #expect(second.algorithm != name)
        let keys = try JWKSet(parsing: bench.get("/common/discovery/v2.0/keys").body)
        for token in [first, second] { #expect(keys.keys.contains { $0.keyID == token.keyID }) }
    }
}
