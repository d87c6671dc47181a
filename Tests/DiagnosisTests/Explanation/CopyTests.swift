import Foundation
import Testing

@testable import Diagnosis

/// What a copy of a text keeps, and that it keeps nothing else, wherever it stands.
@Suite("Copies of texts")
struct CopyTests {
    private static func copy(_ text: String) -> String { Redaction(lines: Array(text.utf8)).text }

    @Test(
        "A line keeps times, levels, loggers, threads, requests, statuses, codes and the IDs of requests",
        arguments: [
            (
                "DEBUG:urllib3.connectionpool:https://login.microsoftonline.com:443 \"POST /common/oauth2/v2.0/token HTTP/1.1\" 400 485",
                "DEBUG:urllib3.connectionpool:https://login.microsoftonline.com:443 \"POST /common/oauth2/v2.0/token HTTP/1.1\" 400 …"
            ),
            (
                "DEBUG: msal.telemetry: Generate correlation_id: 6f1c2b7e-0000-4000-8000-0000000000a1",
                "DEBUG: msal.telemetry: … correlation_id: 6f1c2b7e-0000-4000-8000-0000000000a1"
            ),
            (
                "TID=4711 (main thread) MSAL 2.4.1 iOS 18.2 [2026-03-01 10:00:00 - 6F1C2B7E-0000-4000-8000-0000000000A1] [MSAL] Zoe",
                "TID=4711 (main thread) MSAL 2.4.1 iOS 18.2 [2026-03-01 10:00:00 - 6F1C2B7E-0000-4000-8000-0000000000A1] [MSAL] …"
            ),
            (
                "[Sun, 01 Mar 2026 10:00:00 GMT] : [6f1c2b7e-0000-4000-8000-0000000000a1] : @azure/msal-browser@3.2.0 : Info - Zoe",
                "[Sun, 01 Mar 2026 10:00:00 GMT] : [6f1c2b7e-0000-4000-8000-0000000000a1] : @azure/msal-browser@3.2.0 : Info - …"
            ),
            ("E1124 09:12:44.118273       1 oidc.go:335] Zoe", "E1124 09:12:44.118273       …:…] …"),
            ("2026-02-26 08:11:40.902 Desk[612:20113] Zoe", "2026-02-26 08:11:40.902 …[612:20113] …"),
            (
                "AADSTS50011: Zoe. Trace ID: 5908900d-1324-4616-93a3-3f4db92a9c27 Timestamp: 2026-11-22 12:30:42Z",
                "AADSTS50011: …. Trace ID: 5908900d-1324-4616-93a3-3f4db92a9c27 Timestamp: 2026-11-22 12:30:42Z"
            ),
            (
                "10.0.0.7 - zoe [01/Mar/2026:10:00:00 +0000] \"GET /.well-known/openid-configuration HTTP/1.1\" 404 12",
                "198.51.100.1 - … [01/Mar/2026:10:00:00 +0000] \"GET /.well-known/openid-configuration HTTP/1.1\" 404 …"
            ),
            ("connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 127.0.0.1:5432"),
            ("{'error': 'access_denied', 'state': 'zoe'}", "{'error': 'access_denied', 'state': 'state-1'}"),
            (
                "grant_type=authorization_code&code=zoe&Zoe=1&redirect_uri=http%3A%2F%2Flocalhost%3A1%2F",
                "grant_type=authorization_code&code=code-1&name-1=value-1&redirect_uri=http%3A%2F%2Flocalhost%3A1%2F"
            ),
            (
                "Set-Cookie: zoe=1; path=/signin-oidc; samesite=none; httponly",
                "Set-Cookie: cookie-1=value-1; path=/signin-oidc; samesite=none; httponly"
            ),
            (
                "httpcore.http11 [(b'Date', b'Mon, 23 Nov 2026 11:44:08 GMT')]",
                "httpcore.http11 [(b'Date', b'Mon, 23 Nov 2026 11:44:08 GMT')]"
            ),
            ("born 1990-01-02, call 0170 1234567", "…, … … …"),
            ("INFO OTP [483920] sent, {\"phones\":[4915112345]}", "INFO … […] sent, {\"name-1\":[…]}"),
            ("Host: idp.example:443 otp 48392", "Host: host-1.invalid:443"), ("token\rmissing", "token missing"),
        ])
    func lines(line: String, expected: String) {
        let gaps = #/…(?: …)+/#
        #expect(Self.copy(line).replacing(gaps, with: "…") == expected.replacing(gaps, with: "…"))
    }

