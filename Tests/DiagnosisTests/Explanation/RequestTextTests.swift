import Testing

@testable import Diagnosis

/// The forms in which programs write requests and responses.
@Suite("Requests in a text")
struct RequestTextTests {
    private static func exchanges(_ text: String) -> [Exchange] { RequestText(Array(text.utf8)).exchanges }

    @Test(
        "A token request and its rejection",
        arguments: [
            """
            POST /token HTTP/1.1
            Host: idp.example
            Content-Type: application/x-www-form-urlencoded

            grant_type=refresh_token&refresh_token=a
            HTTP/1.1 400 Bad Request
            Content-Type: application/json

            {"error":"invalid_grant"}
            """,
            """
            > POST /token HTTP/2
            > Host: idp.example
            >
            * upload completely sent off
            < HTTP/2 400
            < content-type: application/json
            <
            {
              "error": "invalid_grant"
            }
            """,
            #"""
            send: b'POST /token HTTP/1.1\r\nHost: idp.example\r\n\r\n'
            send: b'grant_type=refresh_token&refresh_token=a'
            reply: 'HTTP/1.1 400 Bad Request\r\n'
            header: Content-Type: application/json
            urllib3.connectionpool https://idp.example:443 "POST /token HTTP/1.1" 400 52
            client: {"error": "invalid_grant"}
            """#,
            """
            12:00 refreshing with grant_type=refresh_token&refresh_token=a
            12:00 https://idp.example:443 "POST /token HTTP/1.1" 400 52
            12:00 {'error': 'invalid_grant', 'hint': None}
            """,
            """
            Requesting https://idp.example/token, data {'grant_type': 'refresh_token', 'refresh_token': 'a'}
            INFO HTTP Request: POST https://idp.example/token "HTTP/1.1 400 Bad Request"
            ERROR {"error": "invalid_grant"}
            """,
            """
            grant_type=refresh_token&refresh_token=a
            Sending network request: <NSMutableURLRequest: 0x1> { URL: https://idp.example/token }, headers: {
                Accept = "application/json";
            }
            Received network response: <NSHTTPURLResponse: 0x2> { URL: https://idp.example/token } { Status Code: 400 }
            {"error":"invalid_grant"}
            """,
            """
            Prepared token request body grant_type=refresh_token&refresh_token=a
            Request to refresh token completed with status 400.
            Request body was grant_type=refresh_token&refresh_token=a
            Response headers were {'Date': 'Mon, 23 Nov 2026 11:40:43 GMT'} and content {"error": "invalid_grant"}.
            """,
        ])
    func tokenRequest(text: String) throws {
        for text in [text, text.replacing("\n", with: "\r\n")] {
            let exchanges = Self.exchanges(text)
            let exchange = try #require(exchanges.first)
            #expect(exchanges.count == 1, "\(exchanges)")
            #expect(exchange.ownRole == .token && exchange.status == 400)
            #expect(exchange.rejection?.error == "invalid_grant")
            #expect(exchange.parameters["refresh_token"] == (text.contains("refresh_token") ? "a" : nil))
            #expect(exchange.host == (text.contains("idp.example") ? "idp.example" : ""))
        }
    }

    @Test("Each request is listed once, although the program, the browser and the server log it")
    func once() {
        let request = "/authorize?response_type=code&client_id=native&redirect_uri=http%3A%2F%2Flocalhost%2Fcb&state=s"
        let text = """
            Open https://idp.example\(request) in a browser
            127.0.0.1 - - [23/Nov/2026 11:44:08] "GET \(request) HTTP/1.1" 302 -
            127.0.0.1 - - [23/Nov/2026 11:44:09] "GET /cb?code=c&state=s HTTP/1.1" 200 -
            Response: http://localhost/cb?code=c&state=s
            """
        let evidence = Evidence(LogFile(Array(text.utf8)), Self.exchanges(text))
        #expect(evidence.steps.map(\.role) == [.authorize, .response])
        #expect(evidence.steps.map(\.exchange.status) == [302, 200])
        #expect(evidence.steps.map(\.exchange.url).allSatisfy { $0.contains("://") })
    }

    @Test(
        "A form is the pairs around its grant type, joined by & or blanks",
        arguments: [
            ("a: grant_type=x&code=y z", "grant_type=x&code=y"), ("b=c&grant_type=x", "b=c&grant_type=x"),
            ("\"https://a.example/token?grant_type=x&c=d\" e", "grant_type=x&c=d"),
            ("12:00 b=c grant_type=x d=e f", "b=c&grant_type=x&d=e"),
            ("'grant_type=x' 1=2", "grant_type=x"), ("grant_type= a=b", nil), ("a grant_type", nil),
        ] as [(String, String?)])
    func form(line: String, pairs: String?) { #expect(RequestText.pairs(in: line) == pairs) }

    @Test("The same form again after a response is another request")
    func repeated() {
        let request = "grant_type=authorization_code&code=c\nThe token request completed with status "
        let exchanges = Self.exchanges(request + "200\n" + request + "400\n")
        #expect(exchanges.map(\.status) == [200, 400] && exchanges.map(\.number) == [1, 3])
        #expect(GrantCauses.codeUsedTwice(Evidence(exchanges)).cause?.positions == [1, 3])
    }

    @Test(
        "Requests at the same time are told apart by the tags of their lines, also with arrows", arguments: ["", "--"])
    func tags(arrow: String) {
        let text = """
            [6a30] \(arrow)> POST https://idp.example/token/
            [6a30] > grant_type=refresh_token client_id=native refresh_token=<sha256:65b5>
            [8af2] \(arrow)> POST https://idp.example/token/
            [8af2] > grant_type=refresh_token client_id=native refresh_token=<sha256:65b5>
            [6a30] <\(arrow) 200 OK (31 ms)
            [8af2] <\(arrow) 400 Bad Request (33 ms)
            refresh failed: HTTP 400 {"error": "invalid_grant"}
            """
        let exchanges = Self.exchanges(text)
        #expect(exchanges.map(\.status) == [200, 400] && exchanges.map(\.number) == [1, 3])
        #expect(exchanges.map { $0.rejection?.error } == [nil, "invalid_grant"])
        let cause = CauseRules.causes(of: Evidence(exchanges)).first
        #expect(cause?.subject == "Refresh token" && cause?.positions == [1, 3])
    }

    @Test("A text without the response proves no refused connection")
    func withoutResponse() throws {
        let text = """
            https://idp.example/authorize?response_type=code&client_id=a&redirect_uri=http%3A%2F%2Flocalhost%2Fcb&state=s
            http://localhost/cb?code=c&state=s
            """
        let evidence = Evidence(LogFile(Array(text.utf8)), Self.exchanges(text))
        #expect(evidence.steps.count == 2 && CauseRules.causes(of: evidence).isEmpty)
    }

    @Test("A status or an error isn't that of a URL alone")
    func urlAlone() {
        let text = """
            Result from authorization session: msauth.a.b://auth?code=c&state=s
            The request failed with status code: 401, {"error":"invalid_client"}
            """
        #expect(Self.exchanges(text).map(\.status) == [0] && Self.exchanges(text).first?.rejection == nil)
    }

    @Test("A log can fail after the tokens, for example because of the clock")
    func failureAfterTokens() throws {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        let explainer = try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: .distantPast)
        let tokens = """
            2026-11-23 11:28:43 grant_type=authorization_code&code=c
            2026-11-23 11:28:43 "POST https://idp.example/token HTTP/1.1" 200
            {"access_token":"a"}
            """
        let good = try explainer.explain(file: Array(tokens.utf8)).findings
        #expect(good.map(\.verdict) == [.passed])
        let late = tokens.replacing("200\n", with: "200 date: Mon, 23 Nov 2026 11:40:43 GMT\n")
        let findings = try explainer.explain(file: Array(late.utf8)).findings
        #expect(findings.map(\.subject) == ["Clock"] && findings.first?.verdict == .failed)
    }

    @Test("The redirect URI that was sent stands beside the page's error")
    func sentRedirectURI() throws {
        let text = """
            Error: invalid_request. Mismatching redirect URI.
            https://idp.example/authorize?response_type=code&client_id=a&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb&state=s
            """
        let evidence = Evidence(LogFile(Array(text.utf8)), Self.exchanges(text))
        let cause = try #require(CauseRules.causes(of: evidence).first)
        #expect(cause.subject == "Redirect URI" && "\(cause.facts)".contains("http://127.0.0.1/cb"))
    }

    @Test("The token that a program logs before its request belongs to it")
    func token() throws {
        let text = """
            session Authorization: Bearer eyJhbGciOiJub25lIn0.eyJub25jZSI6ImEifQ.
            "GET /projects HTTP/1.1" 401 26
            "GET /projects HTTP/1.1" 401 26
            """
        let exchanges = Self.exchanges(text)
        #expect(exchanges.map { $0.requestHeaders["Authorization"] != nil } == [true, false])
        let rule = try #require(TokenCauses.all.first { $0.id == "id-token-sent" })
        #expect(rule(Evidence(exchanges)).cause?.positions == [2])
    }

    @Test("A token belongs to the response below it, also without the request")
    func tokenAboveResponse() {
        let text = """
            eyJhbGciOiJub25lIn0.eyJub25jZSI6ImEifQ.
            $ curl -si https://api.example/stock -H "Authorization: Bearer $T"
            HTTP/1.1 401 Unauthorized
            WWW-Authenticate: Bearer error="invalid_token"

            {"status":401}
            """
        let evidence = Evidence(LogFile(Array(text.utf8)), Self.exchanges(text))
        let found = Explanation(responses: evidence)
        #expect(found.findings.first?.subject == "ID token")
        #expect(!found.sections.flatMap(\.rows).contains { $0.value.isEmpty })
    }

    @Test("A body ends with its JSON, and a line that can't be a body isn't one")
    func bodies() {
        let text = "HTTP/1.1 400\n\n{\"error\":\n\"a\"}\nHTTP/1.1 503\n\nRetrying\n{\"error\":\"b\"}"
        #expect(Self.exchanges(text).map { $0.rejection?.error } == ["a", "b"])
        #expect(Self.exchanges(text).map(\.status) == [400, 503])
    }

    @Test(
        "The local time of a log differs from the server's by the time zone and the clock",
        arguments: [
            ("2026-11-23 11:40:43,101", nil), ("2026-11-23 17:10:43,101", nil),
            ("2026-11-23 13:28:43,101", "12 min behind"), ("2026-11-23T11:52:43Z", "12 min ahead of"),
            ("2026-11-23T12:40:43+01:00", nil), ("2026-11-21 11:40:43", "2880 min behind"),
        ])
    func clock(time: String, difference: String?) {
        let text = """
            \(time) [(b'date', b'Mon, 23 Nov 2026 11:40:43 GMT')]
            \(time) HTTP Request: POST https://idp.example/token "HTTP/1.1 200 OK"
            """
        let cause = NetworkCauses.clock(Evidence(Self.exchanges(text))).cause
        #expect((cause != nil) == (difference != nil) && cause?.headline.contains(difference ?? "") != false)
    }
}
