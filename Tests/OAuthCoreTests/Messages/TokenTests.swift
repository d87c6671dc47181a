import Foundation
import OAuthCore
import Testing

@Suite("The token request")
struct TokenRequestTests {
    static let verifier = CodeVerifier(randomBytes: CodeVerifierTests.octets)

    static func request(_ grant: TokenRequest.Grant) throws -> TokenRequest {
        TokenRequest(
            endpoint: try #require(URL(string: "https://id.example/token?p=b2c_1")), clientID: "client", grant: grant,
            scopes: ["User.Read", "openid"])
    }

    @Test("Redeems a code, with all secrets in the body")
    func code() throws {
        var request = try Self.request(
            .authorizationCode(Secret("the-code"), redirectURI: "http://localhost:1", verifier: Self.verifier))
        request.claims = "{}"
        request.extraParameters = ["slice": "a b"]
        request.headers = ["client-request-id": "id"]
        let sent = request.httpRequest
        #expect(sent.method == .post)
        #expect(sent.url.absoluteString == "https://id.example/token?p=b2c_1&slice=a%20b")
        #expect(sent.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(sent.headers["Accept"] == "application/json")
        #expect(sent.headers["client-request-id"] == "id")
        let body = Parameters(formEncoded: String(decoding: sent.body, as: UTF8.self))
        #expect(
            body == [
                "client_id": "client", "grant_type": "authorization_code", "code": "the-code",
                "redirect_uri": "http://localhost:1", "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
                "scope": "User.Read openid", "claims": "{}", "client_info": "1",
            ])
    }

    @Test("Sends a refresh token")
    func refresh() throws {
        var request = try Self.request(.refreshToken(Secret("the-token"), redirectURI: nil))
        request.requestsClientInfo = false
        request.scopes = []
        let body = Parameters(formEncoded: String(decoding: request.httpRequest.body, as: UTF8.self))
        #expect(body == ["client_id": "client", "grant_type": "refresh_token", "refresh_token": "the-token"])
    }

    @Test(
        "Does not print its secrets",
        arguments: [
            TokenRequest.Grant.refreshToken(Secret("the-token"), redirectURI: "r"),
            .authorizationCode(Secret("the-code"), redirectURI: "r", verifier: verifier),
        ])
    func redacted(grant: TokenRequest.Grant) throws {
        let request = try Self.request(grant)
        for text in ["\(request)", request.httpRequest.url.absoluteString, "\(request.httpRequest.headers)"] {
            for secret in ["the-token", "the-code", "dBjftJ"] { #expect(!text.contains(secret)) }
        }
    }
}

