import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

@testable import Diagnosis

/// Values of one role that must agree, in any product's words and any form.
@Suite("Facts by role")
struct FactsTests {
    private static func evidence(_ text: String) -> Evidence {
        let bytes = Array(text.utf8)
        return Evidence(LogFile(bytes), RequestText(bytes).exchanges, Facts(bytes))
    }

    private static func cause(_ text: String) -> Cause? { CauseRules.causes(of: evidence(text)).first }

    struct Row: Sendable, CustomTestStringConvertible {
        let id: String
        let difference: String?
        let text: String
        var testDescription: String { "\(id): \(text.prefix(60))" }

        init(_ id: String, _ difference: ValueDifference? = nil, _ text: String) {
            (self.id, self.difference, self.text) = (id, difference?.sentence, text)
        }
    }

    private static let stated = [
        Row(
            "issuer-differs", .finalSlash,
            "issuer mismatch: expected \"https://id.example/a\" but got \"https://id.example/a/\""),
        Row(
            "issuer-differs", .host,
            "Invalid issuer in id_token. Expected: https://id.example/a. Received: https://sso.example/a."),
        Row(
            "issuer-differs", .scheme,
            "The issuer 'http://id.example' does not match the configured issuer 'https://id.example'"),
        Row(
            "token-version", .tokenVersion,
            "issued by another provider, expected \"https://login.microsoftonline.com/t/v2.0\" got \"https://sts.windows.net/t/\""
        ),
        Row(
            "audience-differs", .prefix,
            "Audience validation failed. Audiences: 'api://led-ger'. Did not match: ValidAudience: 'led-ger' or ValidAudiences: 'null'."
        ),
        Row("audience-differs", .value, "error: oidc: expected audience \"ledger\" got [\"account\"]"),
        Row(
            "redirect-uris-differ", .letterCase,
            "redirect_uri mismatch: https://app.example/Callback vs https://app.example/callback"),
        Row("redirect-uris-differ", .path, "reply URL 'https://app.example/a' != 'https://app.example/b'"),
        Row(
            "resource-differs", .finalSlash,
            "Protected resource https://mcp.example/mcp does not match expected https://mcp.example/mcp/"),
        Row(
            "state-differs", .value, "State mismatch, expecting 1aB2cD3eF4 but got 9zY8xW7vU6 in authorization response"
        ),
        Row(
            "nonce-differs", .value,
            "Nonce claim mismatch in the ID token; expected \"n-0S6_WzA2Mj\", found \"n-1T7_XaB3Nk\""),
        Row("client-id-differs", .value, "invalid client_id: expected app-one, got app-two"),
        Row(
            "issuer-differs", .version,
            "issuer mismatch: expected \"https://id.example/t\" but got \"https://id.example/t/v2.0\""),
    ]

