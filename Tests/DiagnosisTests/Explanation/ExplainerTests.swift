import Foundation
import JSON
import KeyturnCrypto
import MSAL
import OAuthCore
import Testing

@testable import Diagnosis

@Suite("Explanation of a pasted text")
struct ExplainerTests {
    private let now = Date(timeIntervalSince1970: 1_763_636_400)

    private func explain(_ text: String) throws -> Explanation? {
        let plist = """
            <plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string>
            <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key>
            <array><string>msauth.org.example.app</string><string>myapp</string></array></dict></array></dict></plist>
            """
        return try Explainer(clientID: "client", infoPlist: Array(plist.utf8), now: now).explain(text)
    }

    private func token(header: JSONValue = ["alg": "RS256"], _ claims: JSONValue) -> String {
        JWT.compact(header: header, payload: claims) { _ in Array("signature-of-it".utf8) }
    }

    @Test("A challenge alone has the cause that its description states")
    func challengeDescription() throws {
        let field = "Bearer error=\"invalid_token\", error_description=\"The audience 'api://x' is invalid\""
        let found = try #require(try explain(field))
        #expect(found.kind == .challenge && found.findings.first?.verdict == .failed)
        #expect(found.cause == CauseRules.causes(in: "The audience 'api://x' is invalid").first?.id)
        #expect(found.ticket != nil)
    }

    @Test(
        "Comments and commas before a closing bracket are blanks, but not in strings",
        arguments: [
            ("[1, /* , */ 2,]", "[1,         2 ]"), ("{\"a\": \"//b,}\"}", "{\"a\": \"//b,}\"}"),
            ("[1, // x\n]", "[1      \n]"), ("[\"\\\"//\", 1]", "[\"\\\"//\", 1]"), ("[1 /* open", "[1        "),
        ])
    func comments(text: String, expected: String) {
        #expect(String(decoding: JSONComments.removed(from: Array(text.utf8)), as: UTF8.self) == expected)
    }

    @Test("Settings with comments and commas at the end are read, and their paths and host checked")
    func settings() throws {
        let text = """
            {
              // The sign-in
              "AzureAd": {
                "Instance": "https://login.microsoftonline.com/", /* "Instance": "x" */
                "ClientId": "6f9d0c51-aaaa-4b1e-8f0e-000000000025",
                "CallbackPath": "signin-oidc",
              },
            }
            """
        let found = try #require(try explain(text))
        #expect(found.kind == .configuration)
        let failure = try #require(found.findings.first)
        #expect(failure.subject == "CallbackPath" && failure.fix?.contains("/signin-oidc") ?? false)
        let instance = found.sections.first?.rows.first { $0.name == "Instance" }
        #expect(instance?.value == "https://login.microsoftonline.com/")
    }

