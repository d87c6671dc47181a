import Foundation
import MSAL
import OAuthCore
import Testing

/// What an unsuccessful response means, by endpoint, status and body.
@Suite("Unsuccessful responses") struct ResponseFailureTests {
    private static let busy = MSALFailureKind.unavailable
    private static let setUp = MSALFailureKind.misconfigured
    private static let broken = MSALFailureKind.protocolViolation
    private static let signIn = MSALFailureKind.signInRequired
    private static let no = MSALFailureKind.rejected
    private static let cancel = MSALFailureKind.canceled

    private static let columns: [ResponseFailure.Endpoint] = [
        .discovery, .keys, .codeRedemption, .refresh, .deviceAuthorization, .devicePolling,
    ]

    static let table: [(status: Int, body: String, kinds: [MSALFailureKind])] =
        [
            (200, "<html>", [setUp, broken, busy, busy, busy, busy]),
            (302, "<html>", [setUp, broken, busy, busy, busy, busy]),
            (200, "{}", [setUp, broken, broken, broken, broken, broken]),
            (302, "", [setUp, broken, broken, broken, broken, broken]),
            (400, "", [setUp, broken, busy, busy, busy, busy]),
            (400, "{}", [setUp, broken, busy, busy, busy, busy]),
            (401, "", [setUp, broken, busy, busy, busy, busy]),
            (403, "", [setUp, broken, busy, busy, busy, busy]),
            (403, "<html>", [setUp, broken, busy, busy, busy, busy]),
            (404, "", [setUp, broken, busy, busy, busy, busy]),
            (405, "", [setUp, broken, busy, busy, busy, busy]),
            (401, "{\"message\":\"Forbidden\"}", [setUp, broken, busy, busy, busy, busy]),
            (407, "", [setUp, broken, busy, busy, busy, busy]),
            (409, "", [setUp, broken, busy, busy, busy, busy]),
            (410, "", [setUp, broken, busy, busy, busy, busy]),
            (400, rejection("invalid_client"), [setUp, broken, setUp, setUp, setUp, setUp]),
            (401, rejection("invalid_client"), [setUp, broken, setUp, setUp, setUp, setUp]),
            (400, rejection("unauthorized_client"), [setUp, broken, setUp, signIn, setUp, setUp]),
            (400, rejection("unauthorized_client", "protection_policy_required"), [setUp, broken, no, no, no, no]),
            (400, rejection("invalid_scope"), [setUp, broken, no, no, no, no]),
            (400, rejection("invalid_request"), [setUp, broken, no, signIn, no, no]),
            (400, rejection("anything_else"), [setUp, broken, no, signIn, no, no]),
            (400, rejection("access_denied"), [setUp, broken, cancel, signIn, no, cancel]),
            (400, rejection("interaction_required"), [setUp, broken, signIn, signIn, signIn, signIn]),
        ]
        + [200, 400, 401, 403].map {
            ($0, rejection("invalid_grant"), [setUp, broken, no, signIn, no, no])
        }
        + [200, 400, 401, 403].flatMap { status in
            ["temporarily_unavailable", "server_error"].map {
                (status, rejection($0), Array(repeating: busy, count: columns.count))
            }
        }
        + [(999, "{}", [setUp, broken, broken, broken, broken, broken])]
        + [408, 429, 500, 502, 503, 504, 599].flatMap { status in
            ["", "{}", "<html>", rejection("invalid_grant"), rejection("slow_down")].map {
                (status, $0, Array(repeating: busy, count: columns.count))
            }
        }

    private static func rejection(_ error: String, _ suberror: String? = nil) -> String {
        #"{"error":"\#(error)"\#(suberror.map { #","suberror":"\#($0)""# } ?? "")}"#
    }

