import Foundation
import JSON
import OAuthCore
import Testing

@testable import Diagnosis

/// Evidence with requests and lines that don't belong to the sign-in: its cause stays the same.
@Suite("Additions that say nothing")
struct AdditionTests {
    private static func explain(_ text: String) throws -> Explanation {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        return try Explainer(
            clientID: "", infoPlist: Array(plist.utf8), now: Date(timeIntervalSince1970: 1_800_000_000)
        )
        .explain(file: Array(text.utf8))
    }

    private static let rejected =
        "INFO auth: sign-in at https://login.microsoftonline.com/common\nERROR auth: AADSTS50011: The redirect URI "
        + "doesn't match\nINFO a\nINFO b\n"
    private static let access = "10.0.0.3 - - [22/Nov/2026:11:13:40 +0000] \"GET /healthz HTTP/1.1\" 200 2\n"
    private static let telemetry = "ERROR otel: connect ECONNREFUSED 127.0.0.1:4318\n"

    @Test(
        "Lines of others",
        arguments: [
            ("start\none\ntwo\nThe required app scheme\n", access, "scheme-not-in-plist"),
            (rejected, telemetry, "AADSTS50011"),
            ("ERROR oauth: state mismatch\nINFO a\nINFO b\nINFO c\n", telemetry, "state-unknown"),
            (
                rejected,
                String(repeating: "INFO job: step done\n", count: 100) + "INFO ftp: Anna logged in successfully\n",
                "AADSTS50011"
            ),
            (
                rejected,
                access.replacing("/healthz", with: "/.well-known/appspecific/com.chrome.devtools.json").replacing(
                    " 200 ", with: " 404 "), "AADSTS50011"
            ),
            ("ERROR: Connection refused\na\n", "\n \n\n", "no-response"),
        ])
    func lines(text: String, addition: String, cause: String) throws {
        for text in [text, text + addition] {
            let explanation = try Self.explain(text)
            #expect(explanation.cause == cause)
            #expect(!explanation.findings.contains { $0.verdict == .passed })
        }
    }

    @Test("A refused connection is the cause if nothing else failed, or if the log names the proxy")
    func refused() throws {
        let text = "INFO GET https://id.example/token\n"
        #expect(try Self.explain(text + Self.telemetry).cause == "proxy-stopped")
        let proxied = text + "HTTPS_PROXY=http://127.0.0.1:4318\nERROR auth: AADSTS50011: x\n" + Self.telemetry
        #expect(try Self.explain(proxied).cause == "proxy-stopped")
    }

    @Test(
        "A page that a server lacks is no failure of a sign-in",
        arguments: ["/favicon.ico", "/.well-known/appspecific/a"])
    func lackingPage(path: String) throws {
        let line = Self.access.replacing("/healthz", with: path).replacing(" 200 ", with: " 404 ")
        for text in [line, "INFO oauth a\nINFO oauth b\nINFO oauth c\n" + line] {
            let explanation = try? Self.explain(text)
            #expect(explanation?.findings.allSatisfy { $0.verdict != .failed } ?? true)
        }
    }