    private static let apart = [
        Row(
            "issuer-differs", .internalHost,
            "issuer-uri: http://keycloak:8080/realms/a\nERROR the iss claim is not valid\n{\"iss\": \"http://localhost:8080/realms/a\"}"
        ),
        Row(
            "issuer-differs", .finalSlash,
            "OIDC_ISSUER=https://id.example\nfailed: issuer is invalid\n{\"issuer\":\"https://id.example/\",\"jwks_uri\":\"https://id.example/k\"}"
        ),
        Row(
            "issuer-differs", .finalSlash,
            "Configured issuer: https://id.example/a\nThe provider returned issuer: https://id.example/a/\nOperationProcessingError: issuer does not match"
        ),
        Row(
            "audience-differs", .value,
            "audience = \"ledger-api\"\n401 invalid token: audience is not valid\n{\"aud\":\"account\",\"azp\":\"x\"}"),
        Row(
            "redirect-uri-not-registered", .port,
            "Unregistered redirect_uri (\"http://localhost:4000/cb\").\nredirectURIs:\n- http://localhost:3000/cb\n- https://app.example/cb"
        ),
        Row(
            "redirect-uri-not-registered", .scheme,
            "Error 400: redirect_uri_mismatch, redirect URI http://app.example/cb isn't valid\nAuthorized redirect URIs: https://app.example/cb"
        ),
        Row(
            "redirect-uri-not-registered", .finalSlash,
            "| Callback URLs registered | https://app.example/cb/ |\n| --- | --- |\ninvalid redirect_uri 'https://app.example/cb'"
        ),
        Row(
            "redirect-uris-differ", nil,
            "redirect_uri = \"msauth://org.example/AbC%3D\"\n<activity android:name=\"x.BrowserTabActivity\">\n<data android:scheme=\"msauth\"\n android:host=\"org.example\"\n android:path=\"AbC=\" />\n</activity>\nIntent filter for redirect is missing"
        ),
        Row(
            "redirect-uris-differ", .letterCase,
            "<key>CFBundleURLSchemes</key>\n<array>\n<string>msauth.org.Example</string>\n</array>\nredirectUri: \"msauth.org.example://auth\"\nError: redirect URI is invalid"
        ),
        Row(
            "host-differs", .host,
            "root_url = https://app.example/\nlevel=error msg=\"missing saved state\" referer=https://alias.example/login"
        ),
        Row(
            "subject-differs", .path,
            "error: no matching federated identity for presented assertion subject 'repo:a/b:ref:x'\nsubject: repo:a/b:ref:y"
        ),
        Row(
            "subject-differs", .path,
            "\"token.ci.example:sub\": \"repo:a/b:ref:x\"\nThe job has \"sub\": \"repo:a/b:environment:y\"\nError: Not authorized to perform sts:AssumeRoleWithWebIdentity"
        ),
        Row(
            "audience-differs", .value,
            "# kube-apiserver.yaml\n- --oidc-client-id=kubernetes\n{\"aud\": \"laptop\"}\nerror: You must be logged in to the server (Unauthorized)"
        ),
        Row(
            "issuer-differs", .scheme,
            "--kube-apiserver-arg oidc-issuer-url=https://id.example/k\n- oidc-login\n- --oidc-issuer-url=http://id.example/k\nunable to authenticate the request: invalid bearer token"
        ),
        Row(
            "client-id-differs", .value,
            "apiserver.oidc-client-id=k8s\n\n\n- get-token\n- --oidc-client-id=laptop\nerror: You must be logged in to the server (Unauthorized)"
        ),
        Row(
            "aws-sso-region", .value,
            "sso_region = us-east-1\nhttps://a.example/authorize.html?clientType=public&region=us-east-2\ninvalid_grant"
        ),
        Row(
            "host-differs", .host,
            "  url: https://cd.example\nGET https://deploy.example/auth/login?return_url=https%3A%2F%2Fdeploy.example%2Fa\nInvalid redirect URL: it must be within allowed URLs if provided"
        ),
        Row("token-expired", nil, "{\"exp\": 1749906000}\n2025-06-14T13:00:01Z ERROR invalid token"),
        Row("token-expired", nil, "{\"exp\": 1749906000}\n2025-06-15 08:00:01 ERROR invalid token"),
        Row("token-not-valid-yet", nil, "{\"nbf\": 1749906000}\n2025-06-14T12:58:00Z ERROR invalid token"),
        Row(
            "cookie-needs-https", nil,
            "cookie secure: true\nredirect-url: http://app.example/cb\nerror: unable to obtain CSRF cookie"),
        Row(
            "cookie-needs-https", nil,
            "cookie: { secure: true }\n# behind nginx\nUnable to verify the state of the request"),
    ]

    private static let related = [
        Row(
            "authority-differs", .version,
            "OIDC_AUTHORITY = \"https://login.app.example/5a1f6f0e-7d2c-4f7a-93c1-000000000001\"\nAADSTS500207: The account type can't be used"
        ),
        Row(
            "redirect-uris-differ", .port,
            "Listening on http://127.0.0.1:3000\nGET https://id.example/auth?redirect_uri=http://localhost:8080/cb\nredirect URI failed: refused"
        ),
        Row(
            "scope-differs", .lacking,
            "required_scopes = \"ledger.read\"\n{\"scp\": \"User.Read openid\"}\n403 insufficient scope"),
    ]

    @Test("Values that stand in another relation than to be the same", arguments: related)
    func relation(row: Row) throws { try document(row: row) }