    @Test("Markup and configurations keep their structure, and the forms of their values")
    func structure() {
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict>
            \t<key>CFBundleIdentifier</key>
            \t<string>com.contoso.zoe</string>
            \t<key>ZoesKey</key>
            \t<string>msauth.com.contoso.zoe</string>
            \t<array><string>msauthv2</string><string>$(AppIdentifierPrefix)com.microsoft.adalcache</string></array>
            </dict>
            </plist>
            """
        #expect(
            Self.copy(plist)
                == plist.replacing("com.contoso.zoe", with: "com.example.bundle-1").replacing("ZoesKey", with: "name-1")
        )
        let settings =
            #"{"AzureAd": {"Instance": "https://login.micorosftonline.com/", "Zoe": 7, "ClientId": "6f9d0c51-aaaa-4b1e-8f0e-000000000025"}}"#
        #expect(
            Self.copy(settings)
                == #"{"AzureAd": {"Instance": "https://login.micorosftonline.com/", "name-1": "number-1", "ClientId": "00000000-0000-0000-0000-000000000001"}}"#
        )
        let manifest =
            #"<data android:scheme="msauth" android:host="com.contoso.zoe" android:path="/Zm9vYmFyYmF6cXV4cXV1eGNvcmc=" />"#
        #expect(
            Self.copy(manifest).hasPrefix(
                #"<data android:scheme="msauth" android:host="com.example.bundle-1" android:path="/"#))
        #expect(
            Self.copy(
                "users:\n- name: zoe\n  user:\n    exec:\n      apiVersion: client.authentication.k8s.io/v1alpha1\n      command: aws"
            )
                == "users:\n- name: value-1\n  user:\n    exec:\n      apiVersion: client.authentication.k8s.io/v1alpha1\n      command: aws"
        )
    }

    @Test(
        "After the name of a secret or a user the whole value goes, also if it consists of known words",
        arguments: [
            ("password: token request failed", "password: password-1"),
            ("client_secret: 2026-01-01", "client_secret: client_secret-1"),
            ("client_secret: 2026-01-01 10:00:00", "client_secret: client_secret-1"),
            ("> Authorization: Basic error", "> Authorization: Basic authorization-1"),
            ("got header Authorization: Bearer token request", "got header Authorization: Bearer authorization-1"),
            ("AZURE_CLIENT_SECRET=error", "…=secret-1"),
            ("az login --password error --tenant common", "az login … secret-1 … common"),
            (
                "{\"clientSecret\": \"token request failed\", \"error\": \"invalid_grant\"}",
                "{\"name-1\": \"secret-1\", \"error\": \"invalid_grant\"}"
            ),
            (
                "{\"password\": 2026, \"error\": \"invalid_grant\"}",
                "{\"password\": \"password-1\", \"error\": \"invalid_grant\"}"
            ),
            ("password=error! level=error", "password=password-1 level=error"),
            ("password=error==", "password=password-1"),
            ("secret: error, error: invalid_grant", "secret: secret-1, error: invalid_grant"),
            ("(secret: error) failed", "(secret: secret-1) failed"),
            ("<password>error</password>", "<…>password-1<…>"),
            ("client_secret=error&grant_type=refresh_token", "client_secret=client_secret-1&grant_type=refresh_token"),
            ("<add key=\"ClientSecret\" value=\"error token\"/>", "<… key=\"value-1\" value=\"secret-1\"/>"),
            ("{\"client_secret\": [\"error\", \"token\"]}", "{\"client_secret\": [\"client_secret-1\"]}"),
            ("curl -u client:error https://localhost/", "… value-1 https://localhost/"),
            ("docker login -p error", "… login … password-1"),
            ("refresh_token: null", "refresh_token: null"),
            ("user: Mark Error", "user: value-1"), ("\\nname: token request", "\\nname: value-1"),
            ("failed\\nuser: Token Server", "failed\\nuser: value-1"), ("grpc.code=Unknown", "….code=code-1"),
            ("user=Mark Error failed", "user=value-1 failed"),
            ("the value Zoe! and Zoe== failed", "the value … and … failed"),
            (
                "the application 'Client' and the one named 'Token Server'",
                "the application 'value-1' and the one named 'value-2'"
            ),
            ("the user (Mark Error) and (main thread)", "the user (value-1) and (main thread)"),
            ("application 'client'", "application 'value-1'"),
            ("{\"title\": \"Client Token\"}", "{\"name-1\": \"value-1\"}"),
        ])
    func privateValues(line: String, expected: String) {
        let gaps = #/…(?: …)+/#
        #expect(Self.copy(line).replacing(gaps, with: "…") == expected.replacing(gaps, with: "…"))
    }

    @Test("A challenge keeps its structure, and what its parameters say")
    func challenge() {
        let claims = Data(#"{"access_token":{"xms_rp_ipaddr":{"essential":true,"value":"203.0.113.7"}}}"#.utf8)
            .base64EncodedString()
        let line =
            "< WWW-Authenticate: Bearer realm=\"zoe\", scope=\"User.Read zoe.Read\", error=\"invalid_token\", "
            + "error_description=\"The token isn't valid\", claims=\"\(claims)\""
        let copy = Self.copy(line)
        #expect(copy.hasPrefix("< WWW-Authenticate: Bearer realm=\"value-1\", scope=\"User.Read scope-1\""), "\(copy)")
        #expect(copy.contains("error_description=\"The token isn't"), "\(copy)")
        let shown = copy.firstMatch(of: #/claims="([^"]*)"/#).flatMap { Data(base64Encoded: String($0.1)) }
        let json = shown.map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(json.contains("xms_rp_ipaddr") && json.contains("essential") && !json.contains("203.0"), "\(json)")
        let inJSON = Self.copy(#"{"WWW-Authenticate": "Bearer error=\"invalid_token\""}"#)
        #expect(inJSON == #"{"WWW-Authenticate": "Bearer error=\"invalid_token\""}"#)
    }

    @Test("A GUID that is a secret isn't kept as the ID of a request, wherever it stands")
    func secretIdentifier() {
        let id = "6f1c2b7e-0000-4000-8000-0000000000a1"
        for text in [
            "client_secret=\(id)\ncorrelation_id: \(id)", "correlation_id: \(id)\n\"ClientSecret\": \"\(id)\"",
        ] {
            #expect(!Self.copy(text).contains("6f1c2b7e"))
        }
        #expect(Self.copy("correlation_id: \(id)").contains(id))
    }

    // MARK: Planted values

    /// A value of each kind, and the parts of it that must not survive.
    private static let plants: [(value: String, marks: [String])] = [
        ("Xylophonia Qvist", ["xylophonia", "qvist"]),
        ("xylo.qvist@planted.example", ["xylo", "qvist", "planted"]),
        ("vpn7.planted.example", ["vpn7", "planted"]),
        ("6f9d0c51-abcd-4b1e-8f0e-0000000abcde", ["6f9d0c51", "0000000abcde"]),
        ("eyJhbGciOiJub25lIn0.eyJzdWIiOiJxdmlzdCJ9.c2ln", ["eyj", "c2ln"]),
        ("gho_16C7e42F292c6912E7710c838347Ae178B4a", ["gho_", "292c69"]),
        ("Hunter2!qvist#9&x=1;y", ["hunter2", "qvist"]),
        ("/home/qvist/.azure/planted.json", ["qvist", "planted"]),
        (#"C:\Users\qvist\planted.txt"#, ["qvist", "planted"]),
        ("203.0.113.77", ["203.0", "113.77"]),
        ("2001:db8:7a3f::beef", ["7a3f", "beef"]),
        ("CONTOSO\\qvist", ["qvist", "contoso"]),
    ]

    /// A text of each form.
    private static let forms = [
        "DEBUG:urllib3.connectionpool:https://login.microsoftonline.com:443 \"POST /common/oauth2/v2.0/token HTTP/1.1\" 400 485",
        "cli.azure.cli.core.auth.identity: A web browser has been opened at https://login.microsoftonline.com/organizations/oauth2/v2.0/authorize. Please continue",
        "TID=4711 (main thread) MSAL 2.4.1 iOS 18.2 [2026-03-01 10:00:00 - (null)] [MSAL] Interactive flow finished. Result (null), error: -51420 error domain: MSIDOAuthErrorDomain",
        "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALErrorDescriptionKey=application did not receive response from broker., MSALInternalErrorCodeKey=-42700}",
        "False MSAL 4.66.1.0 MSAL.NetCore .NET 8.0.1 Windows 11 [2026-03-01 10:00:00Z] === Token Acquisition started",
        "[Sun, 01 Mar 2026 10:00:00 GMT] : [] : @azure/msal-browser@3.2.0 : Info - Emitting event: msal:initializeStart",
        "I/CommandDispatcher: [2026-03-01 10:00:00 - thread_id: 26, correlation_id: UNSET - ] Executing with status 400",
        "E1124 09:12:44.118273 1 oidc.go:335] oidc authenticator: initializing plugin: Get \"https://gitlab.a.example/x\": x509: signed",
        "send: b'POST /oauth2/token HTTP/1.1\\r\\nHost: localhost:9400\\r\\nUser-Agent: a\\r\\n\\r\\ngrant_type=authorization_code&code=a'",
        "{'grant_type': 'authorization_code', 'client_id': 'a', 'code': 'b', 'other': 'c', 'redirect_uri': 'http://localhost:5000/'}",
        "{\"error\":\"invalid_grant\",\"error_description\":\"AADSTS50011: words\",\"error_codes\":[50011],\"trace_id\":\"x\",\"other\":{\"a\":1}}",
        "{\"level\":\"error\",\"msg\":\"token rejected\",\"time\":\"x\",\"user\":\"y\",\"status\":401,\"list\":[\"a\",\"b\"]}",
        "time=\"2026-03-01T10:00:00Z\" level=error msg=\"failed to login\" error=\"oidc: x\" user=y host=z",
        "> POST /token HTTP/1.1\n> Host: a.example\n> Authorization: Bearer x\n> Cookie: a=b; c=d\n< HTTP/1.1 302 Found\n< Location: https://a.example/?code=x\n< Set-Cookie: a=b; path=/x; domain=y; expires=z\n< X-Other: y",
        "10.0.0.1 - bob [01/Mar/2026:10:00:00 +0000] \"GET /cb?code=a&state=b&other=c HTTP/1.1\" 200 12 \"https://a.example/\" \"Agent\"",
        "http://localhost:8400/?error=access_denied&error_description=words&state=x&other=y#fragment=z",
        "AADSTS50011: The redirect URI 'https://a.example/cb' specified in the request does not match. Timestamp: 2026-11-22 12:30:42Z",
        "  File \"/opt/az/lib/cli.py\", line 233, in invoke\n    at Object.x (/srv/app/index.js:10:5)\n   at A.B.C(String x) in C:\\src\\a.cs:line 12",
        "{\n  \"AzureAd\": {\n    \"Instance\": \"https://login.microsoftonline.com/\",\n    \"TenantId\": \"a\",\n    \"ClientSecret\": \"b\",\n    \"Scopes\": \"c d\",\n    \"Other\": \"e\"\n  }\n}",
        "{ \"client_id\" : \"a\", \"redirect_uri\" : \"msauth://com.a.b/hash%3D\", \"authorities\" : [ { \"type\": \"AAD\", \"audience\": { \"tenant_id\": \"x\" } } ] }",
        "apiVersion: v1\nclusters:\n- name: a\n  cluster:\n    server: https://a.example\n    certificate-authority-data: x\nusers:\n- name: b\n  user: {exec: {command: aws, args: [\"eks\", \"--cluster-name\", \"a\"]}}\ncurrent-context: c",
        "<plist version=\"1.0\">\n<dict>\n<key>CFBundleIdentifier</key>\n<string>com.a.b</string>\n<key>Other</key> <string>x</string>\n<array> <string>msauth.com.a.b</string> </array>\n<!-- y -->\n</dict>\n</plist>",
        "<manifest package=\"com.a.b\"> <activity android:name=\"x\"> <data android:scheme=\"msauth\" android:host=\"com.a.b\" android:path=\"/hash=\" /> </activity> </manifest>",
        "<samlp:Response ID=\"_a\" Destination=\"https://a.example/acs\" InResponseTo=\"_b\"> <saml:Issuer>https://a.example/</saml:Issuer> <saml:NameID Format=\"urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress\">bob</saml:NameID> <saml:Attribute Name=\"mail\"> <saml:AttributeValue>x</saml:AttributeValue> </saml:Attribute> </samlp:Response>",
        "$ az login --username a --password b\nexport AZURE_CLIENT_SECRET=c; curl -u d:e -H \"Authorization: Bearer f\" https://a.example/x?y=z",
    ]

    /// The form with a value instead of each word, after each word and in each pair of quotation marks.
    private static func planted(_ value: String, in form: String) -> [String] {
        form.matches(of: #/[^\s"'<>=&,;{}\[\]()]+/#).flatMap { match -> [String] in
            let (before, word, after) = (
                form[..<match.range.lowerBound], form[match.range], form[match.range.upperBound...]
            )
            return [
                "\(before)\(value)\(after)", "\(before)\(word) \(value)\(after)", "\(before)\(word)=\(value)\(after)",
                "\(before)\(word)/\(value)\(after)",
            ]
        }
    }

    @Test("No planted value survives in any place of any form", arguments: forms.indices)
    func planted(index: Int) {
        for (number, (value, marks)) in Self.plants.enumerated() {
            // The ID of a request stays.
            let isRequestID = #/(?i)(?:correlation|trace)[_ ]id\W{1,4}6f9d|00:00 - 6f9d[-\w]+[\])]/#
            // A place has four texts. Each of them gets other values.
            let texts = Self.planted(value, in: Self.forms[index]).enumerated()
            for (place, text) in texts where Share.takes(place + number) && !text.contains(isRequestID) {
                let copy = Self.copy(text).lowercased()
                for mark in marks where copy.contains(mark) { Issue.record("\(mark) survived: \(copy)\nof \(text)") }
            }
        }
    }

    // MARK: Causes

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func evidence() throws -> [URL] {
        try ["Evidence", "Cases"].flatMap { name in
            try FileManager.default.contentsOfDirectory(
                at: folder.appending(path: name), includingPropertiesForKeys: nil)
        }.filter { !$0.lastPathComponent.hasSuffix(".case.json") }
    }

    private static func explainer() throws -> Explainer {
        try Explainer(
            clientID: "",
            infoPlist: Array("<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>".utf8),
            now: Date(timeIntervalSince1970: 1_800_000_000))
    }

    @Test("At most two copies in a hundred show another cause, and these say so")
    func causes() throws {
        let explainer = try Self.explainer()
        let copies = try Self.evidence().compactMap { file -> (name: String, copy: Redaction)? in
            let examined = try? explainer.examine(file: Array(Data(contentsOf: file)), copies: true)
            return examined?.copy.map { (file.lastPathComponent, $0) }
        }
        let lost = copies.filter { $0.copy.loss != nil }.map(\.name)
        #expect(copies.count > 80 && lost.count * 50 <= copies.count, "\(lost)")
    }

    @Test("A copy that shows another cause says what was lost")
    func loss() throws {
        let explainer = try Self.explainer()
        let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ6b2UifQ."
        let loss = try #require(try explainer.examine(file: Array(token.utf8), copies: true).copy?.loss)
        #expect(loss.copy == nil && loss.sentence.hasSuffix("The copy isn't recognised."))
        #expect(try explainer.examine(file: Array("AADSTS50011 zoe".utf8), copies: true).copy?.loss == nil)
    }

    @Test("The user hides a text at all its places, in capitals and small letters, and as a URL writes it")
    func hidden() throws {
        let text =
            "Trace ID: 5908900d-1324-4616-93a3-3f4db92a9c27 at https://login.microsoftonline.com/?scope=openid+email"
        let copy = Redaction(lines: Array(text.utf8), hiding: ["5908900D", "openid email", "Microsoft"])
        #expect(
            copy.text == "Trace ID: …-1324-4616-93a3-3f4db92a9c27 at https://login.…online.com/?scope=…", "\(copy.text)"
        )
        #expect(copy.receipt.leftOut == Redaction(lines: Array(text.utf8)).receipt.leftOut + 3)
        let har =
            #"{"log":{"entries":[{"request":{"method":"GET","url":"https://login.microsoftonline.com/authorize?scope=openid+email"},"response":{"status":400,"headers":[],"content":{"text":"{\"error\":\"invalid_scope\"}"}}}]}}"#
        let recording = try #require(HARFile(Array(har.utf8)))
        let other = Redaction(recording, hiding: ["OpenID Email", "invalid_scope"]).text
        #expect(!other.contains("openid") && !other.contains("invalid_scope") && other.contains("microsoftonline"))
        #expect(HARFile(Array(other.utf8))?.exchanges.count == 1)
    }

    @Test("Beside the copy, the original shows names and hosts, but nothing that may be secret")
    func beside() throws {
        let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ6b2UifQ."
        let lines = [
            "user: zoe failed at https://vpn.zoe.example/x?code=M.C5_BAY.2.U.secret-code-1 with AADSTS50011",
            "password: hunter2-of-zoe", "sent \(token) and client_secret=3f~8Q~planted-0123456789abcdef",
            "bare 8Qplanted0123456789abcdefABCDEF0123456789xyz", "zoe@contoso.example gave up",
        ]
        let review = CopyReview(of: Array(lines.joined(separator: "\n").utf8)).lines
        #expect(review.count == lines.count)
        let originals = review.map(\.original).joined(separator: "\n")
        for secret in ["secret-code-1", "hunter2", token, "planted"] {
            #expect(!originals.contains(secret), "\(originals)")
        }
        #expect(originals.contains("vpn.zoe.example") && originals.contains("zoe@contoso.example"), "\(originals)")
        #expect(originals.contains("user: zoe"), "\(originals)")
        for name in ["zoe", "planted", "hunter2"] { #expect(!review.contains { $0.copy.contains(name) }) }
    }

    @Test("A recording's review has a line for each request, parameter and body, and masks its secrets on both sides")
    func recording() throws {
        let har =
            #"{"log":{"entries":[{"request":{"method":"POST","url":"https://id.zoe.example/token","postData":{"mimeType":"application/x-www-form-urlencoded","text":"grant_type=refresh_token&refresh_token=0.planted-secret&client_id=zoes-app"}},"response":{"status":400,"content":{"text":"{\"error\":\"invalid_grant\"}"}}}]}}"#
        let lines = CopyReview(of: Array(har.utf8)).lines
        #expect(lines.map(\.original).first == "POST https://id.zoe.example/token 400", "\(lines)")
        #expect(lines.count == 5 && lines.contains { $0.original == "  client_id=zoes-app" && $0.original != $0.copy })
        #expect(!lines.contains { "\($0)".contains("planted") })
    }
}