    @Test(
        "A text and its recognised type",
        arguments: [
            ("-50002", .errorCode), ("AADSTS50076: you must…", .errorCode), ("'invalid_grant'", .errorCode),
            ("https://login.example/authorize?client_id=a&response_type=code", .authorizationRequest),
            ("client_id=a&scope=openid", .authorizationRequest),
            ("http://localhost:8400/?code=abc&state=xyz", .authorizationResponse),
            ("myapp://auth#error=access_denied&state=x", .authorizationResponse),
            ("code=abc&state=xyz", .authorizationResponse), ("myapp://auth", .redirectURI),
            ("<https://example.com/cb>", .redirectURI), ("urn:ietf:wg:oauth:2.0:oob", .redirectURI),
            ("https://login.microsoftonline.com/common/", .authority),
            ("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", .token),
            ("Authorization: Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", .token),
            ("eyJhbGciOiJSU.eyJzdWI.c2ln", .token), ("hello world", nil), ("", nil), ("12:30 at noon", nil),
            ("com.example.app:/oauth2redirect", .redirectURI), ("net::ERR_FAILED", nil),
            ("mailto:zoe@example.com", nil),
            ("https://idp.example/realms/a/.well-known/openid-configuration", .authority),
            ("https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration", .authority),
            ("WWW-Authenticate: Bearer realm=\"a\"", .challenge), ("Bearer realm=\"a\", error=\"x\"", .challenge),
            (#"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#, .challenge),
            ("<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>", .infoPlist),
            ("<plist><dict/></plist>", .infoPlist), ("<html></html>", nil),
            ("C:\\logs\\app.log", nil), ("C:/logs/app.log", nil), ("file:///logs/app.log", nil), ("12:30", nil),
            (String(repeating: "a", count: Explainer.maximumLength + 1), nil),
        ] as [(String, Explanation.Kind?)])
    func kinds(text: String, kind: Explanation.Kind?) throws {
        #expect(try explain(text)?.kind == kind)
    }

    @Test(
        "Secrets are not repeated",
        arguments: [
            "http://localhost/?code=PLANTED&state=PLANTED&session_state=PLANTED&client_info=PLANTED",
            "http://localhost/#access_token=PLANTED&id_token=PLANTED&refresh_token=PLANTED&state=PLANTED",
            "https://login.example/authorize?response_type=code&client_id=a&client_secret=PLANTED&nonce=PLANTED&"
                + "state=PLANTED&code_verifier=PLANTED&id_token_hint=PLANTED&request=PLANTED&password=PLANTED",
            "https://user:PLANTED@login.example/authorize?response_type=code&client_id=a&token=PLANTED&api_key=PLANTED&"
                + "code_challenge=PLANTED&code_challenge_method=plain&PLANTED7&Prompt7=PLANTED&max_age=PLANTED&"
                + "redirect_uri=http%3A%2F%2Fuser%3APLANTED%40host%2Fcb%3Ftoken%3DPLANTED%23PLANTED&login_hint=PLANTED",
            "http://user:PLANTED@localhost/?code=PLANTED&error_description=PLANTED&iss=https://PLANTED@a.example",
        ])
    func redaction(text: String) throws {
        let explanation = try #require(try explain(text))
        #expect(!"\(explanation)".contains("PLANTED"))
        #expect("\(explanation)".contains("hidden, 7 characters"))
    }

    @Test(
        "URLs keep the place and lose the secrets",
        arguments: [
            ("https://login.example/contoso/authorize", "https://login.example/contoso/authorize"),
            ("msauth.com.example.app://auth", "msauth.com.example.app://auth"),
            (
                "https://a:b@h.example:8/x?client_id=c&token=t#code=s",
                "https://‹hidden›@h.example:8/x?client_id=c&token=‹hidden›#code=‹hidden›"
            ),
            ("https://h.example/reset/s3cr3ts3cr3ts3", "https://h.example/reset/‹hidden›"),
            (
                "https://h.example/11111111-2222-4333-8444-555555555555",
                "https://h.example/11111111-2222-4333-8444-555555555555"
            ),
            ("bob:hunter2@host", "‹hidden›"),
        ])
    func places(text: String, shown: String) {
        #expect(Privacy.url(text) == shown)
    }

    @Test(
        "URLs with a query are compared with the Info.plist",
        arguments: [
            ("other://auth?code=a&state=b", true), ("myapp://auth?code=a&state=b", false),
            ("https://a.example/authorize?client_id=c&response_type=code&redirect_uri=other%3A%2F%2Fauth", true),
            ("https://a.example/authorize?client_id=c&response_type=code&redirect_uri=myapp%3A%2F%2Fauth", false),
        ])
    func registeredScheme(text: String, isMissing: Bool) throws {
        let findings = try #require(try explain(text)).findings
        #expect(findings.contains { $0.subject == "Scheme in the Info.plist" && $0.verdict == .failed } == isMissing)
    }

    @Test(
        "A URL with one parameter was cut off",
        arguments: [
            ("https://a.example/oauth2/v2.0/authorize?client_id=c", true),
            ("https://a.example/auth?response_type=code", true),
            ("https://a.example/authorize?response_type=code&client_id=c", false),
            ("https://a.example/authorize?p=b2c_1_x", false),
        ])
    func cutOff(text: String, isCutOff: Bool) throws {
        #expect((try explain(text)?.findings.first?.subject == "URL") == isCutOff)
    }

    @Test("A challenge shows the claims, and not its other values")
    func challenge() throws {
        let claims = Data(#"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#.utf8).base64EncodedString()
        let explanation = try #require(
            try explain("Bearer realm=\"PLANTED\", error=\"insufficient_claims\", claims=\"\(claims)\""))
        #expect(explanation.summary.contains("acrs") && !"\(explanation)".contains("PLANTED"))
        #expect(explanation.sections.map(\.title) == ["Challenge", "insufficient_claims", "Claims"])
        #expect(explanation.sections.last?.rows.first?.value == "c1, essential")
    }

    @Test(
        "A challenge of conditional access names its cause",
        arguments: [
            (#"{"access_token":{"nbf":{"value":"1"},"xms_rp_ipaddr":{"value":"203.0.113.9"}}}"#, "Location"),
            (#"{"access_token":{"nbf":{"essential":true,"value":"1"}}}"#, "Session"),
            (#"{"access_token":{"acrs":{"value":"c1"}}}"#, "claims"),
        ])
    func continuousAccess(claims: String, subject: String) throws {
        #expect(try #require(try explain(claims)).findings.first?.subject == subject)
    }

    @Test(
        "A page is explained by its words or its number, whatever stands around them",
        arguments: [
            ("Ticket 7\nYou can’t get there from here\nError Code: 530003\nDevice state: Unregistered", "AADSTS530003"),
            ("You can't get there from here", "get there from here"), ("Need admin approval", "admin approval"),
            ("see https://login.microsoftonline.com/error?code=50194", "AADSTS50194"),
            ("We are sorry...\nCookie not found. Please make sure cookies are enabled.", "page-without-cookie"),
            ("Fehlercode: 50011", "AADSTS50011"), ("Code d’erreur\u{A0}: 53003", "AADSTS53003"),
            (
                "Selected user account does not exist in tenant 'Contoso' and cannot access the application.",
                "does not exist in tenant"
            ),
            (
                "Planner has not completed the Google verification process.\nError 403: access_denied",
                "has not completed the Google verification process"
            ),
            ("Something went wrong. [1001]", "went wrong. [1001]"),
            ("Something went wrong. [4usqa]", "4usqa"),
            ("Refused to display it in a frame: it set 'X-Frame-Options' to 'deny'.", "set 'X-Frame-Options' to"),
            ("Error code 80070005", nil), ("Something went wrong. [Error Code: CAA20003]", "CAA20003"),
            (
                "doesn’t comply with Google’s OAuth 2.0 policy for keeping apps secure.",
                "OAuth 2.0 policy for keeping apps secure"
            ),
        ] as [(String, String?)])
    func pages(text: String, code: String?) throws {
        let titles = try explain(text)?.sections.map(\.title) ?? []
        #expect(titles.first { $0 != "More" } == code, "\(titles)")
    }

    @Test(
        "A similar code is suggested only for a code that was typed alone",
        arguments: [
            ("AADSTS50077", "AADSTS50076"), ("aadsts50067", "AADSTS50076"), ("AADB2C90119", "AADB2C90118"),
            ("AADSTS7999999", nil), ("AADSTS50077: Sorry.", nil),
            ("AADSTS50077: Sorry. Trace ID: 1 Correlation ID: 2", nil), ("Failed (AADSTS50077)", nil),
            (#"{"error":"a","error_codes":[50077]}"#, nil),
        ] as [(String, String?)])
    func similarCode(text: String, near: String?) throws {
        let findings = try #require(try explain(text)).findings
        let fixes = findings.compactMap(\.fix).filter { $0.contains("Did you mean") }
        #expect(fixes.isEmpty == (near == nil) && fixes.allSatisfy { $0.contains("Did you mean \(near ?? "")?") })
    }

    @Test("The number and the words of the same error are explained once")
    func explainedOnce() throws {
        let page = try explain("AADSTS50020: User account 'a' does not exist in tenant 'b'.\nTrace ID: 1")
        #expect(page?.sections.map(\.title).filter { $0 != "More" } == ["AADSTS50020"])
    }

    @Test("A whole response is explained by its challenge", arguments: ["", "< "])
    func challengeOfResponse(mark: String) throws {
        let claims = Data(#"{"access_token":{"nbf":{"essential":true}}}"#.utf8).base64EncodedString()
        let text = [
            "HTTP/1.1 401 Unauthorized", "WWW-Authenticate: Bearer error=\"insufficient_claims\", claims=\"\(claims)\"",
            "",
        ]
        .map { mark + $0 }.joined(separator: "\r\n")
        let explanation = try #require(try explain(text))
        #expect(explanation.kind == .challenge && explanation.summary.contains("nbf"))
    }

    @Test(
        "An error's summary is its meaning, and a phrase that finds it is nowhere",
        arguments: [
            ("AADSTS50011", "AADSTS50011"),
            ("You don't meet the criteria to access this resource", "Conditional access"),
        ])
    func meaningFirst(text: String, title: String) throws {
        let explanation = try #require(try explain(text))
        let section = try #require(explanation.sections.first)
        let told = explanation.toldSections
        #expect(told.first?.title.contains(title) == true)
        #expect(explanation.summary == section.rows.first { $0.name == "Meaning" }?.value)
        #expect(!told.contains { $0.rows.contains { $0.name == "Meaning" } })
        #expect(!(explanation.summary + "\(told)").contains("meet the criteria"))
    }

    @Test(
        "The details of an error are shown, without names",
        arguments: [
            (
                """
                AADSTS50011: The redirect URI 'http://localhost:8400/' specified in the request does not match the redirect \
                URIs configured for the application '11111111-2222-4333-8444-555555555555'.

                Request Id: 22222222-2222-4333-8444-555555555555
                Correlation Id: 33333333-2222-4333-8444-555555555555
                Timestamp: 2026-11-20T09:14:22Z
                """,
                [
                    "Redirect URI: http://localhost:8400/", "Application: 11111111-2222-4333-8444-555555555555",
                    "Request ID: 22222222-2222-4333-8444-555555555555",
                    "Correlation ID: 33333333-2222-4333-8444-555555555555", "Time: 2026-11-20 09:14:22 UTC",
                ]
            ),
            (
                #"{"error":"invalid_grant","error_description":"AADSTS50173: The grant was issued on \u00272026-10-02T07:58:01"#
                    + #".0000000Z\u0027 and the TokensValidFrom date (before which tokens are not valid) for this user is "#
                    + #"\u00272026-11-19T12:30:00.0000000Z\u0027.","timestamp":"2026-11-20 08:11:09Z","#
                    + #""trace_id":"22222222-2222-4333-8444-555555555555"}"#,
                [
                    "Issued: 2026-10-02 07:58:01 UTC", "Revoked: 2026-11-19 12:30:00 UTC",
                    "Request ID: 22222222-2222-4333-8444-555555555555", "Time: 2026-11-20 08:11:09 UTC",
                ]
            ),
            (
                """
                msal.application: AADSTS500011: The resource principal named https://api.example/PLANTED1PLANTED1 was not \
                found in the tenant named contoso.example. Trace ID: 22222222-2222-4333-8444-555555555555
                """,
                [
                    "Resource: https://api.example/‹hidden›", "Tenant: contoso.example",
                    "Request ID: 22222222-2222-4333-8444-555555555555",
                ]
            ),
            (
                "AADSTS50105: The administrator of 'PLANTED' blocks alice@PLANTED.example from application PLANTED "
                    + "('11111111-2222-4333-8444-555555555555').",
                ["Application: 11111111-2222-4333-8444-555555555555"]
            ), ("AADSTS50105: 'PLANTED'", []),
            (
                "Error 400: redirect_uri_mismatch\nRequest details: redirect_uri=http://localhost:8085/callback flowName=G",
                ["Redirect URI: http://localhost:8085/callback"]
            ),
            (
                "[org.keycloak.events] error=\"invalid_redirect_uri\", redirect_uri=\"http://127.0.0.1:41233/cb\"",
                ["Redirect URI: http://127.0.0.1:41233/cb"]
            ),
        ])
    func detailsOfError(text: String, details: [String]) throws {
        let explanation = try #require(try explain(text))
        let section = explanation.sections.first { $0.title == "Details of the error" }
        #expect(section?.rows.map { "\($0.name): \($0.value)" } ?? [] == details)
        #expect(!"\(explanation)".contains("PLANTED"))
    }

    @Test(
        "An Info.plist shows what MSAL lacks",
        arguments: [
            ("msauth.a.b", CheckFinding.Verdict.passed), ("x", .failed), ("msauth.a.b://auth", .failed),
            ("1-a.apps.googleusercontent.com", .failed),
        ])
    func infoPlist(scheme: String, verdict: CheckFinding.Verdict) throws {
        let list = """
            <plist><dict><key>CFBundleIdentifier</key><string>a.b</string><key>CFBundleURLTypes</key><array><dict>
            <key>CFBundleURLSchemes</key><array><string>\(scheme)</string></array></dict></array></dict></plist>
            """
        let findings = try #require(try explain(list)).findings
        #expect(findings.first?.verdict == verdict)
        let replaces = findings.contains { $0.fix?.contains("Replace msauth.a.b://auth with msauth.a.b ") ?? false }
        #expect(replaces == scheme.contains("://"))
        let reverses = findings.first?.fix == "Replace it with com.googleusercontent.apps.1-a."
        #expect(reverses == scheme.hasSuffix(".com"))
        #expect(findings.last?.subject == "Broker query schemes" && findings.last?.verdict == .warning)
        let source = try #require(try explain(list.replacing("a.b", with: "$(PRODUCT_BUNDLE_IDENTIFIER)")))
        #expect(source.findings.first?.subject == "Bundle identifier")
    }

    @Test(
        "The redirect URI of MSAL for Android is percent-encoded in its configuration",
        arguments: [
            ("msauth://com.a.b/kF3Zq%2B7xW1b%2FT9uYpL0vHc2eR8M%3D", CheckFinding.Verdict.passed),
            ("msauth://com.a.b/kF3Zq+7xW1b/T9uYpL0vHc2eR8M=", .failed), ("msauth://com.a.b/abc", .failed),
            ("https://a.example", .failed),
        ])
    func androidConfiguration(uri: String, verdict: CheckFinding.Verdict) throws {
        let text =
            "{\"client_id\":\"6f9d0c51-aaaa-4b1e-8f0e-000000000025\",\"redirect_uri\":\"\(uri)\",\"account_mode\":\"SINGLE\"}"
        let explanation = try #require(try explain(text))
        #expect(
            explanation.kind == .configuration
                && explanation.findings.allSatisfy { $0.subject != "client_id" || $0.verdict == .passed })
        #expect(explanation.findings.first { $0.subject == "redirect_uri" }?.verdict == verdict)
    }

    @Test(
        "Any configuration in JSON is judged by the roles of its values",
        arguments: [
            (
                #"{"auth": {"clientId": "6f9d0c51-aaaa-4b1e-8f0e-000000000025", "authority": "https://login.micorsoftonline.com/common"}}"#,
                "misspelt"
            ),
            (#"{"client_id": "ledger", "authority": "https://login.microsoftonline.us/common"}"#, "isn't a GUID"),
            (#"{"authority": "https://id.example/oauth2/authorize", "client_id": "a"}"#, "endpoint"),
            (#"{"authority": "https://id.example", "redirectUri": "a.b://cb "}"#, "blank"),
        ])
    func anyConfiguration(text: String, words: String) throws {
        let explanation = try #require(try explain(text))
        let failure = try #require(explanation.findings.first)
        #expect(failure.verdict == .failed && failure.fact.contains(words), "\(explanation.findings)")
    }

    @Test(
        "JSON that tells of an error, or without an authority, is no configuration",
        arguments: [
            #"{"authority": "https://id.example", "client_id": "a", "error": "invalid_grant"}"#,
            #"{"client_id": "a", "tenant": "b.example"}"#,
        ])
    func noConfiguration(text: String) throws { #expect(try explain(text)?.kind != .configuration) }

    @Test func anUnencryptedRedirectURIIsNamed() throws {
        let explanation = try #require(try explain("http://example.com/cb"))
        #expect(explanation.findings.map(\.verdict) == [.failed])
        #expect(explanation.findings.first?.fact.contains("travel unencrypted") ?? false)
    }

    @Test func aTokenIsExplainedWithoutItselfOrItsSignature() throws {
        let text = token(["iss": "https://login.example", "exp": 1_763_640_000, "aud": "api", "scp": "read", "x": [1]])
        let explanation = try #require(try explain(text))
        let printed = "\(explanation)"
        for part in text.split(separator: ".") { #expect(!printed.contains(part)) }
        #expect(!printed.contains("signature-of-it"))
        let claims = try #require(explanation.sections.first { $0.title == "Claims" }).rows
        let expiry = try #require(claims.first { $0.name == "exp" })
        #expect(expiry.date == Date(timeIntervalSince1970: 1_763_640_000))
        #expect(expiry.source == "RFC 7519" && expiry.meaning != nil)
        #expect(explanation.summary == "An access token for api from https://login.example. Not verified.")
    }

    @Test(
        "Facts about a token",
        arguments: [
            (["alg": "none"], ["iss": "https://a", "aud": "b", "exp": 1_763_640_000], "alg", .failed),
            (["alg": "HS256"], ["iss": "https://a", "aud": "b", "exp": 1_763_640_000], "alg", .warning),
            (["typ": "JWT"], ["iss": "https://a", "aud": "b", "exp": 1_763_640_000], "alg", .failed),
            (["alg": "RS256"], ["iss": "https://a", "aud": "b", "exp": 1_763_636_399], "exp", .warning),
            (["alg": "RS256"], ["iss": "https://a", "aud": "b", "exp": 1_763_640_000], "exp", .passed),
            (["alg": "RS256"], ["iss": "https://a", "aud": "b"], "exp", .warning),
            (["alg": "RS256"], ["iss": "https://a", "aud": "b", "nbf": 1_763_636_500], "nbf", .warning),
            (["alg": "RS256"], ["iss": "http://a", "aud": "b"], "iss", .failed),
            (["alg": "RS256"], ["iss": "http://localhost:1", "aud": "b"], "iss", nil),
            (["alg": "RS256"], ["aud": "b"], "iss", .warning),
            (["alg": "RS256"], ["iss": "https://a"], "aud", .warning),
        ] as [(JSONValue, JSONValue, String, CheckFinding.Verdict?)])
    func tokenFindings(header: JSONValue, claims: JSONValue, subject: String, verdict: CheckFinding.Verdict?) throws {
        let explanation = try #require(try explain(token(header: header, claims)))
        #expect(explanation.findings.first { $0.subject == subject }?.verdict == verdict)
    }

    @Test(
        "A damaged token is explained without its content",
        arguments: [
            ("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0", "A signed token has three parts; this one has 2."),
            ("eyJhbGciOiJSUzI1NiJ9.e!!!.c2ln", "The payload isn't base64url: the token was modified or cut off."),
            ("eyJhbGciOiJSUzI1NiJ9.Zm9v.c2ln", "The payload isn't a JSON object: the token was modified or cut off."),
            ("eyJh.a.b.c.d", "An encrypted token (JWE). Only its recipient can read it."),
        ])
    func damaged(text: String, sentence: String) throws {
        #expect(try explain(text)?.summary == sentence)
    }

    @Test func anErrorInAURLIsExplainedWithItsNumbers() throws {
        let text =
            "http://localhost/?error=invalid_grant&suberror=bad_token&state=s&error_description="
            + "AADSTS70008%3A+expired.+AADSTS50076"
        let explanation = try #require(try explain(text))
        #expect(
            explanation.summary.hasPrefix("The authority returned an error: invalid_grant. The code or refresh token"))
        #expect(
            explanation.sections.map(\.title)
                == ["Response", "invalid_grant", "bad_token", "AADSTS70008", "AADSTS50076"])
    }

    @Test(
        "A status that is no number of three digits is no status",
        arguments: ["9223372036854775807", "1e300", "-9.3e18", #""99999999999999999999""#, "null", "{}"])
    func impossibleStatus(status: String) throws {
        let recording = """
            {"log":{"entries":[{"request":{"method":"GET","url":"https://a.example/"},"response":{"status":\(status)}}]}}
            """
        #expect(try explain(recording)?.kind == .har)
    }

    @Test(
        "Problems of a response",
        arguments: [
            ("code=a&state=b", []), ("code=a", ["state"]), ("state=b", ["code"]), ("code=&state=b", ["code"]),
            ("code=a&code=b&state=c", ["code"]), ("code=a&error=b&state=c", ["error", "b"]),
            ("id_token=a&state=b", ["response_type"]), ("error=access_denied&state=b", ["Access"]),
            ("error=access_denied&error_description=The%20user%20denied%20it&state=b", ["User"]),
            ("error=access_denied&error_description=User%20is%20blocked&state=b", ["Account"]),
        ] as [(String, [String])])
    func answers(query: String, subjects: [String]) throws {
        #expect(try explain("http://localhost/?\(query)")?.findings.map(\.subject) == subjects)
    }
}
