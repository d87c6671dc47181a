import Foundation
import KeyturnSystem
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Browser session")
struct BrowserSessionTests {
    private final class Log: Sendable {
        private let visits = Locked<[PageVisit]>([])
        func add(_ visit: PageVisit) { visits.withLock { $0.append(visit) } }
        var titles: [String] { visits.withLock { $0.map(\.title) } }
    }

    /// The pages that the user sees, and the final response.
    private func walk(
        _ bench: Bench, _ cookies: CookieJar, as username: String = "ann@contoso.example", tenant: String = "common",
        _ changes: [String: String?] = [:]
    ) async throws -> (pages: [String], answer: Parameters) {
        let log = Log()
        let url = try bench.authorizeURL(tenant: tenant, changes)
        let address = try await bench.user(username, cookies: cookies).walk(from: url) { log.add($0) }
        return (log.titles, AuthorizationResponse.parameters(of: address))
    }

    private static let signIn = "Sign in to your account"

    @Test("A signed-in user is not asked again, in any of their tenants")
    func singleSignOn() async throws {
        let bench = try Bench()
        let cookies = CookieJar()
        #expect(try await walk(bench, cookies).pages == [Self.signIn])
        bench.advance(by: 600)
        let second = try await walk(bench, cookies, tenant: "contoso")
        #expect(second.pages.isEmpty)
        let tokens = try bench.redeem(try #require(second.answer["code"])).json
        let claims = try JWT(parsing: tokens.text("id_token")).payload
        #expect(claims["auth_time"]?.double == bench.now.timeIntervalSince1970 - 600)
        #expect(claims["preferred_username"] == "ann@contoso.example")
    }

    @Test("A sign-in elsewhere is not valid here", arguments: ["fabrikam", "consumers"])
    func otherTenant(tenant: String) async throws {
        let bench = try Bench()
        let cookies = CookieJar()
        _ = try await walk(bench, cookies)
        let response = try answerWithCookies(bench, cookies, ["prompt": "none"], tenant: tenant)
        #expect(response.location["error"] == "login_required")
    }

    @Test("The session expires after twelve hours")
    func sessionEnd() async throws {
        let bench = try Bench()
        let cookies = CookieJar()
        _ = try await walk(bench, cookies)
        bench.advance(by: 43200)
        #expect(try await walk(bench, cookies).pages == [Self.signIn])
    }

    @Test(
        "prompt and max_age require a new sign-in",
        arguments: [
            (["prompt": "login"], [signIn]),
            (["prompt": "select_account"], ["Pick an account"]),
            (["prompt": "consent"], ["Permissions requested"]),
            (["prompt": "login consent"], [signIn, "Permissions requested"]),
            (["prompt": "select_account login"], ["Pick an account", signIn]),
            (["max_age": "599"], [signIn]),
            (["max_age": "600"], []),
            (["prompt": "none"], []),
            (["login_hint": "wang@contoso.example"], [signIn]),
            (["login_hint": " ANN@Contoso.example"], []),
        ])
    func prompts(changes: [String: String], pages: [String]) async throws {
        let bench = try Bench()
        let cookies = CookieJar()
        _ = try await walk(bench, cookies)
        bench.advance(by: 600)
        let second = try await walk(bench, cookies, changes)
        #expect(second.pages == pages)
        #expect(second.answer["code"] != nil)
    }

    @Test("With two signed-in users the page offers both, a hint chooses one, and prompt=none is an error")
    func severalUsers() async throws {
        let bench = try Bench()
        let cookies = CookieJar()
        _ = try await walk(bench, cookies)
        _ = try await walk(bench, cookies, as: "wang@contoso.example", ["prompt": "login"])
        #expect(try await walk(bench, cookies).pages == ["Pick an account"])
        #expect(try await walk(bench, cookies, ["login_hint": "ann@contoso.example"]).pages.isEmpty)
        #expect(
            try answerWithCookies(bench, cookies, ["prompt": "none"]).location["error"] == "account_selection_required")
        #expect(
            try await walk(bench, cookies, as: "mia@outlook.example").pages
                == ["Pick an account", Self.signIn, "Permissions requested"])
    }

    @Test("The cookie is sent to this server only, and changes at sign-in")
    func cookie() async throws {
        let bench = try Bench()
        let page = bench.send(HTTPRequest(.get, try bench.authorizeURL()))
        let before = try #require(page.headers["Set-Cookie"])
        #expect(before.hasPrefix("keyturn-authority-8400="))
        #expect(before.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
        let after = try Self.submit(page, to: bench, cookie: before)
        #expect(after.status == 303)
        #expect(try #require(after.headers["Set-Cookie"]) != before)
        let old = try bench.get(
            "/common/oauth2/v2.0/authorize", Bench.authorizeParameters, headers: ["Cookie": Self.pair(before)])
        #expect(PageReader(old.text).title == Self.signIn)
    }

    enum Forgery: String, CaseIterable {
        case noToken, wrongToken, wrongFlow, noCookie, otherBrowser, tooLate
    }

    @Test("A form that this browser did not get is rejected", arguments: Forgery.allCases)
    func forgery(_ forgery: Forgery) throws {
        let bench = try Bench()
        let page = bench.send(HTTPRequest(.get, try bench.authorizeURL()))
        var cookie = page.headers["Set-Cookie"]
        var changes: [String: String?] = [:]
        switch forgery {
        case .noToken: changes["token"] = .some(nil)
        case .wrongToken: changes["token"] = "guess"
        case .wrongFlow: changes["flow"] = "guess"
        case .noCookie: cookie = nil
        case .otherBrowser: cookie = bench.send(HTTPRequest(.get, try bench.authorizeURL())).headers["Set-Cookie"]
        case .tooLate: bench.advance(by: 600)
        }
        let response = try Self.submit(page, to: bench, cookie: cookie, changes)
        #expect(response.status == 400)
        #expect(response.headers["Location"] == nil)
        #expect(PageReader(response.text).alert.hasPrefix("AADSTS165000: "))
    }

    @Test("The consent form does not bypass the password")
    func consentBeforeSignIn() throws {
        let bench = try Bench()
        let page = bench.send(HTTPRequest(.get, try bench.authorizeURL()))
        let response = try Self.submit(
            page, to: bench, cookie: page.headers["Set-Cookie"], ["accept": "Accept"], path: "/common/consent")
        #expect(PageReader(response.text).alert.hasPrefix("AADSTS165000: "))
    }

    @Test("The account picker accepts only signed-in users")
    func foreignAccount() async throws {
        let bench = try Bench()
        let cookies = CookieJar()
        _ = try await walk(bench, cookies)
        let page = try answerWithCookies(bench, cookies, ["prompt": "select_account"])
        let cookie = cookies.header(for: bench.origin)
        let response = try Self.submit(
            page, to: bench, cookie: cookie, ["account": "wang@contoso.example"], path: "/common/select")
        #expect(PageReader(response.text).title == Self.signIn)
        #expect(response.headers["Location"] == nil)
    }

    // MARK: Requests that the scripted user never sends

    private func answerWithCookies(
        _ bench: Bench, _ cookies: CookieJar, _ changes: [String: String?], tenant: String = "common"
    ) throws -> HTTPResponse {
        let url = try bench.authorizeURL(tenant: tenant, changes)
        let cookie = try #require(cookies.header(for: url))
        return bench.send(HTTPRequest(.get, url, headers: ["Cookie": cookie]))
    }

    /// Sends the form of a page as Ann would, with some values changed.
    private static func submit(
        _ page: HTTPResponse, to bench: Bench, cookie: String?, _ changes: [String: String?] = [:], path: String? = nil
    ) throws -> HTTPResponse {
        let form = try #require(PageReader(page.text).forms.first)
        var parameters: Parameters = ["username": "ann@contoso.example", "password": "ann-likes-tea"]
        for input in form.inputs where input.type == "hidden" { parameters.append(input.name, input.value) }
        return try bench.post(
            path ?? form.action, parameters.changed(by: changes), headers: cookie.map { ["Cookie": pair($0)] } ?? [:])
    }

    private static func pair(_ setCookie: String) -> String { String(setCookie.prefix { $0 != ";" }) }
}
