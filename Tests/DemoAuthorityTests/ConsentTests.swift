import Foundation
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Consent")
struct ConsentTests {
    private static let wang = "wang@contoso.example"

    @Test("Declining is an error for the client, and nothing is remembered")
    func declined() async throws {
        let bench = try Bench()
        let correlation = "AAAAAAAA-2222-4333-8444-55555555555F"
        let answer = try await bench.answer(
            of: bench.user(Self.wang, consent: .decline), ["client-request-id": correlation])
        #expect(answer["error"] == "access_denied")
        #expect(answer["error_description"]?.contains("Correlation ID: \(correlation) ") == true)
        #expect(answer["error_subcode"] == "cancel")
        #expect(answer["state"] == "the-state")
        #expect(answer["code"] == nil)
        let again = try await bench.answer(of: bench.user(Self.wang, consent: .decline))
        #expect(again["error"] == "access_denied")
    }

    @Test("Granted scopes are not asked again; only additional ones are")
    func incremental() async throws {
        let bench = try Bench()
        let cookies = CookieJar()
        let user = bench.user(Self.wang, cookies: cookies)
        _ = try await bench.answer(of: user)
        #expect(try await bench.answer(of: user, ["prompt": "none"])["code"] != nil)
        #expect(
            try await bench.answer(of: user, ["prompt": "none", "scope": "openid Mail.Read"])["error"]
                == "consent_required")
        let url = try bench.authorizeURL(["scope": "openid profile User.Read Mail.Read"])
        let page = bench.send(HTTPRequest(.get, url, headers: ["Cookie": try #require(cookies.header(for: url))]))
        #expect(page.text.contains("Read your mail"))
        #expect(!page.text.contains("Read your profile"))
    }

    @Test("Permissions of the same API that were granted before come along, as at Entra")
    func earlierConsent() async throws {
        let bench = try Bench()
        let user = bench.user(Self.wang, cookies: CookieJar())
        func tokens(_ scope: String) async throws -> JSONValue {
            try bench.redeem(try #require(try await bench.answer(of: user, ["scope": scope])["code"])).json
        }
        #expect(try await tokens("openid offline_access User.Read")["scope"] == "openid offline_access User.Read")
        let second = try await tokens("openid offline_access mail.read")
        #expect(second["scope"] == "openid offline_access mail.read User.Read")
        #expect(try JWT(parsing: second.text("access_token")).payload["scp"] == "Mail.Read User.Read")
        let refreshed = try bench.refresh(try second.text("refresh_token"), ["scope": "User.Read"]).json
        #expect(refreshed["scope"] == "User.Read Mail.Read")
        let other = try await tokens("openid api://keyturn-files/Files.Read")
        #expect(other["scope"] == "openid api://keyturn-files/Files.Read")
    }

    @Test("An unticked scope is not granted, and the response says so")
    func partial() async throws {
        let bench = try Bench()
        let cookies = CookieJar()
        _ = try await bench.answer(of: bench.user(cookies: cookies))
        let url = try bench.authorizeURL(["scope": "openid profile User.Read Mail.Read Calendars.Read"])
        let cookie = try #require(cookies.header(for: url))
        let page = bench.send(HTTPRequest(.get, url, headers: ["Cookie": cookie]))
        let form = try #require(PageReader(page.text).forms.first)
        var parameters: Parameters = ["accept": "Accept"]
        for input in form.inputs where input.type == "hidden" || input.value.hasSuffix("mail.read") {
            parameters.append(input.name, input.value)
        }
        let answer = try bench.post(form.action, parameters, headers: ["Cookie": cookie]).location
        let tokens = try bench.redeem(try #require(answer["code"])).json
        #expect(tokens["scope"] == "openid profile User.Read Mail.Read")
    }

    @Test(
        "Scopes are granted in their requested spelling",
        arguments: [
            ("openid User.Read", "openid User.Read"),
            ("openid user.read", "openid user.read"),
            ("openid https://graph.keyturn.example/User.Read", "openid https://graph.keyturn.example/User.Read"),
            ("openid https://graph.microsoft.com/User.Read", "openid https://graph.microsoft.com/User.Read"),
            (
                "openid https://graph.microsoft.com/.default", "openid https://graph.microsoft.com/.default User.Read"
            ),
            (
                "openid https://graph.keyturn.example/.default",
                "openid https://graph.keyturn.example/.default User.Read"
            ),
            (
                "openid https://graph.keyturn.example//.default",
                "openid https://graph.keyturn.example//.default User.Read"
            ),
            ("openid api://keyturn-files/Files.Read", "openid api://keyturn-files/Files.Read"),
            ("openid openid User.Read", "openid User.Read"),
            ("openid User.Read api://keyturn-files/Files.Read", "openid User.Read"),
        ])
    func spelling(asked: String, granted: String) async throws {
        let tokens = try await Bench().signIn(["scope": asked])
        #expect(tokens["scope"] == .string(granted))
    }

    @Test("One sign-in can be for two resources; each token is for one")
    func twoResources() async throws {
        let bench = try Bench()
        let files = "api://keyturn-files/Files.Read"
        let tokens = try await bench.signIn(["scope": "openid offline_access User.Read \(files)"])
        let second = try bench.refresh(try tokens.text("refresh_token"), ["scope": files]).json
        #expect(try JWT(parsing: tokens.text("access_token")).payload["aud"] == "https://graph.keyturn.example")
        #expect(try JWT(parsing: second.text("access_token")).payload["aud"] == "api://keyturn-files")
        #expect(try JWT(parsing: second.text("access_token")).payload["scp"] == "Files.Read")
    }

    @Test("Cancelling the sign-in page sends a response too")
    func cancelled() async throws {
        let bench = try Bench()
        let page = bench.send(HTTPRequest(.get, try bench.authorizeURL()))
        let form = try #require(PageReader(page.text).forms.first)
        var parameters: Parameters = ["cancel": "Cancel"]
        for input in form.inputs where input.type == "hidden" { parameters.append(input.name, input.value) }
        let cookie = String(try #require(page.headers["Set-Cookie"]).prefix { $0 != ";" })
        let response = try bench.post(form.action, parameters, headers: ["Cookie": cookie])
        #expect(response.location["error"] == "access_denied")
    }
}
