import Foundation
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Sign-out")
struct LogoutTests {
    private let path = "/common/oauth2/v2.0/logout"

    private func signedIn(_ bench: Bench) async throws -> (cookie: String, idToken: String) {
        let cookies = CookieJar()
        let answer = try await bench.answer(of: bench.user(cookies: cookies))
        let idToken = try bench.redeem(try #require(answer["code"])).json.text("id_token")
        return (try #require(cookies.header(for: bench.origin)), idToken)
    }

    private func isSignedIn(_ bench: Bench, _ cookie: String) throws -> Bool {
        let url = try bench.authorizeURL(["prompt": "none"])
        return bench.send(HTTPRequest(.get, url, headers: ["Cookie": cookie])).location["code"] != nil
    }

    @Test("A link asks first; the form ends the session and returns with the state")
    func confirmed() async throws {
        let bench = try Bench()
        let cookie = try await signedIn(bench).cookie
        let query: Parameters = ["post_logout_redirect_uri": "http://localhost:9", "state": "s&1"]
        let page = try bench.get(path, query, headers: ["Cookie": cookie])
        #expect(PageReader(page.text).title == "Sign out?")
        #expect(try isSignedIn(bench, cookie))
        let form = try #require(PageReader(page.text).forms.first)
        var parameters: Parameters = ["confirm": "Sign out"]
        for input in form.inputs where input.type == "hidden" { parameters.append(input.name, input.value) }
        let done = try bench.post(form.action, parameters, headers: ["Cookie": cookie])
        #expect(done.headers["Location"] == "http://localhost:9/?state=s%261")
        #expect(done.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(try !isSignedIn(bench, cookie))
    }

    @Test("A form from another site ends nothing")
    func forged() async throws {
        let bench = try Bench()
        let cookie = try await signedIn(bench).cookie
        let response = try bench.post(
            "/common/signout", ["confirm": "1", "token": "guess"], headers: ["Cookie": cookie])
        #expect(response.status == 400)
        #expect(try isSignedIn(bench, cookie))
    }

    @Test("The session's own ID token ends it without a question; another one does not")
    func hint() async throws {
        let bench = try Bench()
        let mine = try await signedIn(bench)
        let other = try await signedIn(bench)
        let asked = try bench.get(path, ["id_token_hint": other.idToken], headers: ["Cookie": mine.cookie])
        #expect(PageReader(asked.text).title == "Sign out?")
        let tampered = try bench.get(path, ["id_token_hint": mine.idToken + "A"], headers: ["Cookie": mine.cookie])
        #expect(PageReader(tampered.text).title == "Sign out?")
        let ended = try bench.get(path, ["id_token_hint": mine.idToken], headers: ["Cookie": mine.cookie])
        #expect(PageReader(ended.text).title == "You are signed out")
        #expect(try !isSignedIn(bench, mine.cookie))
        #expect(try isSignedIn(bench, other.cookie))
    }

    @Test(
        "It redirects only to registered URLs",
        arguments: [
            ("http://localhost:9", true), ("msauth.org.keyturn.app://auth", true), ("http://evil.example", false),
            ("http://a;sandbox", false), ("javascript:alert(1)", false), ("http://localhost:9\r\nA: b", false),
        ])
    func target(address: String, isFollowed: Bool) async throws {
        let bench = try Bench()
        let signedOut = try bench.get(path, ["post_logout_redirect_uri": address])
        #expect((signedOut.headers["Location"] != nil) == isFollowed)
        let cookie = try await signedIn(bench).cookie
        let question = try bench.get(path, ["post_logout_redirect_uri": address], headers: ["Cookie": cookie])
        let policy = try #require(question.headers["Content-Security-Policy"])
        #expect(policy.contains("form-action 'self';") != isFollowed)
        #expect(!policy.contains("sandbox"))
    }
}
