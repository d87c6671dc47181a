import Foundation
import OAuthCore
import Testing

@Suite("Pushed authorization requests on the wire")
struct PushedAuthorizationTests {
    private func parse(_ members: JSONValue, status: Int = 201) throws -> PushedAuthorizationResponse {
        try PushedAuthorizationResponse(
            parsing: HTTPResponse(status: status, body: Array(members.serialized.utf8)))
    }

    @Test("The response of RFC 9126 §2.2, also with status 200", arguments: [201, 200])
    func response(status: Int) throws {
        let uri = "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c"
        let held = try parse(["request_uri": .string(uri), "expires_in": 60], status: status)
        #expect(held.requestURI == uri && held.expiresIn == 60)
    }

    @Test(
        "Lifetimes",
        arguments: [(nil, nil), ("90", 90), (.number(1.5), 2), (.number(1e300), 3_155_760_000), (.null, nil)]
            as [(JSONValue?, Int?)])
    func lifetimes(told: JSONValue?, seconds: Int?) throws {
        var members: [String: JSONValue] = ["request_uri": "urn:x"]
        members["expires_in"] = told
        #expect(try parse(.object(members)).expiresIn == seconds)
    }

    @Test(
        "Responses that lead no browser anywhere",
        arguments: [
            (["expires_in": 60], 201, .malformed(.missing(member: "request_uri"))),
            (["request_uri": "", "expires_in": 60], 201, .malformed(.missing(member: "request_uri"))),
            (["request_uri": 7, "expires_in": 60], 201, .malformed(.wrongType(member: "request_uri"))),
            (
                ["request_uri": "urn:\u{1B}[2J", "expires_in": 60], 201,
                .malformed(.notVisibleASCII(member: "request_uri"))
            ),
            (
                ["request_uri": .string("urn:" + String(repeating: "x", count: 2048))], 201,
                .malformed(.tooLong(member: "request_uri", limit: 2048))
            ),
            (["request_uri": "urn:x", "expires_in": 0], 201, .malformed(.impossibleLifetime(member: "expires_in"))),
            (["request_uri": "urn:x", "expires_in": -60], 201, .malformed(.impossibleLifetime(member: "expires_in"))),
            (["request_uri": "urn:x", "expires_in": "soon"], 201, .malformed(.wrongType(member: "expires_in"))),
            ([], 201, .malformed(.notJSONObject)), (["request_uri": "urn:x"], 404, .unexplained),
        ] as [(JSONValue, Int, TokenResponseFailure)])
    func unusable(members: JSONValue, status: Int, failure: TokenResponseFailure) {
        #expect(throws: failure) { try parse(members, status: status) }
    }

    private func request() throws -> AuthorizationRequest {
        AuthorizationRequest(
            endpoint: try #require(
                URL(string: "https://example.com/authorize?p=1&redirect_uri=https://evil.example/&state=x")),
            clientID: "native",
            redirectURI: "http://127.0.0.1/cb", scopes: Scopes(["openid"]), state: "the-state", nonce: "the-nonce",
            codeChallenge: "the-challenge")
    }

    @Test("The application sends what the browser would, and the browser the reference alone (RFC 9126 §2.1 and §4)")
    func requests() throws {
        let request = try request()
        let endpoint = try #require(URL(string: "https://example.com/par"))
        let pushed = request.pushed(to: endpoint, by: nil)
        #expect(pushed.method == .post && pushed.url == endpoint)
        #expect(Parameters(formEncoded: String(decoding: pushed.body, as: UTF8.self)) == request.parameters)
        let page = request.url(of: try parse(["request_uri": "urn:x:12", "expires_in": 60]))
        #expect(page.absoluteString == "https://example.com/authorize?p=1&client_id=native&request_uri=urn%3Ax%3A12")
    }

    @Test("A confidential client authenticates, as at the token endpoint")
    func secret() throws {
        let endpoint = try #require(URL(string: "https://example.com/par"))
        let basic = try request().pushed(to: endpoint, by: ClientSecret(Secret("s"), .basic))
        #expect(basic.headers["Authorization"] == "Basic \(Data("native:s".utf8).base64EncodedString())")
        let body = Parameters(formEncoded: String(decoding: basic.body, as: UTF8.self))
        #expect(body["client_id"] == "native" && body["client_secret"] == nil)
    }
}