    private static func failure(
        _ endpoint: ResponseFailure.Endpoint = .codeRedemption, _ status: Int, _ body: String,
        headers: HTTPHeaders = [:], form: Parameters = [:]
    ) throws -> ResponseFailure {
        let response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        let url = try #require(URL(string: "https://id.example/endpoint"))
        let error = #expect(throws: TokenResponseFailure.self) { try TokenResponse(parsing: response) }
        return ResponseFailure(
            endpoint, response, to: .form(form, to: url), try #require(error), at: Date(timeIntervalSince1970: 0))
    }

    private static func error(_ failure: ResponseFailure) -> NSError {
        MSALAuthenticationError(.authority(.response(failure)), correlationID: nil)
    }

    @Test("Have a type for each endpoint, status and body", arguments: table.indices)
    func kinds(row: Int) throws {
        let (status, body, kinds) = Self.table[row]
        for (endpoint, kind) in zip(Self.columns, kinds) {
            let failure = try Self.failure(endpoint, status, body)
            #expect(failure.kind == kind, "\(endpoint) \(status) \(body)")
            let error = Self.error(failure)
            #expect(error.failureKind == kind)
            #expect((error.code == MSALError.userCanceled.rawValue) == (kind == .canceled && failure.rejection != nil))
            #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == "\(status)")
            #expect(error.localizedDescription.hasSuffix(".") || error.localizedDescription.hasSuffix(")"))
            #expect(error.localizedRecoverySuggestion?.hasSuffix(".") == true)
        }
        #expect(try Self.failure(.instanceDiscovery, status, body).kind == kinds[0])
    }

    @Test(
        "Of a sign-in, that require a sign-in, don't advise the same one again",
        arguments: ["login_required", "interaction_required", "account_selection_required"])
    func rejectedSignIn(code: String) throws {
        let body = #"{"error":"\#(code)"}"#
        let error = Self.error(try Self.failure(.codeRedemption, 400, body))
        #expect(error.failureKind == .signInRequired)
        #expect(error.localizedRecoverySuggestion?.hasPrefix("Sign out at id.example in the browser") == true)
        let refresh = Self.error(try Self.failure(.refresh, 400, body))
        #expect(refresh.localizedRecoverySuggestion == "Sign in interactively.")
    }

    @Test("A protected application is the organisation's matter, in a browser and silently", arguments: [true, false])
    func protectedApplication(isProtected: Bool) throws {
        let suberror = isProtected ? #","suberror":"protection_policy_required""# : ""
        let error = Self.error(try Self.failure(.codeRedemption, 400, #"{"error":"unauthorized_client"\#(suberror)}"#))
        #expect(error.localizedRecoverySuggestion?.hasPrefix("Ask the organisation") == isProtected)
    }

    @Test("Of a refresh, ask for a sign-in with the code of MSAL for iOS and macOS")
    func interaction() throws {
        let error = Self.error(try Self.failure(.refresh, 400, Self.rejection("invalid_grant")))
        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(error.localizedDescription.hasPrefix("Sign-in required: "))
    }

    @Test(
        "Without an OAuth error, aren't the authority's verdict on a code, token or client",
        arguments: [
            ResponseFailure.Endpoint.codeRedemption, .refresh, .deviceAuthorization, .devicePolling, .registration,
            .revocation, .pushedAuthorization,
        ], [200, 302, 400, 401, 403, 404, 405, 407, 410, 451])
    func interference(endpoint: ResponseFailure.Endpoint, status: Int) throws {
        let failure = try Self.failure(
            endpoint, status, "<html><title>Blocked</title>", headers: ["Retry-After": "30"],
            form: ["client_id": "my-client"])
        #expect(failure.kind == .unavailable)
        let error = Self.error(failure)
        #expect(
            error.localizedDescription
                == "Something between you and id.example responded in its place (HTTP \(status))"
                + ([404, 405, 410].contains(status) ? ", or it has no endpoint https://id.example/endpoint" : "")
                + ". The response is a web page titled \"Blocked\".")
        #expect(error.userInfo[MSALHeadlineKey] as? String == "Something responded in the authority's place.")
        #expect(error.localizedRecoverySuggestion?.hasPrefix("Try again in 30 s. If this continues, ") == true)
        #expect(try Self.failure(endpoint, status, Self.rejection("invalid_grant")).kind != .unavailable)
    }

    @Test(
        "With an OAuth error only in the challenge, are a verdict, but not with an error of a gateway about a token",
        arguments: [
            (#"Basic realm="a", error="invalid_client", error_description="Unknown""#, MSALFailureKind.misconfigured),
            (#"Bearer error="invalid_grant""#, .signInRequired), (#"Bearer error="invalid_token""#, .unavailable),
            (#"Basic realm="proxy""#, .unavailable), ("Negotiate", .unavailable),
        ])
    func challenge(field: String, kind: MSALFailureKind) throws {
        for body in ["", "<html>", "{}"] {
            let failure = try Self.failure(.refresh, 401, body, headers: ["WWW-Authenticate": field])
            #expect(failure.kind == kind)
        }
        #expect(try Self.failure(.refresh, 403, "", headers: ["WWW-Authenticate": field]).kind == .unavailable)
    }

    @Test("That are too large are no verdict, and name the limit")
    func tooLarge() throws {
        let large = #"{"error":"invalid_grant","error_description":"\#(String(repeating: "x", count: 1 << 20))"}"#
        let error = Self.error(try Self.failure(.refresh, 400, large))
        #expect(error.failureKind == .unavailable)
        #expect(
            error.localizedDescription
                == "Something between you and id.example responded in its place (HTTP 400). The response is invalid: it "
                + "is larger than 1048576 bytes.")
    }

    @Test("Name the server to which they redirect", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) throws {
        for endpoint in [ResponseFailure.Endpoint.codeRedemption, .refresh, .deviceAuthorization, .devicePolling] {
            let failure = try Self.failure(
                endpoint, status, "<html><title>Moved</title>",
                headers: ["Location": "https://Elsewhere.example:8443/token?code=secret"])
            #expect(failure.kind == .unavailable)
            #expect(
                Self.error(failure).localizedDescription
                    == "Something between you and id.example responded in its place with a redirect to "
                    + "https://elsewhere.example:8443 (HTTP \(status)).")
        }
        let plain = Self.error(try Self.failure(.discovery, status, "", headers: ["Location": "http://id.example/"]))
        #expect(
            plain.localizedDescription
                == "id.example redirected the request to http://id.example (HTTP \(status)). Redirects are not followed."
        )
        #expect(plain.failureKind == .misconfigured)
        #expect(plain.localizedRecoverySuggestion?.contains("without a redirect") == true)
        let without = Self.error(try Self.failure(.codeRedemption, status, ""))
        #expect(!without.localizedDescription.contains("redirected"))
    }

    @Test("Quote an error that is not an OAuth error", arguments: ["9", #""9""#, #""-1""#])
    func numberedError(error: String) throws {
        let body = #"{"result":0,"error":\#(error)}"#
        let number = error.filter { $0 != "\"" }
        for (endpoint, kind) in [
            (ResponseFailure.Endpoint.discovery, MSALFailureKind.misconfigured), (.codeRedemption, .unavailable),
            (.refresh, .unavailable), (.keys, .protocolViolation),
        ] {
            let failure = Self.error(try Self.failure(endpoint, 401, body))
            #expect(failure.failureKind == kind)
            #expect(failure.localizedDescription.hasSuffix("(HTTP 401). It sent the error \"\(number)\"."))
            #expect(failure.userInfo[MSALOAuthErrorKey] == nil)
        }
        let url = try #require(URL(string: "https://id.example/authorize"))
        let redirect = Self.error(
            ResponseFailure(authorization: OAuthErrorResponse(number), at: url, in: ["error": number], hiding: []))
        #expect(
            redirect.localizedDescription == "id.example did not sign the user in. It sent the error \"\(number)\".")
    }

    @Test("Of discovery, say when only http and https differ")
    func otherScheme() throws {
        let url = try #require(URL(string: "https://id.example/.well-known/openid-configuration"))
        func error(_ expected: String, _ found: String) -> NSError {
            MSALAuthenticationError(
                .authority(.metadata(url, .issuerMismatch(expected: expected, found: found))), correlationID: nil)
        }
        let plain = error("https://id.example/a", "http://id.example/a/")
        #expect(plain.localizedDescription.hasSuffix("Only http and https differ."))
        #expect(plain.localizedRecoverySuggestion?.contains("proxy") == true)
        let secure = error("http://127.0.0.1:1", "https://127.0.0.1:1")
        #expect(secure.localizedDescription.hasSuffix("Only http and https differ."))
        #expect(secure.localizedRecoverySuggestion == "If you trust this issuer, configure its URL as the authority.")
        #expect(!error("https://id.example", "https://id.example/b").localizedDescription.contains("differ"))
        #expect(!error("https://id.example", "an issuer").localizedDescription.contains("differ"))
    }

    @Test("Take no minutes for a body with many members, and hide the secrets in it", .timeLimit(.minutes(1)))
    func manyMembers() throws {
        let members = (0..<20_000).map { "\"k\($0)\":\"v\($0)\"" }.joined(separator: ",")
        let body =
            #"{"error":"invalid_grant","error_description":"Not s3cret-of-a-user","refresh_token":"s3cret-of-a-user",\#(members)}"#
        let failure = try Self.failure(.refresh, 400, body)
        #expect(failure.kind == .signInRequired && !"\(failure)".contains("s3cret"))
    }

    @Test("With consent_required from the consent page, are a cancellation")
    func declinedConsent() throws {
        let url = try #require(URL(string: "https://id.example/authorize"))
        let failure = ResponseFailure(
            authorization: OAuthErrorResponse("consent_required"), at: url, in: ["error": "consent_required"],
            hiding: [])
        #expect(failure.kind == .canceled)
        #expect(Self.error(failure).code == MSALError.userCanceled.rawValue)
        #expect(try Self.failure(.refresh, 400, Self.rejection("consent_required")).kind == .signInRequired)
    }

    @Test("Say that the server is busy, and when to try again", arguments: [429, 502, 503, 504])
    func busy(status: Int) throws {
        let failure = try Self.failure(.refresh, status, "", headers: ["Retry-After": "30"])
        let error = Self.error(failure)
        #expect(error.localizedDescription == "id.example is busy (HTTP \(status)).")
        #expect(error.userInfo[MSALHeadlineKey] as? String == error.localizedDescription)
        #expect(error.localizedRecoverySuggestion == "Try again in 30 s.")
        #expect(error.userInfo[MSALRetryAfterKey] as? Double == 30)
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorUnhandledResponse.rawValue)
        let later = Self.error(try Self.failure(.refresh, status, ""))
        #expect(later.localizedRecoverySuggestion == "Try again later.")
    }

    @Test("With 403, keep the authority's words, as with 400 and 401")
    func forbidden() throws {
        let body = #"{"error":"invalid_grant","error_description":"Unknown or invalid refresh token."}"#
        let error = Self.error(try Self.failure(.codeRedemption, 403, body))
        #expect(error.localizedDescription.contains("Unknown or invalid refresh token."))
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "invalid_grant")
    }

    /// A database error with a row: an opaque refresh token, and the end of an access token.
    private static let accident =
        "SQLSTATE[23505]: duplicate key value violates unique constraint \"refresh_pkey\" DETAIL: Key "
        + "(refresh_token, access_token)=(Kx8fQ2aLw9Zr7TtYb3Nc5Vd1HsPq, sIm5hbWUiOiJBbm4ifQ.dBjftJeZ4CVPmB92K27uhbUJ) "
        + String(repeating: "at TokenStore.insert ", count: 60)

    private static let accidents: [String] = [
        JSONValue.object(["error": "server_error", "error_description": .string(accident)]).serialized,
        JSONValue.object(["error": .string(accident)]).serialized,
        JSONValue.object([
            "error": "server_error", "suberror": .string(accident), "error_uri": .string("https://a/?\(accident)"),
            "trace_id": .string(accident),
        ]).serialized,
        JSONValue.object(["detail": .string(accident), "error": 7]).serialized,
        accident, "<html><title>\(accident)</title></html>",
    ]

    @Test("Of a server error, show a short sentence", arguments: [500, 501, 502, 503, 504, 599], accidents)
    func accident(status: Int, body: String) throws {
        for endpoint in [
            ResponseFailure.Endpoint.refresh, .codeRedemption, .discovery, .deviceAuthorization, .userInfo,
        ] {
            let failure = try Self.failure(endpoint, status, body)
            let error = Self.error(failure)
            let verb = [500, 501].contains(status) ? "failed" : "is busy"
            let rest = error.localizedDescription.replacing("id.example \(verb) (HTTP \(status))", with: "")
            #expect(
                [".", ": server_error.", ". The response is a web page.", ". It sent the error \"7\"."].contains(rest))
            for text in ["\(failure)", "\(error.userInfo)"] {
                for secret in ["Kx8fQ2aLw9", "TtYb3Nc5Vd1H", "sIm5hbWUiOi", "dBjftJeZ4CVP"] {
                    #expect(!text.contains(secret), "\(text)")
                }
            }
            #expect(!"\(error.userInfo)".contains("SQLSTATE"))
        }
    }

