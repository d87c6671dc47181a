import Foundation
import OAuthCore
import Testing

@Suite("Device codes on the wire")
struct DeviceCodeTests {
    private static let whole: [String: JSONValue] = [
        "device_code": "secret-device-code", "user_code": "BCDF-GHJK", "verification_uri": "https://example.com/device",
        "verification_uri_complete": "https://example.com/device?user_code=BCDF-GHJK", "expires_in": 900, "interval": 7,
        "message": "Go there.",
    ]

    private func parse(_ changes: [String: JSONValue?], status: Int = 200) throws -> DeviceAuthorizationResponse {
        var members = Self.whole
        for (name, value) in changes { members[name] = value }
        return try DeviceAuthorizationResponse(parsing: answer(.object(members), status))
    }

    private func answer(_ value: JSONValue, _ status: Int) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(value.serialized.utf8))
    }

    @Test func theRequestHasClientIDAndScopes() throws {
        let endpoint = try #require(URL(string: "https://example.com/devicecode"))
        var request = TokenRequest(
            endpoint: endpoint, clientID: "client", grant: .deviceAuthorization, scopes: ["User.Read", "openid"])
        request.claims = "{}"
        request.extraParameters = ["dc": "1"]
        let message = request.httpRequest
        #expect(message.method == .post)
        #expect(message.url.absoluteString == "https://example.com/devicecode?dc=1")
        #expect(
            Parameters(formEncoded: String(decoding: message.body, as: UTF8.self))
                == ["client_id": "client", "scope": "User.Read openid", "claims": "{}"])
    }

    @Test func aCompleteResponseIsRead() throws {
        let response = try parse([:])
        #expect(response.deviceCode.reveal() == "secret-device-code")
        #expect(response.userCode == "BCDF-GHJK")
        #expect(response.verificationURI.absoluteString == "https://example.com/device")
        #expect(response.verificationURIComplete?.query() == "user_code=BCDF-GHJK")
        #expect(response.expiresIn == 900 && response.interval == 7 && response.message == "Go there.")
        #expect(!"\(response)".contains("secret-device-code"))
    }

    @Test(
        "Intervals",
        arguments: [
            (nil, 5), (0, 5), (-3, 5), (1, 1), (.number(1.2), 2), ("10", 10), (.null, 5), (1_000_000_000_000, 3600),
        ] as [(JSONValue?, Int)])
    func intervals(told: JSONValue?, interval: Int) throws {
        #expect(try parse(["interval": told]).interval == interval)
    }

    @Test(
        "Unsafe page URLs are dropped",
        arguments: [
            "http://example.com/device", "ftp://example.com/", "javascript:alert(1)", "", "https://a@example.com/",
        ])
    func unusablePages(page: String) throws {
        #expect(try parse(["verification_uri_complete": .string(page)]).verificationURIComplete == nil)
        let fact: TokenResponseFailure.Fact =
            page.isEmpty ? .missing(member: "verification_uri") : .notAnAddress(member: "verification_uri")
        #expect(throws: TokenResponseFailure.malformed(fact)) { try parse(["verification_uri": .string(page)]) }
    }

    @Test func olderServersSpellThePageURLDifferently() throws {
        let response = try parse(["verification_uri": nil, "verification_url": "https://example.com/old"])
        #expect(response.verificationURI.path() == "/old")
    }

    @Test(
        "Missing members and wrong types",
        arguments: [
            ("device_code", nil, .missing(member: "device_code")),
            ("device_code", 7, .wrongType(member: "device_code")),
            ("user_code", "", .missing(member: "user_code")),
            ("user_code", .string(String(repeating: "A", count: 33)), .tooLong(member: "user_code", limit: 32)),
            ("user_code", "Type your password", .notACode), ("user_code", "ABCD\nEFGH", .notACode),
            ("user_code", "АБВГ", .notACode),
            ("expires_in", "0x10", .wrongType(member: "expires_in")),
            ("expires_in", nil, .missing(member: "expires_in")),
            ("expires_in", "soon", .wrongType(member: "expires_in")),
        ] as [(String, JSONValue?, TokenResponseFailure.Fact)])
    func malformed(member: String, value: JSONValue?, fact: TokenResponseFailure.Fact) {
        #expect(throws: TokenResponseFailure.malformed(fact)) { try parse([member: value]) }
    }

    @Test func anErrorResponseIsAnError() {
        #expect(throws: TokenResponseFailure.rejected(OAuthErrorResponse("invalid_scope", status: 400))) {
            try DeviceAuthorizationResponse(parsing: answer(["error": "invalid_scope"], 400))
        }
        #expect(throws: TokenResponseFailure.unexplained) {
            try DeviceAuthorizationResponse(parsing: HTTPResponse(status: 503))
        }
    }

    @Test(
        "Token endpoint responses while the code is pending",
        arguments: [
            ("authorization_pending", 400, .pending), ("authorization_pending", 428, .pending),
            ("slow_down", 400, .slowDown), ("slow_down", 403, .slowDown), ("slow_down", 429, .slowDown),
            ("expired_token", 400, .expired), ("code_expired", 400, .expired),
        ] as [(String, Int, DeviceTokenResponse)])
    func waiting(error: String, status: Int, expected: DeviceTokenResponse) throws {
        #expect(try DeviceTokenResponse(parsing: answer(["error": .string(error)], status)) == expected)
    }

    @Test(
        "Responses that end the wait, or are invalid",
        arguments: [
            "invalid_grant", "invalid_client", "unsupported_grant_type", "bad_code", "access_denied",
            "authorization_declined", "temporarily_unavailable",
        ])
    func rejections(error: String) {
        #expect(throws: TokenResponseFailure.rejected(OAuthErrorResponse(error, status: 400))) {
            try DeviceTokenResponse(parsing: answer(["error": .string(error)], 400))
        }
    }

    @Test(
        "Userinfo responses, valid and invalid",
        arguments: [
            (200, #"{"sub":""}"#, .malformed(.missing(member: "sub"))),
            (200, #"{"name":"Ann"}"#, .malformed(.missing(member: "sub"))),
            (200, #"{"sub":5}"#, .malformed(.wrongType(member: "sub"))),
            (200, #"{"sub":"ann","sub":"eve"}"#, .malformed(.repeatedMembers)),
            (
                200, #"{"sub":"\#(String(repeating: "x", count: 256))"}"#,
                .malformed(.tooLong(member: "sub", limit: 255))
            ),
            (200, "[]", .malformed(.notJSONObject)), (401, #"{"sub":"ann"}"#, .unexplained), (503, "", .unexplained),
            (403, #"{"error":"insufficient_scope"}"#, .rejected(OAuthErrorResponse("insufficient_scope", status: 403))),
        ] as [(Int, String, TokenResponseFailure)])
    func userInfo(status: Int, body: String, failure: TokenResponseFailure) throws {
        #expect(throws: failure) {
            try UserInfo(parsing: HTTPResponse(status: status, body: Array(body.utf8)))
        }
        #expect(try UserInfo(parsing: answer(["sub": "ann"], 200)).claims.subject == "ann")
    }
}
