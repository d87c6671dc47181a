import Foundation
import KeyturnSystem
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Device codes")
struct DeviceTests {
    private let bench: Bench

    init() throws { bench = try Bench() }

    private init(bench: Bench) { self.bench = bench }

    private func begin(_ changes: [String: String?] = [:]) throws -> HTTPResponse {
        let form: Parameters = [
            "client_id": Directory.demoClientID, "scope": "openid profile offline_access User.Read",
        ]
        return try bench.post("/common/oauth2/v2.0/devicecode", form.changed(by: changes))
    }

    private func ask(_ deviceCode: String, _ changes: [String: String?] = [:]) throws -> JSONValue {
        let form: Parameters = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": Directory.demoClientID,
            "device_code": deviceCode, "client_info": "1",
        ]
        return try bench.post("/common/oauth2/v2.0/token", form.changed(by: changes)).json
    }

    private func page(_ answer: JSONValue) throws -> URL {
        try #require(URL(string: try answer.text("verification_uri_complete")))
    }

    @Test func aUserEntersTheCodeAndTheDeviceGetsTokens() async throws {
        let begun = try begin().json
        let deviceCode = try begun.text("device_code")
        #expect(try ask(deviceCode).text("error") == "authorization_pending")
        #expect(try await bench.user().finish(from: page(begun)) == "Your device is signed in")
        bench.advance(by: 5)
        let tokens = try ask(deviceCode)
        #expect(try tokens.text("refresh_token").isEmpty == false)
        let idToken = try JWT(parsing: try tokens.text("id_token"))
        #expect(idToken.payload["preferred_username"] == "ann@contoso.example")
        #expect(try ask(deviceCode).text("error") == "invalid_grant", "a device code works once")
    }

    @Test func theResponseHasTheURLAndTheLifetime() throws {
        let begun = try begin().json
        #expect(try begun.text("verification_uri") == "http://127.0.0.1:8400/device")
        #expect(begun["expires_in"] == 900)
        #expect(begun["interval"] == 5)
        let code = try begun.text("user_code")
        #expect(code.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
        #expect(try code != begin().json.text("user_code"))
        let parsed = try DeviceAuthorizationResponse(parsing: try begin())
        #expect(parsed.verificationURIComplete?.query()?.hasPrefix("user_code=") == true)
        let document = try OpenIDConfiguration(
            parsing: try bench.get("/common/v2.0/.well-known/openid-configuration").body)
        #expect(document.deviceAuthorizationEndpoint?.path() == "/common/oauth2/v2.0/devicecode")
    }

    @Test func pollingTooSoonCostsFiveSeconds() throws {
        let deviceCode = try begin().json.text("device_code")
        #expect(try ask(deviceCode).text("error") == "authorization_pending")
        bench.advance(by: 4)
        #expect(try ask(deviceCode).text("error") == "slow_down")
        bench.advance(by: 5)
        #expect(try ask(deviceCode).text("error") == "slow_down", "the interval is ten seconds now")
        bench.advance(by: 15)
        #expect(try ask(deviceCode).text("error") == "authorization_pending")
    }

    @Test func aBusyAuthoritySlowsDownAPollThatComesInTime() throws {
        var settings = AuthoritySettings()
        settings.busyPoll = 2
        let tests = DeviceTests(bench: try Bench(settings: settings))
        let deviceCode = try tests.begin().json.text("device_code")
        let results = try [0.0, 5, 10, 10].map { pause in
            tests.bench.advance(by: pause)
            return try tests.ask(deviceCode).text("error")
        }
        #expect(results == ["authorization_pending", "slow_down", "authorization_pending", "authorization_pending"])
    }

    @Test func theCodeExpires() async throws {
        let begun = try begin().json
        bench.advance(by: 900)
        #expect(try ask(begun.text("device_code")).text("error") == "expired_token")
        await #expect(throws: ScriptedUser.Stuck.tooManyPages) {
            _ = try await bench.user().finish(from: page(begun))
        }
    }

    @Test func decliningReachesTheDevice() async throws {
        let begun = try begin().json
        let wang = bench.user("wang@contoso.example", consent: .decline)
        #expect(try await wang.finish(from: page(begun)) == "Sign-in declined")
        #expect(try ask(begun.text("device_code")).text("error") == "access_denied")
        await #expect(throws: ScriptedUser.Stuck.tooManyPages, "the code is used up") {
            _ = try await wang.finish(from: page(begun))
        }
    }

    @Test func aSignedInUserIsAskedToo() async throws {
        let cookies = CookieJar()
        _ = try await bench.answer(of: bench.user(cookies: cookies))
        let titles = Titles()
        let end = try await bench.user(cookies: cookies).finish(from: page(begin().json)) { titles.add($0.title) }
        #expect(titles.all == ["Device sign-in", "Pick an account", "Your device is signed in"])
        #expect(end == "Your device is signed in")
    }

    @Test(
        "Codes are accepted as users type them", arguments: ["bcdf-ghjk", " BCDFGHJK ", "b c d f g h j k", "BCDF–GHJK"])
    func typing(text: String) { #expect(UserCode.normalized(text) == "BCDF-GHJK") }

    @Test(
        "Invalid code requests",
        arguments: [
            (["client_id": nil], "invalid_request"), (["client_id": "unknown"], "unauthorized_client"),
            (["scope": nil], "invalid_request"), (["scope": "Nothing.Known"], "invalid_scope"),
            (["client_secret": "x"], "invalid_client"),
        ] as [([String: String?], String)])
    func wrong(changes: [String: String?], error: String) throws {
        #expect(try begin(changes).json.text("error") == error)
    }

    @Test(
        "Invalid polls",
        arguments: [
            (["device_code": nil], "invalid_request"), (["device_code": "guess"], "invalid_grant"),
            (["client_id": "fa4b2c17-6a0d-4c5e-9d1b-7e3f8a9c2d04"], "unauthorized_client"),
        ] as [([String: String?], String)])
    func wrongQuestion(changes: [String: String?], error: String) throws {
        #expect(try ask(begin().json.text("device_code"), changes).text("error") == error)
    }

    @Test func onlyPostRequestsACode() throws {
        #expect(try bench.get("/common/oauth2/v2.0/devicecode").status == 405)
        #expect(try bench.get("/device").text.contains("Device sign-in"))
    }
}

private final class Titles: Sendable {
    private let titles = Locked<[String]>([])

    var all: [String] { titles.withLock { $0 } }

    func add(_ title: String) { titles.withLock { $0.append(title) } }
}