    @Test("For the log, keep the whole text of a response, without secrets") func wholeText() throws {
        let failure = try Self.failure(.refresh, 500, Self.accidents[0])
        let text = try #require(failure.wholeText)
        #expect(text.contains("SQLSTATE[23505]") && text.contains("(‹redacted›, ‹redacted›)"))
        #expect(text.contains("at TokenStore.insert") && text.count > 1200)
        let echo = try Self.failure(.refresh, 400, "no s3cret-token\n\nhere", form: ["refresh_token": "s3cret-token"])
        #expect(echo.wholeText == "no ‹redacted› here")
        let endless = try Self.failure(.refresh, 400, String(repeating: "word ", count: 100_000))
        #expect(try #require(endless.wholeText).count <= 16_385)
        #expect(try Self.failure(.refresh, 500, "").wholeText == nil)
    }

    @Test("Of a rejected request, show the server's reason without random runs, 300 characters at most")
    func reason() throws {
        let client = "0oa1b2c3d4e5f6g7h8i9"
        let body = JSONValue.object([
            "error": "invalid_grant", "error_description": .string("Unknown client \(client). " + Self.accident),
        ]).serialized
        let error = Self.error(try Self.failure(.codeRedemption, 400, body, form: ["client_id": client]))
        let text = error.localizedDescription
        #expect(text.hasPrefix("Request rejected: Unknown client \(client). SQLSTATE[23505]: duplicate key"), "\(text)")
        #expect(text.contains("(‹redacted›, ‹redacted›)") && text.hasSuffix("… (invalid_grant)"), "\(text)")
        #expect(text.count < 340)
    }

