import Foundation
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Invalid authorization requests")
struct AuthorizeRejectionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let changes: [String: String?]
        let error: String
        let number: Int
        var testDescription: String { name }
    }

    private static let sentBackCases = [
        Case(name: "no response type", changes: ["response_type": nil], error: "invalid_request", number: 900144),
        Case(name: "token", changes: ["response_type": "token"], error: "unsupported_response_type", number: 700051),
        Case(
            name: "hybrid", changes: ["response_type": "code id_token"], error: "unsupported_response_type",
            number: 700051),
        Case(
            name: "unknown response mode", changes: ["response_mode": "smoke"], error: "invalid_request", number: 90023),
        Case(name: "no scope", changes: ["scope": nil], error: "invalid_request", number: 900144),
        Case(name: "unknown scope", changes: ["scope": "openid Moon.Walk"], error: "invalid_scope", number: 70011),
        Case(
            name: "unknown resource", changes: ["scope": "https://elsewhere.example/Read"], error: "invalid_scope",
            number: 70011),
        Case(name: "no PKCE", changes: ["code_challenge": nil], error: "invalid_request", number: 9_002_325),
        Case(name: "plain PKCE", changes: ["code_challenge_method": "plain"], error: "invalid_request", number: 501491),
        Case(
            name: "PKCE method left out", changes: ["code_challenge_method": nil], error: "invalid_request",
            number: 501491),
        Case(name: "short challenge", changes: ["code_challenge": "abc"], error: "invalid_request", number: 50147),
        Case(name: "unknown prompt", changes: ["prompt": "sing"], error: "invalid_request", number: 90023),
        Case(name: "none beside login", changes: ["prompt": "none login"], error: "invalid_request", number: 90023),
        Case(name: "max_age no number", changes: ["max_age": "soon"], error: "invalid_request", number: 90023),
        Case(name: "negative max_age", changes: ["max_age": "-1"], error: "invalid_request", number: 90023),
        Case(name: "claims no JSON", changes: ["claims": "{"], error: "invalid_request", number: 90023),
        Case(name: "request object", changes: ["request": "e30."], error: "request_not_supported", number: 90023),
        Case(
            name: "request by reference", changes: ["request_uri": "https://a.example"],
            error: "request_uri_not_supported", number: 90023),
        Case(name: "no signed-in user", changes: ["prompt": "none"], error: "login_required", number: 50058),
    ]

    @Test("Once the redirect URI is verified, errors go there", arguments: sentBackCases)
    func sentBack(wrong: Case) throws {
        let bench = try Bench()
        let response = bench.send(HTTPRequest(.get, try bench.authorizeURL(tenant: "contoso", wrong.changes)))
        #expect(response.status == 303)
        #expect(response.headers["Location"]?.hasPrefix("\(Bench.redirectURI)/?") == true)
        #expect(response.location["error"] == wrong.error)
        #expect(response.location["error_description"]?.hasPrefix("AADSTS\(wrong.number): ") == true)
        #expect(response.location["state"] == "the-state")
        #expect(response.location["iss"] == "http://127.0.0.1:8400/\(Bench.contoso)/v2.0")
    }

    private static let shownCases = [
        Case(name: "no client", changes: ["client_id": nil], error: "invalid_request", number: 900144),
        Case(name: "unknown client", changes: ["client_id": "unknown"], error: "unauthorized_client", number: 700016),
        Case(name: "no redirect URI", changes: ["redirect_uri": nil], error: "invalid_request", number: 900144),
        Case(
            name: "another host", changes: ["redirect_uri": "http://evil.example/"], error: "invalid_request",
            number: 50011),
        Case(
            name: "another path", changes: ["redirect_uri": "http://localhost:5/x"], error: "invalid_request",
            number: 50011),
        Case(
            name: "a query", changes: ["redirect_uri": "http://localhost:5/?next=x"], error: "invalid_request",
            number: 50011),
        Case(
            name: "a fragment", changes: ["redirect_uri": "http://localhost:5/#x"], error: "invalid_request",
            number: 50011),
        Case(
            name: "user information", changes: ["redirect_uri": "http://localhost@evil.example"],
            error: "invalid_request", number: 50011),
        Case(
            name: "a password", changes: ["redirect_uri": "http://a:b@localhost:5"], error: "invalid_request",
            number: 50011),
        Case(
            name: "https for loopback", changes: ["redirect_uri": "https://localhost:5"], error: "invalid_request",
            number: 50011),
        Case(
            name: "a longer scheme host", changes: ["redirect_uri": "msauth.org.keyturn.app://auth.evil"],
            error: "invalid_request", number: 50011),
        Case(
            name: "a script", changes: ["redirect_uri": "javascript:alert(1)"], error: "invalid_request", number: 50011),
        Case(
            name: "a header", changes: ["redirect_uri": "http://localhost:5\r\nSet-Cookie: a=b"],
            error: "invalid_request", number: 50011),
    ]

    @Test("Before that, errors stay on a page", arguments: shownCases)
    func shown(wrong: Case) throws {
        let bench = try Bench()
        let response = bench.send(HTTPRequest(.get, try bench.authorizeURL(wrong.changes)))
        #expect(response.status == 400)
        #expect(response.headers["Location"] == nil)
        #expect(PageReader(response.text).alert.hasPrefix("AADSTS\(wrong.number): "))
        #expect(response.text.contains("<code>\(wrong.error)</code>"))
    }

    @Test(
        "Parameters must not repeat",
        arguments: [("client_id", true), ("redirect_uri", true), ("scope", false), ("state", false)])
    func repeated(name: String, isShown: Bool) throws {
        let bench = try Bench()
        var parameters = Bench.authorizeParameters
        parameters.append(name, "again")
        let response = try bench.get("/common/oauth2/v2.0/authorize", parameters)
        let text = isShown ? PageReader(response.text).alert : response.location["error_description"]
        #expect(text?.hasPrefix("AADSTS9000411: ") == true)
        #expect((response.headers["Location"] == nil) == isShown)
    }

    @Test(
        "Registered redirect URIs",
        arguments: [
            "http://localhost", "http://localhost/", "http://localhost:1", "http://127.0.0.1:65535/",
            "http://[::1]:8080",
            "msauth.org.keyturn.app://auth",
        ])
    func accepted(uri: String) throws {
        let bench = try Bench()
        let response = bench.send(HTTPRequest(.get, try bench.authorizeURL(["redirect_uri": uri])))
        #expect(response.status == 200)
        #expect(PageReader(response.text).title == "Sign in to your account")
    }

    @Test(
        "The page's policy lets its form redirect to the redirect URI, as Chromium requires",
        arguments: [
            ("http://localhost:5", "http://localhost:5"), ("http://[::1]:5", "http:"),
            ("msauth.org.keyturn.app://auth", "msauth.org.keyturn.app:"),
        ])
    func formAction(uri: String, source: String) throws {
        let bench = try Bench()
        let response = bench.send(HTTPRequest(.get, try bench.authorizeURL(["redirect_uri": uri])))
        #expect(response.headers["Content-Security-Policy"]?.contains("form-action 'self' \(source);") == true)
    }

    @Test("A request may be a form too (OpenID Connect Core §3.1.2.1)")
    func postedRequest() throws {
        let response = try Bench().post("/common/oauth2/v2.0/authorize", Bench.authorizeParameters)
        #expect(PageReader(response.text).title == "Sign in to your account")
    }

    @Test(
        "Text of the request cannot become markup or a header",
        arguments: ["login_hint", "state", "client_id", "redirect_uri", "scope"])
    func hostileText(parameter: String) throws {
        let bench = try Bench()
        let hostile = "\"'><script>alert(1)</script>\r\nX-Evil: 1\u{1B}[31m"
        let url = try bench.authorizeURL([parameter: hostile, "response_mode": "form_post"])
        let response = bench.send(HTTPRequest(.get, url))
        #expect(!response.text.contains("<script"))
        #expect(!response.text.contains("\u{1B}"))
        #expect(response.headers.fields.allSatisfy { !$0.value.contains("\r") && !$0.value.contains("\n") })
    }

    @Test("A state that contains a header comes back as a parameter's value")
    func hostileState() async throws {
        let bench = try Bench()
        let state = "a\r\nSet-Cookie: b=c&code=mine#"
        let answer = try await bench.answer(of: bench.user(), ["state": state])
        #expect(answer["state"] == state)
        #expect(answer.count(of: "code") == 1)
    }
}