    @Test(
        "Values in such a relation, or without a complaint, prove nothing",
        arguments: [
            "required_scopes = \"ledger.read a.b\"\n{\"scp\": \"Ledger.Read openid\"}\n403 insufficient scope",
            "required_scopes = \"ledger.read\"\n{\"scp\": \"User.Read openid\"}\n200",
            "Listening on http://127.0.0.1:3000\nGET https://id.example/auth?redirect_uri=http://localhost:3000/cb\nredirect URI failed",
            "Listening on http://127.0.0.1:3000\nGET https://id.example/auth?redirect_uri=https://app.example/cb\nredirect URI failed",
            "authority = \"https://login.app.example/5a1f6f0e-7d2c-4f7a-93c1-000000000001/v2.0\"\nAADSTS500207: x",
            "\"token.ci.example:sub\": \"repo:a/*:ref:*\"\n\"sub\": \"repo:a/b:ref:x\"\nError: Not authorized to perform sts:AssumeRoleWithWebIdentity",
            "apiserver.oidc-client-id=k8s\n{\"aud\": \"k8s\"}\nerror: You must be logged in to the server (Unauthorized)",
            "realm: a\nurl: https://id.example/auth/realms\nreferer=https://app.example/login\nerror: state mismatch",
            "{\"exp\": 1749906000}\n2025-06-14T12:59:00Z ERROR invalid token",
            "{\"exp\": 1749906000}\n2025-06-14 22:00:00 ERROR invalid token",
            "{\"exp\": 1749906000}\n{\"exp\": 1849906000}\n2025-06-15T08:00:01Z ERROR invalid token",
        ])
    func inOrder(text: String) { #expect(Self.cause(text)?.strength != .observed, "\(text)") }

    @Test("The claims of a token in the text are facts")
    func claims() throws {
        let claims = Base64URL.encode(Array(#"{"iss":"http:\/\/sso.shop.example\/realms\/a","aud":"b"}"#.utf8))
        let text =
            "  - issuer: http://sso.internal:8080/realms/a\n> Authorization: Bearer eyJhbGciOiJub25lIn0.\(claims).abcd\n"
        let cause = try #require(
            Self.cause("\(text)< HTTP/1.1 401 Unauthorized\nJwt issuer is not configured\n"))
        #expect(cause.id == "issuer-differs" && cause.facts.contains { $0.row.value.contains("sso.shop.example") })
    }

    @Test("The messages of a recording have values, too, and state causes in any words")
    func recording() throws {
        func evidence(_ body: String) -> Evidence {
            var request = Exchange(number: 1, method: "GET", url: "https://api.example/x", status: 500)
            request.requestHeaders.append("Authorization", "Bearer a")
            request.body = body
            return Evidence([request])
        }
        let values = #"{"message":"issuer mismatch: expected 'https://id.example/a' but got 'https://id.example/a/'"}"#
        let cause = try #require(CauseRules.causes(of: evidence(values)).first)
        #expect(cause.id == "issuer-differs" && cause.facts.last?.row.value == ValueDifference.finalSlash.sentence)
        #expect(evidence(#"{"title":"Not today"}"#).exchanges[0].rejection == nil)
        let said = evidence(#"{"message":"The audience isn't accepted"}"#).exchanges[0].rejection
        #expect(said?.stated.contains("other-audience-expected") == true)
    }

    @Test("Two values in a sentence, whatever program writes it", arguments: stated)
    func sentence(row: Row) throws {
        let cause = try #require(Self.cause(row.text), "\(row.text)")
        #expect(cause.id == row.id && cause.strength == .observed)
        #expect(row.difference == nil || cause.facts.contains { $0.row.value == row.difference }, "\(cause.facts)")
    }

    @Test("Two values in different places and forms", arguments: apart)
    func document(row: Row) throws {
        let cause = try #require(Self.cause(row.text), "\(row.text)")
        #expect(cause.id == row.id && cause.strength == .observed)
        #expect(row.difference == nil || cause.facts.contains { $0.row.value == row.difference }, "\(cause.facts)")
    }

    @Test(
        "Masks, placeholders, source code, advice, agreement and success prove nothing",
        arguments: [
            "expected issuer \"https://<tenant>/\" got \"https://id.example/\"",
            "expected issuer \"***\" got \"https://id.example\"",
            "throw new Error(`issuer mismatch: expected \"https://a.example\" got \"https://b.example\"`)",
            "issuer validated: expected \"https://id.example\" got \"https://id.example\"",
            "OIDC_ISSUER=https://id.example\nIf the issuer is invalid, compare it.\n{\"iss\":\"https://other.example\"}",
            "issuer: https://id.example\n{\"iss\":\"https://other.example\"}",
            "issuer: https://a.example\nissuer: https://b.example\nerror: issuer is invalid\n{\"iss\":\"https://c.example\"}",
            "expected audience \"ledger\" got [\"account\"]\nget_token succeeded",
            "ERROR {\"error_description\":\"the value doesn't match. Correlation ID: a\",\"error_uri\":\"https://id.example/e\"}",
            "redirectURIs: [\"http://localhost/*\"]\nerror: redirect_uri 'http://localhost/cb' is invalid",
        ])
    func nothing(text: String) {
        // A sentence may still state it in words.
        let cause = Self.cause(text)
        #expect(cause?.strength == .worded || cause?.id.hasSuffix("-differs") != true, "\(String(describing: cause))")
    }

    @Test(
        "Values without a failure give no cause",
        arguments: [
            "issuer validated: expected \"https://id.example\" got \"https://id.example\"",
            "issuer: https://id.example\n{\"iss\":\"https://other.example\"}",
        ])
    func healthy(text: String) { #expect(Self.cause(text) == nil) }

    @Test(
        "A cookie that the browser drops",
        arguments: [
            ("a=1; Secure", "http://app.example/cb", "only for https"),
            ("a=1; SameSite=None", "http://app.example/cb", "without Secure"),
            ("a=1; SameSite=Strict", "https://app.example/cb", "SameSite=Strict"),
            ("a=1; Domain=other.example", "https://app.example/cb", "another host"),
            ("a=\(String(repeating: "x", count: 4096))", "https://app.example/cb", "larger than 4096"),
        ])
    func cookie(field: String, place: String, words: String) throws {
        var start = Exchange(number: 1, method: "GET", url: place.replacing("/cb", with: "/login"), status: 302)
        start.responseHeaders.append("Set-Cookie", field)
        start.responseHeaders.append("Location", "https://id.example/authorize")
        var request = Exchange(number: 2, method: "GET", url: "https://id.example/authorize", status: 302)
        request.parameters = ["response_type": "code", "client_id": "c", "redirect_uri": place, "state": "s"]
        var back = Exchange(number: 3, method: "GET", url: place, status: 500)
        back.parameters = ["code": "1", "state": "s"]
        let cause = try #require(CauseRules.causes(of: Evidence([start, request, back])).first)
        #expect(cause.id == "cookie-lost" && cause.headline.contains(words), "\(cause)")
    }

    @Test("A sign-in that starts again and again failed, although each response is in order")
    func loop() throws {
        let rounds = (0..<3).flatMap { round -> [Exchange] in
            var request = Exchange(
                number: 2 * round + 1, method: "GET", url: "https://id.example/authorize", status: 302)
            let state = "s\(round)"
            request.parameters = [
                "response_type": "code", "client_id": "c", "redirect_uri": "https://app.example/cb", "state": state,
            ]
            var back = Exchange(number: 2 * round + 2, method: "GET", url: "https://app.example/cb", status: 302)
            back.parameters = ["code": "c\(round)", "state": state]
            return [request, back]
        }
        let evidence = Evidence(rounds)
        #expect(evidence.success == nil)
        #expect(CauseRules.causes(of: evidence).first?.id == "cookie-lost")
        #expect(Evidence(Array(rounds.prefix(4))).success != nil)
    }

    @Test("No value that may be secret is shown")
    func secrets() throws {
        let cause = try #require(Self.cause("State mismatch, expecting 1aB2cD3eF4 but got 9zY8xW7vU6"))
        #expect(!"\(cause.facts)".contains("1aB2cD3eF4"))
    }
}