    @Test("Without a description, name the numbers of the error") func numbers() throws {
        let error = Self.error(try Self.failure(.refresh, 503, #"{"error":"server_error","error_codes":[90033]}"#))
        #expect(error.localizedDescription == "id.example is busy (HTTP 503): server_error, AADSTS90033.")
    }

    @Test("Say if they are a web page, with its status and title", arguments: [200, 400, 403, 429])
    func page(status: Int) throws {
        let body = "<!DOCTYPE html><html><head><TITLE lang=en>Log\u{1B}[2J in\n here</title></head></html>"
        for headers in [[:], ["Content-Type": "text/html; charset=utf-8"]] as [HTTPHeaders] {
            let text = Self.error(try Self.failure(.codeRedemption, status, body, headers: headers))
                .localizedDescription
            #expect(text.hasSuffix("The response is a web page titled \"Log[2J in here\"."), "\(text)")
            #expect(text.contains("(HTTP \(status))"))
        }
        let nameless = Self.error(try Self.failure(.codeRedemption, status, "<html>")).localizedDescription
        #expect(nameless.hasSuffix("The response is a web page."))
    }

    @Test(
        "Show no secret of the request, wherever the server repeats it",
        arguments: ["code", "code_verifier", "refresh_token", "device_code", "assertion", "client_assertion"])
    func echoes(parameter: String) throws {
        let secret = "s3cret/+value="
        let encoded = "s3cret%2F%2Bvalue%3D"
        let json = JSONValue.object([
            "error": .string("bad \(secret)"), "error_description": .string("It was \(secret) or \(encoded)."),
            "suberror": .string(secret), "correlation_id": .string(secret),
            "error_uri": .string("https://x/?\(encoded)"),
        ]).serialized
        // Sanitizing the text splits the second secret; the third response contains a new one.
        let broken = json.replacing("s3cret", with: "s3\u{200B}cr\u{34F}et")
        let given = #"{"error":"x","error_description":"have s3cret-token","access_token":"s3cret-token"}"#
        for body in [json, broken, given, "<html><title>\(secret)</title>"] {
            let failure = try Self.failure(
                .refresh, 403, body, headers: ["X-Echo": "it \(secret)"],
                form: ["client_id": "my-client", parameter: secret])
            let error = Self.error(failure)
            for text in ["\(failure)", "\(error.userInfo)"] {
                #expect(!text.contains("s3cret"), "\(text)")
            }
        }
    }

    @Test("Show no secret of an authorization request")
    func authorizationEchoes() throws {
        let url = try #require(URL(string: "https://id.example/authorize"))
        let rejection = OAuthErrorResponse("server_error", description: "state-of-ours and nonce-of-ours")
        let failure = ResponseFailure(
            authorization: rejection, at: url, in: Parameters(), hiding: ["state-of-ours", "nonce-of-ours"])
        #expect(!"\(failure)\(Self.error(failure).userInfo)".contains("of-ours"))
    }

    @Test(
        "Show no code that an authorization response repeats, wherever it is",
        arguments: [
            "error=access_denied&error_description=no+s3cret-code&code=s3cret-code",
            "error=access_denied&error_description=no+code%3Ds3cret-code+for+you",
            "error=access_denied&error_description=at+https://a.example/?x%26code%3Ds3cret-code%26y",
            "error=access_denied&error_description=s3cret-code&amp;code=s3cret-code",
            "error=access_denied&error_uri=https://a.example/%23id_token%3Ds3cret-code&error_description=x",
            "error=access_denied&error_description=s3cret-code&state=s3cret-code",
        ])
    func authorizationResponseEchoes(query: String) throws {
        let url = try #require(URL(string: "https://id.example/authorize"))
        let parameters = Parameters(formEncoded: query)
        let rejection = try #require(OAuthErrorResponse(parameters))
        let failure = ResponseFailure(authorization: rejection, at: url, in: parameters, hiding: [])
        #expect(!"\(failure)\(Self.error(failure).userInfo)".contains("s3cret"))
        #expect(failure.kind == .canceled)
    }

    @Test("Keep the error number, which servers call a code too")
    func numberOfAnError() throws {
        let url = try #require(URL(string: "https://id.example/authorize"))
        let rejection = OAuthErrorResponse("server_error", description: "code=AADSTS50011: the redirect URI differs")
        let parameters: Parameters = [
            "error": "server_error", "error_description": "code=AADSTS50011: the redirect URI differs",
        ]
        let failure = ResponseFailure(authorization: rejection, at: url, in: parameters, hiding: [])
        #expect(failure.rejection?.description?.contains("AADSTS50011") == true)
    }

    @Test("HTTP 511 is the network's, whose page the user must open")
    func networkSignIn() throws {
        let failure = Failure(Self.error(try Self.failure(.refresh, 511, "<html><title>Hotel</title>")))
        #expect(failure.kind == .unavailable)
        #expect(failure.headline == "The network requires a sign-in on its own page (HTTP 511).")
        #expect(failure.advice.hasPrefix("Open any web page in a browser"))
    }

    @Test("A device code that is denied before anybody was asked is a rejection, with another method as the next step")
    func deniedBeforeUser() throws {
        let denied = Self.rejection("access_denied")
        let failure = Failure(Self.error(try Self.failure(.deviceAuthorization, 400, denied)))
        #expect(failure.kind == .rejected && failure.code == MSALError.internal.rawValue)
        #expect(failure.advice.hasPrefix("Use another sign-in method"))
        #expect(Failure(Self.error(try Self.failure(.devicePolling, 400, denied))).kind == .canceled)
    }

    @Test("Are cut to a readable length, in every key")
    func lengths() throws {
        let long = String(repeating: "word ", count: 20_000)
        let failure = try Self.failure(
            .codeRedemption, 400, #"{"error":"\#(long)","error_description":"\#(long)","suberror":"\#(long)"}"#)
        let info = Self.error(failure).userInfo
        for value in info.values { #expect("\(value)".count <= 2100) }
        #expect((info[MSALOAuthErrorKey] as? String)?.count == 101)
        #expect((info[MSALOAuthSubErrorKey] as? String)?.count == 101)
        #expect((info[MSALOAuthSubErrorDescriptionKey] as? String)?.count == 300 + 1)
    }
}