@Suite("The token response")
struct TokenResponseTests {
    static func response(_ body: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "5"],
            body: Array(body.utf8))
    }

    @Test(
        "A pause of more than a century becomes a century",
        arguments: ["9223372036854775807", "99999999999999999999999999"])
    func retryAfter(text: String) {
        let response = HTTPResponse(status: 503, headers: ["Retry-After": text])
        #expect(response.retryAfter(at: Date(timeIntervalSince1970: 0)) == Double(TokenResponse.maximumLifetime))
    }

    @Test("Returns every member of the response")
    func full() throws {
        let info = ClientInfo(uid: "u", utid: "t").raw
        let tokens = try TokenResponse(
            parsing: Self.response(
                """
                {"access_token":"at","token_type":"Bearer","expires_in":3599,"ext_expires_in":"7200","refresh_in":1800,
                 "refresh_token":"rt","id_token":"idt","scope":"User.Read  openid","client_info":"\(info)","foci":"1",
                 "unknown":{"a":[1]}}
                """))
        #expect(tokens.accessToken == Secret("at"))
        #expect(tokens.tokenType == "Bearer")
        #expect(tokens.expiresIn == 3599)
        #expect(tokens.extendedExpiresIn == 7200)
        #expect(tokens.refreshIn == 1800)
        #expect(tokens.refreshToken == Secret("rt"))
        #expect(tokens.idToken == Secret("idt"))
        #expect(tokens.scopes?.names == ["User.Read", "openid"])
        #expect(tokens.clientInfo?.homeAccountID == "u.t")
        #expect(tokens.familyID == "1")
        #expect(tokens.serverTime == Date(timeIntervalSince1970: 784_111_777))
        #expect(!"\(tokens)".contains("rt\""))
    }

    @Test(
        "Scopes are separated by spaces, or by commas alone",
        arguments: [("repo,user:email", ["repo", "user:email"]), ("a b,c", ["a", "b,c"]), ("a", ["a"])])
    func scopes(text: String, names: [String]) throws {
        let body = #"{"access_token":"at","token_type":"Bearer","scope":"\#(text)"}"#
        #expect(try TokenResponse(parsing: Self.response(body)).scopes?.names == names)
        let list = #"{"access_token":"at","token_type":"Bearer","scope":["chat:read","chat:edit"]}"#
        #expect(try TokenResponse(parsing: Self.response(list)).scopes?.names == ["chat:read", "chat:edit"])
    }

    @Test(
        "The lifetime of the refresh token is optional, and an impossible one counts as missing",
        arguments: [
            (#""refresh_token_expires_in":60"#, 60), (#""refresh_token_expires_in":"60""#, 60),
            (#""refresh_expires_in":1800"#, 1800), (#""refresh_expires_in":0"#, nil),
            (#""refresh_token_expires_in":-1"#, nil), (#""refresh_token_expires_in":1e300"#, nil),
            (#""refresh_token_expires_in":1e400"#, nil), (#""refresh_token_timeout":50"#, 50),
            (#""authorization_expires_in":40,"refresh_token_timeout":50,"refresh_token_expires_in":60"#, 40),
            (#""authorization_expires_in":0,"refresh_expires_in":60"#, 60),
            (#""refresh_token_expires_in":"soon""#, nil), (#""refresh_token_expires_in":[]"#, nil), (#""x":1"#, nil),
        ] as [(String, Int?)])
    func refreshTokenLifetime(member: String, seconds: Int?) throws {
        let body = #"{"access_token":"at","token_type":"Bearer",\#(member)}"#
        #expect(try TokenResponse(parsing: Self.response(body)).refreshTokenExpiresIn == seconds)
    }

    @Test("A form is read like JSON, and an error in it is one with any status")
    func form() throws {
        func response(_ body: String) -> HTTPResponse {
            HTTPResponse(
                status: 200, headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
                body: Array(body.utf8))
        }
        let tokens = try TokenResponse(
            parsing: response("access_token=gho_1&scope=repo%2Cgist&token_type=bearer"))
        #expect(tokens.accessToken == Secret("gho_1") && tokens.scopes?.names == ["repo", "gist"])
        #expect(!tokens.statesLifetime)
        #expect(throws: TokenResponseFailure.rejected(OAuthErrorResponse("bad_verification_code", status: 200))) {
            try TokenResponse(parsing: response("error=bad_verification_code"))
        }
        #expect(throws: TokenResponseFailure.malformed(.repeatedMembers)) {
            try TokenResponse(parsing: response("access_token=a&access_token=b&token_type=bearer"))
        }
    }

    @Test(
        "An account is named by the configured member, and identified by its ID",
        arguments: [
            (#"{"login":"ann","id":4711,"name":"Ann"}"#, "4711", "ann"), (#"{"login":"ann"}"#, "ann", "ann"),
            (#"{"login":"ann","sub":"s","id":1}"#, "s", "ann"), (#"{"login":7,"id":null}"#, "7", "7"),
        ])
    func account(body: String, subject: String, name: String) throws {
        let address = try #require(URL(string: "https://a.example/user"))
        let claims = try UserInfo(parsing: Self.response(body), naming: .init(address: address, member: "login")).claims
        #expect(claims.subject == subject && claims.preferredUsername == name)
    }

    static let lifetimes: [(String, Int)] = [
        (#""expires_in":1"#, 1), (#""expires_in":"60""#, 60), (#""expires_in":60.9"#, 60),
        (#""expires_in":315360000"#, 315_360_000), (#""expires_in":null"#, 3600),
        (#""expires_in":"""#, 3600),
        (#""x":1"#, 3600),
    ]

    @Test("A lifetime is whole seconds, never negative, never infinite", arguments: lifetimes)
    func lifetime(member: String, seconds: Int) throws {
        let body = #"{"access_token":"at","token_type":"Bearer",\#(member)}"#
        #expect(try TokenResponse(parsing: Self.response(body)).expiresIn == seconds)
    }

    @Test(
        "An invalid lifetime is nil",
        arguments: ["-5", "-0.5", "1e300", "99999999999999999999", #""-1""#])
    func impossibleLifetime(value: String) {
        for name in ["expires_in", "ext_expires_in", "refresh_in"] {
            let body = #"{"access_token":"at","token_type":"Bearer","\#(name)":\#(value)}"#
            #expect(throws: TokenResponseFailure.malformed(.impossibleLifetime(member: name))) {
                try TokenResponse(parsing: Self.response(body))
            }
        }
    }

    @Test("A missing scope is not an empty one")
    func scope() throws {
        let start = #"{"access_token":"at","token_type":"Bearer""#
        #expect(try TokenResponse(parsing: Self.response(start + "}")).scopes == nil)
        #expect(try TokenResponse(parsing: Self.response(start + #","scope":""}"#)).scopes == [])
    }

    @Test("An ID token alone is enough")
    func identityOnly() throws {
        let tokens = try TokenResponse(parsing: Self.response(#"{"id_token":"idt"}"#))
        #expect(tokens.accessToken == nil)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var response: HTTPResponse
        var failure: TokenResponseFailure
    }

    static let entraRejection = """
        {"error":"invalid_grant","error_description":"AADSTS50076: more\\r\\n\\u001b[31m","error_codes":[50076,"53000",{}],
         "timestamp":"2026-11-20 10:00:00Z","trace_id":"t","correlation_id":"c","suberror":"basic_action",
         "error_uri":"https://x","claims":"{}"}
        """

    static let rows: [Row] = [
        Row(
            testDescription: "an error of Entra", response: response(entraRejection, status: 400),
            failure: .rejected(
                OAuthErrorResponse(
                    "invalid_grant", description: "AADSTS50076: more\r\n\u{1B}[31m", errorURI: "https://x",
                    suberror: "basic_action", codes: [50076, 53000], traceID: "t", correlationID: "c",
                    timestamp: "2026-11-20 10:00:00Z", claims: "{}", status: 400))),
        Row(
            testDescription: "a plain error with 401",
            response: response(#"{"error":"invalid_client"}"#, status: 401),
            failure: .rejected(OAuthErrorResponse("invalid_client", status: 401))),
        Row(
            testDescription: "an error with 200", response: response(#"{"error":"invalid_grant"}"#),
            failure: .rejected(OAuthErrorResponse("invalid_grant", status: 200))),
        Row(
            testDescription: "an outage", response: response("{}", status: 503),
            failure: .unexplained),
        Row(
            testDescription: "a redirect", response: response("", status: 302),
            failure: .unexplained),
        Row(
            testDescription: "a proxy's 401", response: response("<html>", status: 401),
            failure: .unexplained),
        Row(
            testDescription: "a 400 without an error", response: response("{}", status: 400), failure: .unexplained),
        Row(
            testDescription: "an empty error", response: response(#"{"error":""}"#, status: 400), failure: .unexplained),
        Row(
            testDescription: "a plain error with 403", response: response(#"{"error":"invalid_grant"}"#, status: 403),
            failure: .rejected(OAuthErrorResponse("invalid_grant", status: 403))),
        Row(
            testDescription: "an outage with an error",
            response: response(#"{"error":"temporarily_unavailable"}"#, status: 503),
            failure: .rejected(OAuthErrorResponse("temporarily_unavailable", status: 503))),
        Row(testDescription: "a page", response: response("<html>"), failure: .malformed(.notJSONObject)),
        Row(testDescription: "nothing", response: response(""), failure: .malformed(.notJSONObject)),
        Row(testDescription: "a list", response: response("[]"), failure: .malformed(.notJSONObject)),
        Row(
            testDescription: "cut short", response: response(#"{"access_token":"a"#),
            failure: .malformed(.notJSONObject)),
        Row(
            testDescription: "a scope with NUL in it",
            response: response(#"{"id_token":"i","scope":"a b\u0000c"}"#),
            failure: .malformed(.controlCharacter(member: "scope"))),
        Row(
            testDescription: "a family with an escape in it",
            response: response(#"{"id_token":"i","foci":"1\u001b"}"#),
            failure: .malformed(.controlCharacter(member: "foci"))),
        Row(
            testDescription: "an access token with a space in it",
            response: response(#"{"access_token":"a b","token_type":"Bearer"}"#),
            failure: .malformed(.notVisibleASCII(member: "access_token"))),
        Row(
            testDescription: "an access token with a line end in it",
            response: response(#"{"access_token":"a\r\nX-Other: b","token_type":"Bearer"}"#),
            failure: .malformed(.notVisibleASCII(member: "access_token"))),
        Row(
            testDescription: "an access token with a letter beyond ASCII",
            response: response(#"{"access_token":"tök","token_type":"Bearer"}"#),
            failure: .malformed(.notVisibleASCII(member: "access_token"))),
        Row(
            testDescription: "a token type with an escape in it",
            response: response(#"{"access_token":"a","token_type":"Bearer\u001b[2J"}"#),
            failure: .malformed(.notVisibleASCII(member: "token_type"))),
        Row(testDescription: "no tokens", response: response("{}"), failure: .malformed(.noTokens)),
        Row(
            testDescription: "an empty token", response: response(#"{"access_token":"","token_type":"Bearer"}"#),
            failure: .malformed(.noTokens)),
        Row(
            testDescription: "no token type", response: response(#"{"access_token":"a"}"#),
            failure: .malformed(.missing(member: "token_type"))),
        Row(
            testDescription: "a token that is a number",
            response: response(#"{"access_token":1,"token_type":"Bearer"}"#),
            failure: .malformed(.wrongType(member: "access_token"))),
        Row(
            testDescription: "a lifetime in words", response: response(#"{"id_token":"i","expires_in":"soon"}"#),
            failure: .malformed(.wrongType(member: "expires_in"))),
        Row(
            testDescription: "a lifetime that is not a number",
            response: response(#"{"id_token":"i","expires_in":"nan"}"#),
            failure: .malformed(.wrongType(member: "expires_in"))),
        Row(
            testDescription: "scopes in an object", response: response(#"{"id_token":"i","scope":{}}"#),
            failure: .malformed(.wrongType(member: "scope"))),
        Row(
            testDescription: "an invalid client_info", response: response(#"{"id_token":"i","client_info":"e30"}"#),
            failure: .malformed(.wrongType(member: "client_info"))),
        Row(
            testDescription: "two tokens",
            response: response(#"{"access_token":"a","token_type":"Bearer","access_token":"b"}"#),
            failure: .malformed(.repeatedMembers)),
        Row(
            testDescription: "two refusals", response: response(#"{"error":"a","err\u006fr":"b"}"#, status: 400),
            failure: .malformed(.repeatedMembers)),
        Row(
            testDescription: "a flood",
            response: response(String(repeating: " ", count: HTTPResponse.maximumObjectBytes + 1)),
            failure: .malformed(.tooLarge(limit: HTTPResponse.maximumObjectBytes))),
    ]

    @Test("Returns the facts of a failure", arguments: rows)
    func fails(row: Row) {
        #expect(throws: row.failure) { try TokenResponse(parsing: row.response) }
    }
}