    @Test("A title and a description aren't an error of Keyturn")
    func headline() {
        let explanation = try? Self.explain(#"{"headline":"Rain","description":"It rains."}"#)
        #expect(explanation?.summary.contains("Keyturn") != true)
    }

    // MARK: In recordings

    private static func recording(adding entries: [JSONValue], title: String = "a", file: String = "good") throws
        -> String
    {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Evidence/\(file).har")
        let own = try JSONValue(parsing: Array(Data(contentsOf: path)))["log"]?["entries"]?.array ?? []
        #expect(!own.isEmpty)
        return #"{"log":{"pages":[{"title":"\#(title)"}],"entries":\#(JSONValue.array(own + entries).serialized)}}"#
    }

    private static func entry(
        _ method: String, _ url: String, _ status: Int, at time: String = "2099-01-01T00:00:00.000Z",
        headers: [String: String] = [:], token: String? = nil, body: String = "", members: [String: JSONValue] = [:]
    ) -> JSONValue {
        let fields = headers.map { JSONValue.object(["name": .string($0), "value": .string($1)]) }
        let sent = token.map { JSONValue.object(["name": "Authorization", "value": .string("Bearer \($0)")]) }
        var entry: [String: JSONValue] = [
            "startedDateTime": .string(time),
            "request": ["method": .string(method), "url": .string(url), "headers": .array([sent].compactMap(\.self))],
            "response": [
                "status": JSONValue(status), "headers": .array(fields),
                "content": ["mimeType": "text/html", "text": .string(body)],
            ],
        ]
        entry.merge(members) { $1 }
        return .object(entry)
    }

    private static let calls = [
        entry("GET", "https://api.example/me", 401, headers: ["WWW-Authenticate": "Bearer"], token: "a"),
        entry("GET", "https://api.example/me", 200, at: "2099-01-01T00:00:01.000Z", token: "b"),
    ]

    @Test(
        "Requests of others",
        arguments: [
            [entry("GET", "https://github.example/settings/keys", 200, body: "<html>")],
            [entry("GET", "https://telemetry.example/v1/keys", 503)],
            [entry("GET", "https://a.example/.well-known/change-password", 302, headers: ["Location": "/password"])],
            [
                entry(
                    "GET", "http://localhost:3000/.well-known/appspecific/com.chrome.devtools.json", 404, body: "<html>"
                )
            ],
            [entry("OPTIONS", "https://telemetry.example/v2/track", 0, members: ["_resourceType": "preflight"])],
            (0..<40).map {
                entry(
                    "GET", "https://a.example/\($0).js", 200, headers: ["Date": "Mon, 09 Nov 2026 08:00:00 GMT"],
                    members: ["_fromCache": "disk"])
            },
            calls, calls.reversed(),
        ] as [[JSONValue]])
    func requests(entries: [JSONValue]) throws {
        for added in [[], entries] {
            let explanation = try Self.explain(Self.recording(adding: added))
            #expect(explanation.cause == nil && explanation.findings.map(\.verdict) == [.passed])
        }
    }

    @Test("A page's title, cached metadata, and times of no use")
    func members() throws {
        let cached = Self.entry(
            "GET", "https://id.example/.well-known/openid-configuration", 200,
            headers: ["Date": "Mon, 09 Nov 2026 08:00:00 GMT"], body: "{}", members: ["_fromCache": "memory"])
        let text = try Self.recording(adding: Array(repeating: cached, count: 40), title: "entries")
        let archive = try #require(HARFile(Array(text.utf8)))
        #expect(archive.exchanges.suffix(40).allSatisfy { $0.date == nil })
        #expect(try Self.explain(text).kind == .har && Self.explain(text).cause == nil)
        let late = Self.entry(
            "GET", "https://id.example/.well-known/openid-configuration", 200,
            headers: ["Date": "Mon, 09 Nov 2026 08:00:00 GMT"], body: "{}",
            members: ["timings": ["wait": .number(1e300)]])
        #expect(try Self.explain(Self.recording(adding: Array(repeating: late, count: 40))).kind == .har)
    }

    // MARK: In requests

    private static func signIn(_ number: Int, _ host: String, state: String) -> [Exchange] {
        var request = Exchange(number: number, method: "GET", url: "https://id.example/auth", status: 302)
        request.parameters = [
            "response_type": "code", "client_id": "c", "redirect_uri": "https://\(host)/cb", "state": state,
        ]
        var response = Exchange(number: number + 1, method: "GET", url: "https://\(host)/cb", status: 200)
        response.parameters = ["code": "code-\(state)", "state": state]
        return [request, response]
    }

    @Test(
        "A portal signs in to three applications, and one application starts again and again", arguments: [true, false])
    func rounds(isPortal: Bool) {
        let exchanges = (1...3).flatMap {
            Self.signIn(2 * $0, isPortal ? "app-\($0).example" : "app.example", state: "state-\($0)")
        }
        #expect(Evidence(exchanges).repeats == !isPortal)
    }

    @Test("A sign-in that starts after the response isn't one before it", arguments: [true, false])
    func state(isBefore: Bool) {
        var exchanges = Self.signIn(1, "app.example", state: "state-1")
        var other = Self.signIn(isBefore ? 2 : 3, "app.example", state: "other")[0]
        other.parameters["redirect_uri"] = "https://app.example/other"
        if isBefore { exchanges[1].number = 3 }
        exchanges.insert(other, at: isBefore ? 1 : 2)
        #expect((FlowCauses.stateChanged(Evidence(exchanges)).cause != nil) == isBefore)
    }

    @Test("A rejected token that another one replaced is no cause", arguments: [true, false])
    func replaced(isRepeated: Bool) {
        var call = Exchange(number: 1, method: "GET", url: "https://api.example/me", status: 401)
        let token = JWT.compact(header: ["alg": "RS256"], payload: ["aud": "c", "nonce": "n"]) { _ in [1] }
        call.requestHeaders.append("Authorization", "Bearer \(token)")
        let again = Exchange(number: 2, method: "GET", url: "https://api.example/me", status: 200)
        let causes = CauseRules.causes(of: Evidence(isRepeated ? [call, again] : [call]))
        #expect(causes.contains { $0.id == "id-token-sent" } == !isRepeated)
    }

    @Test("A preflight counts for a request of the sign-in", arguments: ["/token", "/oauth/exchange", "/track"])
    func preflight(path: String) {
        var preflight = Exchange(number: 1, method: "OPTIONS", url: "https://id.example\(path)", status: 405)
        preflight.isPreflight = true
        var request = Exchange(number: 2, method: "POST", url: preflight.url, status: 200, body: "{}")
        if path != "/track" { request.parameters["grant_type"] = "authorization_code" }
        let causes = CauseRules.causes(of: Evidence([preflight, request]))
        #expect(causes.contains { $0.id == "cross-origin" } == (path != "/track"))
    }

    // MARK: By its form

    @Test("A log level in settings is no error, and the line of a log no settings", arguments: ["Warning", "Error"])
    func settings(level: String) throws {
        let text = #"{"AzureAd":{"Instance":"https://login.microsoftonline.com/","TenantId":"common","ClientId":"c"},"#
        #expect(try Self.explain(text + #""LogLevel":{"Default":"\#(level)"}}"#).kind == .configuration)
        #expect(try Self.explain(text + #""response":{"error":"invalid_grant"}}"#).kind != .configuration)
    }

    @Test(
        "A form and a line of JSON are no authorization response",
        arguments: [
            "grant_type=authorization_code&client_id=c&code=a&redirect_uri=https%3A%2F%2Fa.example%2Fcb",
            #"{"url":"https://a.example/cb?code=x","error":"invalid_grant"}"#,
        ])
    func forms(text: String) throws { #expect(try Self.explain(text).kind != .authorizationResponse) }

    @Test("An error below steps in Markdown")
    func report() throws {
        let steps = "# Sign-in fails\n\n" + String(repeating: "- a step of what Bo did in the portal\n", count: 14)
        #expect(try Self.explain(steps).summary.contains("documentation"))
        #expect(try Self.explain(steps + "AADSTS50011: The redirect URI doesn't match.\n").cause == "AADSTS50011")
    }

    @Test("Mails with CRLF, also with a boundary below their last line")
    func mails() {
        func decoded(_ text: String) -> String {
            String(decoding: TransferForm.decoded(Array(text.utf8)), as: UTF8.self)
        }
        let header = "Content-Transfer-Encoding: "
        #expect(
            decoded(header + "quoted-printable\r\n\r\nAADSTS65=\r\n001=3D\r\n").contains("\r\n\r\nAADSTS65001=\r\n"))
        #expect(decoded(header + "base64\r\n\r\nQUFEU1RTNjUwMDE6IHg=\r\n--a--\r\n").contains("AADSTS65001: x"))
    }

    @Test(
        "A quoted mail about requests",
        arguments: [
            ("> Hi\n> 10.0.0.3 \"GET /a HTTP/1.1\" 200\n", true),
            ("> GET /a HTTP/1.1\n> HTTP/1.1 400 Bad Request\n", true),
            ("> GET /a HTTP/1.1\n> Host: a.example\n", false),
        ])
    func quotes(text: String, isMail: Bool) {
        let decoded = String(decoding: TransferForm.decoded(Array(text.utf8)), as: UTF8.self)
        #expect(decoded == (isMail ? text.replacing(">", with: "") : text))
    }

    @Test("A frame without a right side, whose lines end where they are written")
    func frame() {
        let text = "│  INFO loaded\n│  ERROR the token\n│  a line that is the longest one of all\n"
        let decoded = String(decoding: TransferForm.decoded(Array(text.utf8)), as: UTF8.self)
        #expect(decoded == text.replacing("│  ", with: ""))
    }
}
