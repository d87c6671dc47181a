import Foundation
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Pushed authorization requests (RFC 9126)")
struct PushedRequestTests {
    private func bench(_ offer: PushedRequests = .required) throws -> Bench {
        var settings = AuthoritySettings()
        settings.pushedRequests = offer
        return try Bench(settings: settings)
    }

    private func push(_ bench: Bench, _ changes: [String: String?] = [:]) throws -> HTTPResponse {
        try bench.post("/common/oauth2/v2.0/par", Bench.authorizeParameters.changed(by: changes))
    }

    private func page(_ bench: Bench, _ uri: String, client: String = Directory.demoClientID) throws -> URL {
        try bench.url("/common/oauth2/v2.0/authorize", ["client_id": client, "request_uri": uri])
    }

    private func answer(_ bench: Bench, _ page: URL) async throws -> Parameters {
        AuthorizationResponse.parameters(of: try await bench.user().walk(from: page))
    }

    @Test("A pushed request leads to a code that its verifier redeems, once and for a minute")
    func signIn() async throws {
        let bench = try bench()
        let response = try push(bench)
        #expect(response.status == 201)
        #expect(try response.json["expires_in"] == 60)
        let page = try page(bench, try response.json.text("request_uri"))
        #expect(page.absoluteString.utf8.count < 200)
        let answer = try await answer(bench, page)
        #expect(answer["state"] == "the-state")
        #expect(try bench.redeem(answer["code"] ?? "").status == 200)
        let second = try await self.answer(bench, page)
        #expect(second["error"] == "invalid_request_uri" && second["state"] == "the-state")
        #expect(second["error_description"]?.contains("already used") == true)
    }

    @Test("An expired request is reported to the application")
    func expiry() async throws {
        let bench = try bench()
        let page = try page(bench, try push(bench).json.text("request_uri"))
        bench.advance(by: 60)
        let answer = try await answer(bench, page)
        #expect(answer["error"] == "invalid_request_uri")
        #expect(answer["error_description"]?.contains("has expired") == true)
    }

    @Test("Nothing is sent to a redirect URI for a reference that is unknown or of another client")
    func strangers() throws {
        let bench = try bench()
        let uri = try push(bench).json.text("request_uri")
        let unknown = try page(bench, "urn:ietf:params:oauth:request_uri:unknown")
        for page in [unknown, try page(bench, uri, client: "another")] {
            let response = bench.send(HTTPRequest(.get, page))
            #expect(response.status == 400 && response.headers["Location"] == nil)
        }
        // Neither used it up.
        #expect(bench.send(HTTPRequest(.get, try page(bench, uri))).status == 200)
    }

    @Test(
        "Requests are checked when they are pushed",
        arguments: [
            (["redirect_uri": "https://elsewhere.example/"], "invalid_request"),
            (["code_challenge": nil], "invalid_request"), (["client_id": "unknown"], "unauthorized_client"),
            (["scope": "Unknown.Scope"], "invalid_scope"), (["client_secret": "s"], "invalid_client"),
            (["response_type": "token"], "unsupported_response_type"),
            (["request_uri": "urn:ietf:params:oauth:request_uri:x"], "request_uri_not_supported"),
        ] as [([String: String?], String)])
    func rejections(changes: [String: String?], error: String) throws {
        let response = try push(try bench(), changes)
        #expect(response.status >= 400)
        #expect(try response.json["error"] == .string(error))
    }

    @Test("The browser's own request is rejected where requests must be pushed, and only there")
    func required() async throws {
        for (offer, error) in [(PushedRequests.required, "invalid_request"), (.offered, nil)] {
            let bench = try bench(offer)
            #expect(try await bench.answer(of: bench.user())["error"] == error)
        }
    }

    @Test("The metadata says it (RFC 9126 §5)")
    func metadata() throws {
        for (offer, requires) in [(PushedRequests.notOffered, JSONValue?.none), (.offered, false), (.required, true)] {
            let bench = try bench(offer)
            let document = try bench.get("/common/v2.0/.well-known/openid-configuration").json
            #expect(document["require_pushed_authorization_requests"] == requires)
            #expect((document["pushed_authorization_request_endpoint"] == nil) == (offer == .notOffered))
            #expect(try push(bench).status == (offer == .notOffered ? 404 : 201))
        }
    }
}
