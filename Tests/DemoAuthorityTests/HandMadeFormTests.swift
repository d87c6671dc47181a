import Foundation
import OAuthCore
import Testing

@testable import DemoAuthority

/// What a browser sends that doesn't follow the pages.
@Suite("Hand-made forms") struct HandMadeFormTests {
    private let bench: Bench

    init() throws { bench = try Bench() }

    /// A browser with the cookie and the form of its last page.
    private final class Browser {
        private let bench: Bench
        private var cookie = ""
        private var form = Parameters()

        init(_ bench: Bench) { self.bench = bench }

        @discardableResult
        func post(_ path: String, _ changes: [String: String?]) throws -> HTTPResponse {
            take(try bench.post(path, form.changed(by: changes), headers: ["Cookie": cookie]))
        }

        @discardableResult
        func take(_ response: HTTPResponse) -> HTTPResponse {
            if let set = response.headers.all("Set-Cookie").first { cookie = String(set.prefix { $0 != ";" }) }
            form = Parameters()
            for found in response.text.matches(of: #/name="(flow|token)" value="([^"]*)"/#) {
                form.append(String(found.1), String(found.2))
            }
            return response
        }
    }

    @Test("The page of consent doesn't replace that of the second factor")
    func skippedFactor() throws {
        let browser = Browser(bench)
        browser.take(
            try bench.get(
                "/common/oauth2/v2.0/authorize", Bench.authorizeParameters.changed(by: ["acr_values": "c1"])))
        let asked = try browser.post("/common/login", ["username": "ann@contoso.example", "password": "ann-likes-tea"])
        #expect(asked.status == 200)
        #expect(try browser.post("/common/consent", ["accept": "Accept"]).status == 400)
    }

    @Test("The first decision on a device code stays, also if another browser has entered it")
    func decidedTwice() throws {
        let begun = try bench.post(
            "/common/oauth2/v2.0/devicecode",
            ["client_id": Directory.demoClientID, "scope": "openid profile User.Read"]
        ).json
        let (ann, wang) = (Browser(bench), Browser(bench))
        for browser in [ann, wang] { try browser.post("/device", ["user_code": try begun.text("user_code")]) }
        let done = try ann.post("/common/login", ["username": "ann@contoso.example", "password": "ann-likes-tea"])
        #expect(done.text.contains("Your device is signed in"))
        try wang.post("/common/login", ["username": "wang@contoso.example", "password": "wang-likes-jazz"])
        let late = try wang.post(
            "/common/consent", ["accept": "Accept", "scope": "https://graph.keyturn.example/user.read"])
        #expect(late.text.contains("The code is unknown or has expired."))
        let tokens = try bench.post(
            "/common/oauth2/v2.0/token",
            [
                "client_id": Directory.demoClientID, "device_code": try begun.text("device_code"),
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            ]
        ).json
        let idToken = try JWT(parsing: try tokens.text("id_token"))
        #expect(idToken.payload["preferred_username"] == "ann@contoso.example")
    }

    @Test(
        "A page of another site registers no client", arguments: [nil, "text/plain", "application/json; charset=utf-8"])
    func registration(type: String?) throws {
        let body = #"{"redirect_uris":["http://127.0.0.1/"],"token_endpoint_auth_method":"none"}"#
        let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        let request = HTTPRequest(
            .post, try bench.url("/common/oauth2/v2.0/register"), headers: headers, body: Array(body.utf8))
        #expect(bench.send(request).status == (type?.hasPrefix("application/json") == true ? 201 : 400))
    }
}
