import Foundation
import OAuthCore
import Testing

@testable import Diagnosis

/// Archives and logs of real sign-ins, recorded by `Tests/EndToEnd/evidence/record.py`. Those of Glewlwyd and LemonLDAP::NG were
/// recorded with mitmproxy, those of OAuthlib and httpx with oidc-provider-mock, and shortened.
@Suite("Explanation of recordings")
struct EvidenceTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Evidence")

    private static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    private static func explain(_ bytes: [UInt8]) throws -> Explanation {
        let plist = Array(
            """
            <plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>
            """.utf8)
        return try Explainer(clientID: "", infoPlist: plist, now: Date(timeIntervalSince1970: 1_800_000_000))
            .explain(file: bytes)
    }

    private static func causes(_ bytes: [UInt8]) throws -> [String] {
        try explain(bytes).findings.filter { [.failed, .warning].contains($0.verdict) }.map(\.subject)
    }

    @Test(
        "The first cause explains the failure",
        arguments: [
            ("redirect_uri_case.har", "Redirect URI"), ("redirect_uri_path.har", "Redirect URI"),
            ("unknown_client.har", "Client ID"), ("code_used_twice.har", "Authorization code"),
            ("wrong_verifier.har", "PKCE"), ("missing_verifier.har", "PKCE"),
            ("refresh_token_replaced.har", "Refresh token"), ("state_changed.har", "State"),
            ("nobody_listens.har", "Listener"), ("declined.har", "Consent"), ("abandoned.har", "Sign-in page"),
            ("third_party_cookies.har", "Cookies"), ("cross_origin.har", "CORS"), ("busy.har", "Server"),
            ("untrusted_certificate.har", "Certificate"), ("name_not_resolved.har", "DNS"),
            ("wrong_redirect_token.har", "Redirect URI"), ("wrong_password.har", "AADSTS50126"),
            ("silent_signed_out.har", "AADSTS50058"), ("captive_portal.har", "Network"),
            ("glewlwyd_redirect_uri.har", "Registration"), ("glewlwyd_refresh_token_replaced.har", "Refresh token"),
            ("glewlwyd_id_token_sent.har", "ID token"), ("lemonldap_wrong_verifier.har", "PKCE"),
            ("lemonldap_other_client.har", "Client ID"), ("lemonldap_redirect_uri.har", "Redirect URI"),
            ("python_refresh_token.log", "AADSTS70000"),
            ("python_unknown_client.log", "AADSTS700016"), ("python_name_not_resolved.log", "DNS"),
            ("python_untrusted_certificate.log", "Certificate"), ("oauthlib_earlier_state.log", "State"),
            ("oauthlib_code_used_twice.log", "Authorization code"),
            ("oauthlib_other_redirect_uri.log", "Redirect URI"),
            ("oauthlib_client_secret.log", "Client secret"), ("httpx_clock.log", "Clock"),
        ])
    func cause(file: String, subject: String) throws {
        #expect(try Self.causes(Self.bytes(file)).first == subject)
    }

    @Test func aSuccessfulSignInHasNoCause() throws {
        let findings = try Self.explain(Self.bytes("good.har")).findings
        #expect(findings.map(\.verdict) == [.passed])
        #expect(findings.first?.fact == "The sign-in succeeded: the authority returned tokens.")
    }

    @Test(
        "A failed sign-in isn't called successful",
        arguments: try recordings().filter { !["good.har", "third_party_cookies.har"].contains($0) })
    func failures(name: String) throws {
        #expect(try Self.explain(Self.bytes(name)).findings.first?.verdict == .failed)
    }

    @Test("A cut recording is explained up to the cut")
    func cut() throws {
        let bytes = try Self.bytes("unknown_client.har")
        let explanation = try Self.explain(Array(bytes.prefix(bytes.count - 200)))
        #expect(explanation.summary.hasSuffix("The file is cut off or damaged: later requests are missing."))
        #expect(explanation.findings.first?.subject == "Client ID")
        #expect(throws: Explainer.Rejection.cutOff) { try Self.explain(Array(bytes.prefix(60))) }
    }

    @Test("A recording without a sign-in says how to record one")
    func nothingRecorded() throws {
        let explanation = try Self.explain(Array(#"{"log": {"version": "1.2", "entries": []}}"#.utf8))
        #expect(explanation.summary == "A recording: 0 requests, 0 to sign-in endpoints.")
        #expect(explanation.findings.map(\.verdict) == [.warning])
        #expect(explanation.findings.first?.fix?.contains("Preserve log") == true)
    }

    @Test(
        "A text about MSAL and ADAL is no log", arguments: ["# How to\nThis app uses MSAL to sign in. ADAL is old.\n"])
    func prose(text: String) throws {
        #expect(throws: Explainer.Rejection.unknown) { try Self.explain(Array(text.utf8)) }
    }

    @Test("Byte order marks and UTF-16 are read", arguments: ["unknown_client.har", "python_unknown_client.log"])
    func encodings(name: String) throws {
        let bytes = try Self.bytes(name)
        let expected = try Self.explain(bytes)
        let units = Array(String(decoding: bytes, as: UTF8.self).utf16)
        #expect(try Self.explain([0xEF, 0xBB, 0xBF] + bytes) == expected)
        #expect(try Self.explain([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == expected)
        #expect(try Self.explain([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == expected)
    }

    @Test(
        "An error in a text of any kind",
        arguments: [
            (
                "keyturn: Sign-in required\n         Run 'keyturn sign-in'.\n         (internalErrorInvalidGrant -42004, "
                    + "-50002, correlation ID 11111111-2222-4333-8444-555555555555)\n", ["Evidence:", "Details"]
            ),
            (
                #"{"error":{"code":-50002,"domain":"MSALErrorDomain","internalCode":-42004,"oauthError":"invalid_grant","#
                    + #""stsCodes":[50076]}}"#, ["AADSTS50076"]
            ),
            ("invalid_grant: Token is not active", ["Token"]),
            (
                "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n\r\n{\"error\":\"invalid_client\","
                    + "\"error_codes\":[7000218]}", ["AADSTS7000218"]
            ),
            ("AADSTS90094: ask. Then: AADSTS65004: cancelled", ["AADSTS90094", "AADSTS65004"]),
            ("AADSTS7654321: new. invalid_grant", ["invalid_grant"]), ("AADSTS7654321: new", []),
            ("HTTP/2 429\r\nretry-after: 30\r\n\r\n{\"errorCode\":\"E0000047\"}", ["E0000047"]),
            ("aadsts50011%3A%20The+redirect", ["AADSTS50011"]), ("AADB2C90118: forgot", ["AADB2C90118"]),
        ])
    func errorTexts(text: String, codes: [String]) throws {
        let explanation = try Self.explain(Array(text.utf8))
        #expect(explanation.kind == .errorCode)
        #expect(explanation.sections.map { $0.title.split(separator: " ").first.map(String.init) } == codes)
        let error = ["invalid_grant", "invalid_client"].first { text.contains($0) && !codes.contains($0) }
        let named = explanation.sections.flatMap(\.rows).first { $0.name == "Also named" }?.value
        #expect(error == nil || codes.isEmpty || named?.contains(error ?? "") == true)
        #expect(text.contains("7654321") == explanation.findings.contains { $0.subject == "AADSTS7654321" })
    }

    @Test("Who declines at the page for administrators, which can't be accepted, needs one", arguments: [true, false])
    func adminConsent(isAdminPage: Bool) throws {
        let text =
            (isAdminPage ? "I clicked 'Return to the application without granting consent'\n" : "I clicked 'Cancel'\n")
            + "http://localhost:5/?error=access_denied&state=s&error_description=AADSTS65004%3a+User+declined"
        let finding = try #require(try Self.explain(Array(text.utf8)).findings.first)
        #expect(finding.subject == "Consent" && finding.fact.contains("administrator") == isAdminPage)
    }

    @Test("A log of MSAL for Android isn't one of MSAL for iOS, although it mentions MSAL earlier")
    func android() throws {
        let text = """
            1 D App: [2026-11-17 06:58:13 - thread_id: 4, correlation_id: UNSET - Android 34] Loading MSAL configuration
            1 E App: com.microsoft.identity.client.exception.MsalClientException: no_tokens_found
            """
        #expect(try Self.explain(Array(text.utf8)).summary.hasPrefix("A log from MSAL for Android"))
    }

    @Test("A code that isn't listed falls back to the OAuth error of a log")
    func unlistedCode() throws {
        let text = "msal.application: Refresh failed. invalid_grant: AADSTS7654321: new\n"
        let finding = try #require(try Self.explain(Array(text.utf8)).findings.first)
        #expect(finding.subject == "invalid_grant" && finding.fact.hasSuffix("Keyturn doesn't know AADSTS7654321."))
    }

    @Test(
        "Responses are explained by their structure",
        arguments: [
            (#"{"error":"tenant_is_asleep","error_description":"PLANTED"}"#, "tenant_is_asleep"),
            (#"{"error":{"code":"TenantIsAsleep","message":"PLANTED"}}"#, "TenantIsAsleep"),
            (#"{"errorCode":"E0999999","errorSummary":"PLANTED"}"#, "E0999999"),
            (#"{"error":"unsaid_error","error_description":"AADSTS7654321: PLANTED"}"#, "AADSTS7654321"),
            (
                "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n\r\n{\"error\":\"tenant_is_asleep\"}",
                "tenant_is_asleep"
            ),
            (
                "> POST /t HTTP/2\n> Host: a.example\n>\n< HTTP/2 403 \n< www-authenticate: Bearer error=\"asleep\"\n< \n* x",
                "asleep"
            ),
            ("HTTP/1.1 429 Too Many Requests\nRetry-After: 17\n\nPLANTED", "Server"),
            ("HTTP/2 502\r\nserver: PLANTED\r\n\r\n<html>PLANTED</html>", "Server"),
            ("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "Response"),
            ("HTTP/2 404\n\n", "Response"), ("HTTP/2 401\n\nPLANTED", "Response"),
        ])
    func responses(text: String, subject: String) throws {
        let explanation = try Self.explain(Array(text.utf8))
        #expect(explanation.kind == .response)
        #expect(explanation.findings.first?.subject == subject && explanation.findings.first?.verdict == .failed)
        #expect(!"\(explanation)".contains("PLANTED"))
        #expect(text.contains("17") == "\(explanation)".contains("17"))
    }

    @Test(
        "Phrases of providers and libraries name the cause",
        arguments: [
            (#"{"error":"invalid_grant","error_description":"Account is not fully set up"}"#, "Account is not"),
            (
                #"{"error":"invalid_request","error_description":"The 'redirect_uri' parameter must be a Login redirect URI"}"#,
                "redirect-uri-not-registered"
            ),
            ("Invalid redirect_uri", "redirect-uri-not-registered"),
            ("SecurityTokenInvalidAudienceException: IDX10214: Audience validation failed.", "IDX10214"),
            ("IDX10501: Signature validation failed.", "IDX10501"), ("Exception: Correlation failed.", "state-unknown"),
            (
                #"WWW-Authenticate: Bearer error="invalid_token", error_description="The audience 'x' is invalid""#,
                "The audience '"
            ),
            ("(invalid_grant) Invalid code verifier.", "verifier-mismatch"),
            (
                "ValueError: Token used too early, 1 < 2. Check that your computer's clock is set",
                "token-not-valid-yet"
            ),
            ("it doesn't comply with Google's OAuth 2.0 policy\nError 400: invalid_request", "comply with"),
            ("{\"errorSummary\":\"Invalid value for 'client_id' parameter.\"}", "client-unknown"),
            ("Only loopback redirect uri is supported, but msal1://auth was found", "Only loopback"),
            ("(insecure_transport) OAuth 2 MUST utilize https.", "insecure_transport"),
            ("Access to fetch at x has been blocked by CORS policy: no header", "blocked by CORS policy"),
        ])
    func phrases(text: String, title: String) throws {
        #expect(try Self.explain(Array(text.utf8)).sections.contains { $0.title.hasPrefix(title) })
    }

    @Test("A phrase in a recorded description is the cause")
    func phraseInRecording() throws {
        let entry =
            #"{"request":{"method":"POST","url":"https://kc.example/token","postData":{"mimeType":"#
            + #""application/x-www-form-urlencoded","text":"grant_type=password&client_id=a"}},"response":{"status":400,"#
            + #""content":{"mimeType":"application/json","text":"{\"error\":\"invalid_grant\",\"error_description\":"#
            + #"\"Account is not fully set up\"}"}}}"#
        #expect(try Self.causes(Array(#"{"log":{"entries":[\#(entry)]}}"#.utf8)) == ["Account"])
    }

    @Test("A code of the authority counts more than an inference")
    func contradiction() throws {
        let text = String(decoding: try Self.bytes("wrong_verifier.har"), as: UTF8.self)
        let marked = text.replacing(#/AADSTS[0-9]+/#, with: "AADSTS53003").replacing(
            #/"error_codes":\[[0-9]+\]/#, with: ""
        )
        .replacing(#/error_codes\\":\s*\[[0-9]+\]/#, with: #"error_codes\":[53003]"#)
        #expect(marked.contains("AADSTS53003"))
        #expect(try Self.causes(Array(marked.utf8)).first == "AADSTS53003")
    }

    @Test("A blocked token request without its preflight is a matter of CORS, unless the device was offline")
    func blocked() throws {
        let archive = try #require(HARFile(try Self.bytes("good.har")))
        func causes(_ change: (inout Exchange) -> Void) -> [String] {
            let changed = archive.exchanges.map { exchange in
                var exchange = exchange
                if exchange.ownRole == .token { change(&exchange) }
                return exchange
            }
            return CauseRules.causes(of: Evidence(changed)).map(\.subject)
        }
        #expect(causes { ($0.status, $0.failure, $0.body) = (0, "net::ERR_FAILED", nil) } == ["CORS"])
        #expect(causes { ($0.status, $0.failure, $0.body) = (0, nil, nil) } == ["CORS"])
        #expect(
            !causes { ($0.status, $0.failure, $0.body) = (0, "net::ERR_INTERNET_DISCONNECTED", nil) }.contains("CORS"))
    }

    @Test("A traceback without a log is explained")
    func traceback() throws {
        let text = """
            Traceback (most recent call last):
              File "/app/venv/lib/python3.13/site-packages/msal/authority.py", line 100, in __init__
            requests.exceptions.ConnectionError: HTTPSConnectionPool(host='login.example', port=443): Max retries exceeded \
            (Caused by NameResolutionError("Failed to resolve 'login.example' ([Errno -2] Name or service not known)"))
            """
        let explanation = try Self.explain(Array(text.utf8))
        #expect(explanation.summary.hasPrefix("A log from MSAL Python"))
        #expect(explanation.findings.map(\.subject) == ["DNS"])
    }

    @Test("A blocked request of another host isn't the cause")
    func otherHosts() throws {
        let text = String(decoding: try Self.bytes("unknown_client.har"), as: UTF8.self)
        let blocked =
            #"{"request":{"method":"GET","url":"https://ads.example/x"},"response":{"status":0,"#
            + #""_error":"net::ERR_NAME_NOT_RESOLVED"}},"#
        let planted = text.replacing("\"entries\":[", with: "\"entries\":[" + blocked)
        #expect(planted != text)
        #expect(try Self.causes(Array(planted.utf8)) == Self.causes(Self.bytes("unknown_client.har")))
        let alone = #"{"log":{"entries":["# + blocked.dropLast() + "]}}"
        #expect(try Self.causes(Array(alone.utf8)) == ["DNS"])
    }

    @Test("One long line is scanned to its end")
    func longLine() throws {
        let text = String(repeating: "x y -4", count: 40_000) + " Error Domain=NSOSStatusErrorDomain Code=-34018"
        #expect(try Self.causes(Array(text.utf8)).first == "Keychain")
    }

    @Test(
        "A code or a line with a known cause is an error, not a log",
        arguments: ["-34018", "net::ERR_CONNECTION_REFUSED"])
    func oneLine(text: String) throws {
        let explanation = try Self.explain(Array(text.utf8))
        #expect(explanation.kind == .errorCode && explanation.summary == explanation.findings.first?.fact)
        #expect(!explanation.sections.contains { $0.rows.contains { $0.name == "Line" } })
    }

    @Test("Texts are found in one pass, with their lines")
    func scanner() {
        var found: [[Int]] = []
        let lines = TextScanner(["ab", "abc", "c\n", "zz"]).scan(Array("abc\nab\nzzz".utf8)) { pattern, range, line in
            found.append([pattern, range.lowerBound, range.upperBound, line])
        }
        #expect(lines == 3)
        #expect(found == [[0, 0, 2, 1], [1, 0, 3, 1], [2, 2, 4, 1], [0, 4, 6, 2], [3, 7, 9, 3], [3, 8, 10, 3]])
    }

    @Test func differingRedirectURIsAreCompared() throws {
        let explanation = try Self.explain(Self.bytes("redirect_uri_case.har"))
        #expect("\(explanation)".contains("Only the path differs."))
    }

    @Test("Explanations contain no codes, tokens, states or passwords")
    func secrets() throws {
        for name in ["good.har", "code_used_twice.har", "refresh_token_replaced.har", "wrong_verifier.har"] {
            let bytes = try Self.bytes(name)
            let archive = try #require(HARFile(bytes))
            let text = "\(try Self.explain(bytes))"
            for exchange in archive.exchanges {
                for secret in ["code", "state", "code_verifier", "refresh_token", "passwd", "password"] {
                    if let value = exchange.parameters[secret], value.count > 5 { #expect(!text.contains(value)) }
                }
                for name in ["access_token", "refresh_token", "id_token"] {
                    if let value = exchange.json?[name]?.string { #expect(!text.contains(value)) }
                }
            }
        }
    }

    @Test("Planted secrets are never printed, and hide no cause", arguments: try recordings())
    func planted(name: String) throws {
        let original = String(decoding: try Self.bytes(name), as: UTF8.self)
        let planted = [
            ("://127.0.0.1", "://user:PLANTED@127.0.0.1"), ("://login.contoso", "://user:PLANTED@login.contoso"),
            ("%3A%2F%2F127.0.0.1", "%3A%2F%2Fuser%3APLANTED%40127.0.0.1"), ("net::ERR", "PLANTED net::ERR"),
            ("&state=", "&token=PLANTED&api_key=PLANTED&state="), ("?code=", "?token=PLANTED&code="),
            ("\"WebInspector\"", "\"PLANTED\""),
            ("\"Retry-After\",\"value\":\"", "\"Retry-After\",\"value\":\"PLANTED"),
        ].reduce(original) { $0.replacing($1.0, with: $1.1) }
        #expect(!"\(try Self.explain(Array(planted.utf8)))".contains("PLANTED"))
        #expect(try Self.causes(Array(planted.utf8)) == Self.causes(Array(original.utf8)))
    }

    static func recordings() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".har") }.sorted()
    }

    @Test(
        "A clock difference is found in a successful flow too", arguments: [(-480.0, "behind"), (480, "ahead of")])
    func clock(seconds: Double, direction: String) throws {
        let archive = try #require(HARFile(try Self.bytes("good.har")))
        let shifted = archive.exchanges.map { exchange in
            var exchange = exchange
            exchange.time = exchange.time?.addingTimeInterval(seconds)
            return exchange
        }
        let cause = try #require(NetworkCauses.clock(Evidence(shifted)).cause)
        #expect(cause.headline.contains("8 min \(direction)"))
        #expect(NetworkCauses.clock(Evidence(archive.exchanges)).cause == nil)
    }

    @Test(
        "Causes in other programs' logs",
        arguments: [
            (
                "MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALErrorDescriptionKey=application did not receive "
                    + "response from broker., MSALInternalErrorCodeKey=-42700}", "Broker"
            ),
            (
                "Error Domain=NSOSStatusErrorDomain Code=-34018 \"(null)\" UserInfo={MSALErrorDescriptionKey=x}",
                "Keychain"
            ),
            (
                "TID=1 MSAL 1.2.5 iOS 18.4 [2026-03-01 10:00:00] Failed to set item into keychain (status: -25308)",
                "Keychain"
            ),
            (
                "TID=1 MSAL 1.2.5 iOS 18.4 [2026-03-01 10:00:00] "
                    + "com.apple.AuthenticationServices.WebAuthenticationSession Code=2 \"(null)\"", "Window"
            ),
            (
                "TID=1 MSAL 1.2.5 iOS 18.4 [2026-03-01 10:00:00] "
                    + "com.apple.AuthenticationServices.WebAuthenticationSession Code=1 \"(null)\"", "User"
            ),
            ("BrowserAuthError: monitor_window_timeout: Token acquisition in iframe failed", "Cookies"),
            ("BrowserAuthError: interaction_in_progress: Interaction is currently in progress.", "Sign-in"),
            ("Error Domain=MSALErrorDomain Code=-50002 \"No account provided\" MSALErrorDescriptionKey", "Account"),
            ("msal.application: Refresh failed. invalid_grant: AADSTS50076: MFA needed", "AADSTS50076"),
            ("ADAL 2.6.3 iOS 11.4 [2018] Error raised: AD_ERROR_TOKENBROKER_RESPONSE_NOT_RECEIVED", "ADAL"),
            (
                "Error Domain=org.openid.appauth.general Code=-15 \"Issued at time is more than 600 seconds before\"",
                "Clock"
            ),
            (
                "E App: com.microsoft.identity.client.exception.MsalClientException: The redirect URI in the configuration "
                    + "file doesn't match with the one generated with package name and signature hash.", "Redirect URI"
            ),
            ("net::ERR_CONNECTION_REFUSED", "Network"), ("java.net.ConnectException", "Network"),
            ("java.net.UnknownHostException: a.example", "DNS"), ("getaddrinfo EAI_AGAIN a.example", "DNS"),
            ("Response status code does not indicate success: 407 (Proxy Authentication Required).", "Proxy"),
            (
                "The remote certificate is invalid because of errors in the certificate chain: UntrustedRoot",
                "Certificate"
            ),
            ("requests.exceptions.HTTPError: 429 Client Error: for url", "Server"),
            ("keyturn: log: MSAL 2\nkeyturn: AADSTS65004: declined\n  (userCanceled -50005)", "AADSTS65004"),
            ("keyturn: log: MSAL 2\nwarning  Clock  This computer's clock is 7 min behind the authority's.", "Clock"),
            ("keyturn: log: MSAL 2\nThis computer's clock is 7 min behind.\nAADSTS50173: x", "AADSTS50173"),
            ("msal.application: x\nDefaultAzureCredential failed to retrieve a token from", "Azure Identity"),
            ("TID=1 MSAL 1 iOS 1 [2026-03-01 10:00:00 - 6F1C2B7E-34018-25308] Keychain find status: -25300", nil),
        ] as [(String, String?)])
    func logs(text: String, subject: String?) throws {
        #expect(try Self.causes(Array((text + "\n").utf8)).first == subject)
    }

    @Test(
        "Texts that aren't recordings",
        arguments: [
            ("", .empty), (" \n", .empty), ("{}", .unknown), ("[]", .unknown), ("{\"log\":{}}", .unknown),
            ("{\"log\":{\"entries\":{}}}", .unknown), ("{\"log\":{\"entries\":[", .cutOff), ("\u{1B}[31m", .unknown),
            (String(repeating: "[", count: 1000), .unknown), ("PK\u{3}\u{4}x", .compressed),
            ("{\"entries\":" + String(repeating: "[", count: 1000), .unknown),
        ] as [(String, Explainer.Rejection)])
    func others(text: String, rejection: Explainer.Rejection) throws {
        #expect(throws: rejection) { try Self.explain(Array(text.utf8)) }
    }

    @Test("Incomplete entries are counted and skipped")
    func partial() throws {
        let text = #"{"entries":[{},{"request":{"url":"https://a.example/x"}},7,{"request":{"url":3}}]}"#
        let archive = try #require(HARFile(Array(text.utf8)))
        #expect(archive.exchanges.count == 1 && archive.unreadable == 3)
    }

    @Test(
        "The difference between two values",
        arguments: [
            ("msauth.com.contoso.Mail://auth", "msauth.com.contoso.mail://auth", ValueDifference.letterCase),
            ("http://localhost", "http://localhost/", .finalSlash), ("http://localhost:1", "http://localhost:2", .port),
            ("https://a.example/x", "https://a.example/y", .path),
            ("http://a.example/x", "https://a.example/x", .scheme),
            ("https://a.example/x", "https://b.example/x", .host),
            ("https://a.example/x", "https://b.example/y", .value),
            ("http://localhost:1/x", "http://127.0.0.1:1/x", .loopbackName),
            ("http://idp:80/x", "http://a.example/x", .internalHost),
            ("https://a.example/x ", "https://a.example/x", .blank), ("api://x", "x", .prefix), ("x", "x", nil),
            ("https://sts.windows.net/1/", "https://login.microsoftonline.com/1/v2.0", .tokenVersion),
        ])
    func differences(one: String, other: String, difference: ValueDifference?) {
        #expect(ValueDifference(one, other) == difference)
    }
}

@Suite("Entitlements")
struct EntitlementsTests {
    @Test(
        "MSAL's keychain group is required",
        arguments: [
            ("ABCDE12345.com.microsoft.adalcache", "passed iOS"),
            ("$(AppIdentifierPrefix)com.microsoft.identity.universalstorage", "passed macOS"),
            ("ABCDE12345.com.contoso.app", "failed -34018"), ("", "failed -34018"),
        ])
    func keychainGroup(group: String, expected: String) throws {
        let list = group.isEmpty ? "" : "<key>keychain-access-groups</key><array><string>\(group)</string></array>"
        let plist = "<plist><dict><key>get-task-allow</key><true/>\(list)</dict></plist>"
        let own = "<plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>"
        let explainer = try Explainer(clientID: "", infoPlist: Array(own.utf8), now: .distantPast)
        let explanation = try explainer.explain(file: Array(plist.utf8))
        #expect(explanation.kind == .entitlements)
        let finding = try #require(explanation.findings.first)
        let words = expected.split(separator: " ")
        #expect(finding.verdict.rawValue == words[0] && finding.fact.contains(words[1]))
    }
}

@Suite("Diagrams of recordings")
struct EvidenceDiagramTests {
    private static func diagram(_ name: String) throws -> SequenceDiagram? {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Evidence")
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>"
        return try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: .distantPast)
            .explain(file: Array(Data(contentsOf: folder.appending(path: name)))).diagram
    }

    @Test("The requests of a recording, with the error")
    func recording() throws {
        let diagram = try #require(try Self.diagram("code_used_twice.har"))
        let token = diagram.arrows.filter { $0.text.hasPrefix("Token request") }
        #expect(token.count == 2 && token.allSatisfy { $0.to == .authority })
        #expect(diagram.arrows.last?.outcome == .rejected && diagram.arrows.last?.label.hasPrefix("400 ") == true)
        #expect(diagram.arrows.contains { ($0.from, $0.to, $0.label) == (.browser, .application, "code") })
    }

    @Test("The requests that MSAL Python logged, by line")
    func log() throws {
        let sentences = try #require(try Self.diagram("python_refresh_token.log")).sentences
        #expect(
            sentences == [
                "1. Application to Authority: Discovery (line 3): GET 127.0.0.1.",
                "2. Authority to Application: HTTP 200.",
                "3. Application to Authority: Token request (line 6): POST 127.0.0.1.",
                "4. Authority to Application: HTTP 400, invalid_grant. AADSTS70000.",
            ])
        #expect(try Self.diagram("python_name_not_resolved.log") == nil)
    }

    @Test("No secret is drawn", arguments: try EvidenceTests.recordings())
    func secrets(name: String) throws {
        guard let diagram = try Self.diagram(name) else { return }
        let text = SequenceDiagram.Format.allCases.map { diagram.text($0) }.joined() + "\(diagram)"
        for part in ["state=", "code=", "@contoso", "eyJ", "state-"] {
            #expect(!text.contains(part), "\(part)")
        }
    }
}
