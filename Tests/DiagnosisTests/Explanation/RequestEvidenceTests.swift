import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

@testable import Diagnosis

/// Causes that the requests prove, at providers whose responses say nothing or use their own words.
@Suite("Causes in requests alone")
struct RequestEvidenceTests {
    private static let verifier = "a-verifier-of-this-recording-and-of-no-other-one"

    private static func exchange(
        _ number: Int, _ method: String, _ url: String, _ parameters: [String: String] = [:], status: Int = 200,
        location: String? = nil, body: String? = nil, minute: Int = 0
    ) -> Exchange {
        var exchange = Exchange(number: number, method: method, url: url, status: status)
        for (name, value) in parameters { exchange.parameters.append(name, value) }
        exchange.body = body
        if let location { exchange.responseHeaders.append("Location", location) }
        exchange.responseHeaders.append("Date", "Mon, 23 Nov 2026 00:\(minute < 10 ? "0" : "")\(minute):00 GMT")
        return exchange
    }

    /// A sign-in whose token requests have these parameters. All but the last succeed.
    private static func flow(
        _ requests: [[String: String]], response: String?, status: Int = 400, minute: Int = 0
    ) -> [Exchange] {
        let callback = "http://127.0.0.1:8765/?code=code-1&state=state-1"
        let sent = [
            "response_type": "code", "client_id": "native", "redirect_uri": "http://127.0.0.1:8765/",
            "state": "state-1", "code_challenge": CodeVerifier(verifier)?.challenge ?? "",
            "code_challenge_method": "S256",
        ]
        let start = [
            exchange(1, "GET", "https://idp.example/auth", sent, status: 302, location: callback),
            exchange(2, "GET", callback, ["code": "code-1", "state": "state-1"]),
        ]
        return start
            + requests.enumerated().map { index, changes in
                let isLast = index == requests.count - 1
                let own = [
                    "grant_type": "authorization_code", "code": "code-1", "client_id": "native",
                    "redirect_uri": "http://127.0.0.1:8765/", "code_verifier": verifier,
                ]
                return exchange(
                    index + 3, "POST", "https://idp.example/token",
                    own.merging(changes) { $1 }.filter { !$0.value.isEmpty }, status: isLast ? status : 200,
                    body: isLast
                        ? response : #"{"access_token":"a","refresh_token":"refresh-\#(index)"}"#, minute: minute)
            }
    }

    private static let refresh = ["grant_type": "refresh_token", "refresh_token": "refresh-0", "code": ""]

    @Test(
        "The cause doesn't depend on the response",
        arguments: [
            ([[:], [:]], 0, "Authorization code"), ([[:], refresh, refresh], 0, "Refresh token"),
            ([["code_verifier": "another-verifier-of-forty-three-characters-or-more"]], 0, "PKCE"),
            ([["code_verifier": ""]], 0, "PKCE"), ([["redirect_uri": "http://localhost:8765/"]], 0, "Redirect URI"),
            ([["redirect_uri": ""]], 0, "Redirect URI"), ([["client_id": "another"]], 0, "Client ID"),
            ([[:], refresh.merging(["client_id": "another"]) { $1 }], 0, "Client ID"),
            ([[:]], 11, "Authorization code"),
        ] as [([[String: String]], Int, String)],
        [
            (nil, 400), ("", 400), ("", 401), ("", 403), ("{}", 400), (#"{"error":"boom"}"#, 400),
            (#"{"error":"invalid_grant"}"#, 400), (#"{"error":"invalid_code"}"#, 403), ("<html>No.</html>", 400),
        ] as [(String?, Int)])
    func independent(flow: ([[String: String]], Int, String), response: (String?, Int)) throws {
        let exchanges = Self.flow(flow.0, response: response.0, status: response.1, minute: flow.1)
        #expect(CauseRules.causes(of: Evidence(exchanges)).first?.subject == flow.2)
    }

    @Test("A response with its own reason, or a retry after a failure of the server, isn't a repeated grant")
    func otherReasons() {
        func first(_ exchanges: [Exchange]) -> String? { CauseRules.causes(of: Evidence(exchanges)).first?.subject }
        #expect(first(Self.flow([[:], [:]], response: #"{"error":"invalid_scope"}"#)) == "invalid_scope")
        #expect(first(Self.flow([[:], [:]], response: "", status: 503)) == "Server")
        #expect(first(Self.flow([[:]], response: "")) == "Response")
        var retried = Self.flow([[:], [:]], response: "")
        retried[2].status = 502
        #expect(first(retried) == "Server")
        // The server returned no new refresh token.
        var kept = Self.flow([[:], Self.refresh, Self.refresh], response: "")
        kept[3].body = #"{"access_token":"a"}"#
        #expect(first(kept) == "Response")
    }

    @Test(
        "A page of the authorization endpoint without a redirect means the registration",
        arguments: [(400, false), (403, false), (403, true)])
    func registration(status: Int, acceptsAnother: Bool) throws {
        var exchanges = [
            Self.exchange(
                1, "GET", "https://idp.example/auth",
                ["response_type": "code", "client_id": "native", "redirect_uri": "http://127.0.0.1:45999/"],
                status: status, body: "<html>Access denied.</html>"),
            Self.exchange(2, "GET", "https://idp.example/.well-known/openid-configuration", body: "{}"),
        ]
        if acceptsAnother { exchanges = Self.flow([[:]], response: nil, status: 500).dropLast() + exchanges }
        let cause = try #require(CauseRules.causes(of: Evidence(exchanges)).first)
        #expect(cause.subject == (acceptsAnother ? "Redirect URI" : "Registration"))
        #expect("\(cause.facts)".contains("Only the port differs.") == acceptsAnother)
        #expect(!cause.headline.contains("credentials"))
    }

    /// A push, the request that refers to it, and the page after the form, if it has a status.
    private static func pushed(
        _ status: Int, minute: Int = 0, page: Int? = nil, life: Int = 60, push: Int = 201
    ) -> [Exchange] {
        let sent = [
            "response_type": "code", "client_id": "native", "redirect_uri": "http://127.0.0.1:8765/",
            "state": "state-1",
        ]
        let body =
            push == 201 ? #"{"request_uri":"urn:example:1","expires_in":\#(life)}"# : #"{"error":"invalid_request"}"#
        let reference = ["client_id": "native", "request_uri": "urn:example:1"]
        return [
            exchange(1, "POST", "https://idp.example/par", sent, status: push, body: body),
            exchange(2, "GET", "https://idp.example/auth", reference, status: status, body: "<html>", minute: minute),
        ]
            + (page.map { [exchange(3, "POST", "https://idp.example/login", status: $0, body: "<html>", minute: 5)] }
                ?? [])
    }

    @Test(
        "A pushed request that can't be used",
        arguments: [
            (pushed(400, minute: 2), "when it had expired", [1, 2]),
            (pushed(200, page: 500), "during the sign-in", [1, 3]),
            (pushed(200) + pushed(400).dropFirst(), "twice", [2, 2]),
        ] as [([Exchange], String, [Int])])
    func unusablePush(exchanges: [Exchange], words: String, positions: [Int]) throws {
        let causes = CauseRules.causes(of: Evidence(exchanges))
        let cause = try #require(causes.first)
        #expect(cause.id == "pushed-request-unusable" && cause.headline.contains(words))
        #expect(cause.positions == positions && causes.count == 1)
    }

    @Test("A pushed request that is used in time isn't the cause")
    func usablePush() {
        for exchanges in [
            Self.pushed(400), Self.pushed(200, page: 500, life: 600), Self.pushed(200, minute: 2),
            Self.pushed(200, push: 400),
        ] {
            #expect(!CauseRules.causes(of: Evidence(exchanges)).contains { $0.subject == "Request URI" })
        }
    }

    @Test(
        "A browser's request has the pushed parameters, and the push its own place in the timeline",
        arguments: [201, 400])
    func pushedParameters(status: Int) {
        let evidence = Evidence(Self.pushed(200, push: status))
        #expect(evidence.steps.map(\.title).first == "pushed authorization request")
        #expect(evidence.steps.map(\.role) == (status == 201 ? [.push, .authorize] : [.authorize, .page]))
        #expect(evidence.steps(.authorize).first?.exchange.parameters["state"] == "state-1")
        #expect(SequenceDiagram(evidence).arrows.first?.from == .application)
    }

    @Test("A redirect URI with http at an application with https", arguments: ["http", "https"])
    func insecureRedirectURI(scheme: String) throws {
        let rejected = Self.exchange(
            2, "GET", "https://idp.example/auth",
            [
                "response_type": "code", "client_id": "portal",
                "redirect_uri": "\(scheme)://portal.example/callback",
            ], status: 400, body: "<html>Mismatching redirect URI.</html>")
        let page = Self.exchange(1, "GET", "https://portal.example/", body: "<html>Welcome.</html>")
        let cause = try #require(CauseRules.causes(of: Evidence([page, rejected])).first)
        #expect(cause.subject == "Redirect URI" && cause.headline.contains("https") == (scheme == "http"))
    }

    @Test(
        "A form of another site without the application's cookie",
        arguments: [
            ("fn=1; Path=/; SameSite=Lax", nil, true), ("fn=1; Path=/; HttpOnly", nil, true),
            ("fn=1; SameSite=None; Secure", nil, false), ("fn=1; SameSite=Lax", "fn=1", false),
        ] as [(String, String?, Bool)])
    func withheldCookie(set: String, sent: String?, isFound: Bool) {
        let callback = "https://notes.example/callback"
        var start = Self.exchange(1, "GET", "https://notes.example/login", status: 302)
        start.responseHeaders.append("Set-Cookie", set)
        let request = Self.exchange(
            2, "GET", "https://idp.example/auth",
            [
                "response_type": "code", "client_id": "notes", "redirect_uri": callback, "state": "s",
                "response_mode": "form_post",
            ])
        var response = Self.exchange(3, "POST", callback, ["code": "c", "state": "s"], status: 400)
        if let sent { response.requestHeaders.append("Cookie", sent) }
        let cause = CauseRules.causes(of: Evidence([start, request, response])).first
        #expect((cause?.subject == "Cookies" && cause?.positions == [1, 3]) == isFound)
    }

    @Test("A client that gets a code, but no token without a secret, isn't registered as public")
    func secret() {
        let flow = Self.flow([[:]], response: #"{"error":"invalid_client"}"#, status: 401)
        #expect(CauseRules.causes(of: Evidence(flow)).first?.subject == "Client secret")
        let withSecret = Self.flow([["client_secret": "s"]], response: #"{"error":"invalid_client"}"#, status: 401)
        #expect(CauseRules.causes(of: Evidence(withSecret)).first?.subject != "Client secret")
    }

    @Test("A proxy that answers the redirect to this computer", arguments: ["Via", "X-Squid-Error"])
    func proxiedRedirect(header: String) {
        var flow = Array(Self.flow([[:]], response: nil).prefix(2))
        flow[1].status = 403
        flow[1].body = "<html>Access denied</html>"
        #expect(CauseRules.causes(of: Evidence(flow)).first?.subject != "Proxy")
        flow[1].responseHeaders.append(header, "1.1 proxy.contoso.example")
        #expect(CauseRules.causes(of: Evidence(flow)).first?.subject == "Proxy")
    }

    @Test("A server at the redirect URI that answers with an error", arguments: [403, 404, 500])
    func failedHandler(status: Int) throws {
        var flow = Array(Self.flow([[:]], response: nil).prefix(2))
        flow[1].status = status
        let cause = try #require(CauseRules.causes(of: Evidence(flow)).first)
        #expect(cause.subject == "Redirect URI" && cause.headline.contains("page") == (status == 404))
        #expect(Evidence(flow).success == nil)
    }

    @Test(
        "A sign-in that starts at another host than it returns to, which gets no cookie",
        arguments: [("localhost", false, true), ("127.0.0.1", false, false), ("localhost", true, false)])
    func otherHost(start: String, hasCookie: Bool, isFound: Bool) {
        var flow = Array(Self.flow([[:]], response: nil).prefix(2))
        var first = Self.exchange(
            0, "GET", "http://\(start):5000/login", status: 302, location: flow[0].url + "?redirect_uri=x")
        first.responseHeaders.append("Set-Cookie", "session=a")
        flow[1].status = 500
        flow[1].body = "<html>mismatching_state: CSRF Warning! State not equal in request and response.</html>"
        if hasCookie { flow[1].requestHeaders.append("Cookie", "session=a") }
        #expect((CauseRules.causes(of: Evidence([first] + flow)).first?.subject == "State") == isFound)
    }

    @Test(
        "A web page that starts a sign-in at another host than it returns to, which lacks its storage",
        arguments: [
            ("http://localhost:8765/", true), ("http://127.0.0.1:8765/", false), ("https://idp.example/", false),
        ])
    func otherPage(referrer: String, isFound: Bool) {
        var flow = Array(Self.flow([[:]], response: nil).prefix(2))
        flow[0].requestHeaders.append("Referer", referrer)
        #expect(CauseRules.causes(of: Evidence(flow)).contains { $0.subject == "State" } == isFound)
        #expect(
            !CauseRules.causes(of: Evidence(Self.flow([[:]], response: nil, status: 200))).contains {
                $0.subject == "State"
            })
    }

    @Test("A hashed challenge without its method", arguments: [nil, "S256", "plain"])
    func challengeMethod(method: String?) throws {
        var flow = Self.flow([[:]], response: #"{"error":"invalid_grant"}"#)
        let sent = flow[0].parameters.pairs.filter { $0.name != "code_challenge_method" }
        flow[0].parameters = Parameters()
        for pair in sent { flow[0].parameters.append(pair.name, pair.value) }
        if let method { flow[0].parameters.append("code_challenge_method", method) }
        let causes = CauseRules.causes(of: Evidence(flow)).filter { $0.subject == "PKCE" }
        #expect(causes.contains { $0.headline.contains("not code_challenge_method=S256") } == (method == nil))
    }

    @Test("A clock that a program's own log shows beside the servers'")
    func loggedDate() {
        let text = """
            2026-11-23 17:32:44,762+00:00 DEBUG urllib3.connectionpool: https://idp.example:443 "GET /.well-known/openid-configuration HTTP/1.1" 200 717
            2026-11-23 17:32:44,773+00:00 DEBUG app: HTTP GET https://idp.example -> 200 Date='Mon, 23 Nov 2026 15:58:44 GMT'
            2026-11-23 17:32:44,775+00:00 DEBUG app: https://idp.example/authorize?client_id=c&response_type=code&redirect_uri=http%3A%2F%2Flocalhost
            """
        let evidence = Evidence(LogFile(Array(text.utf8)), RequestText(Array(text.utf8)).exchanges)
        #expect(CauseRules.causes(of: evidence).first?.subject == "Clock")
    }

    @Test("The token on a line of its own is that of the request below")
    func tokenAbove() {
        let claims = Base64URL.encode(Array(#"{"aud":"cli","nonce":"n","at_hash":"h","exp":9999999999}"#.utf8))
        let text = """
            eyJhbGciOiJSUzI1NiJ9.\(claims).c2ln

            > GET /v1/entries
            > Authorization: Bearer (the above)

            < HTTP/1.1 401 UNAUTHORIZED
            < Www-Authenticate: Bearer error="invalid_token"
            """
        let evidence = Evidence(LogFile(Array(text.utf8)), RequestText(Array(text.utf8)).exchanges)
        #expect(CauseRules.causes(of: evidence).first?.subject == "ID token")
    }

    @Test(
        "A response in the fragment doesn't reach a listener",
        arguments: [
            ("http://127.0.0.1:8765/#code=c&state=s", true), ("http://localhost/cb#error=access_denied&state=s", true),
            ("http://127.0.0.1:8765/?code=c&state=s", false), ("https://app.example/#code=c&state=s", false),
        ])
    func fragment(url: String, isFound: Bool) throws {
        let text = "The page stays empty. Its URL: \(url)"
        let evidence = Evidence(LogFile(Array(text.utf8)), RequestText(Array(text.utf8)).exchanges)
        #expect(CauseRules.causes(of: evidence).contains { $0.subject == "Response mode" } == isFound)
        // The browser that was redirected there is recorded too.
        let redirect = Self.exchange(
            1, "GET", "https://idp.example/auth", ["client_id": "c", "response_type": "code"], status: 302,
            location: url)
        #expect(CauseRules.causes(of: Evidence([redirect])).contains { $0.subject == "Response mode" } == isFound)
    }

    @Test(
        "Metadata with the URL that a proxy sees",
        arguments: [
            ("http://keycloak.iam.svc.cluster.local:8080/token", true), ("https://keycloak/token", true),
            ("http://idp.example/token", true), ("https://oauth2.idp.example/token", false),
            ("http://localhost:8080/token", false),
        ])
    func internalEndpoint(url: String, isFound: Bool) {
        let body = #"{"issuer":"https://idp.example","token_endpoint":"\#(url)"}"#
        let discovery = Self.exchange(1, "GET", "https://idp.example/.well-known/openid-configuration", body: body)
        #expect(CauseRules.causes(of: Evidence([discovery])).contains { $0.subject == "Metadata" } == isFound)
        let text = """
            HTTP Request: GET https://idp.example/.well-known/openid-configuration "HTTP/1.1 200 OK"
            metadata: \(body)
            ConnectError: [Errno -3] Temporary failure in name resolution
            """
        let evidence = Evidence(LogFile(Array(text.utf8)), RequestText(Array(text.utf8)).exchanges)
        #expect((CauseRules.causes(of: evidence).first?.subject == "Metadata") == isFound)
    }

    @Test("An expired ID token isn't an expired device code", arguments: [true, false])
    func expiredToken(isDevice: Bool) {
        let code = isDevice ? "POST https://idp.example/devicecode \"HTTP/1.1 200 OK\"\n" : ""
        let text = code + "Poll: expired_token"
        let evidence = Evidence(LogFile(Array(text.utf8)), RequestText(Array(text.utf8)).exchanges)
        #expect(CauseRules.causes(of: evidence).contains { $0.subject == "expired_token" } == isDevice)
    }

    @Test(
        "What a rejected token says about itself",
        arguments: [
            (
                ["iss": "https://sts.windows.net/t/", "ver": "1.0", "aud": "api://orders", "scp": "Orders.Read"],
                "Token version"
            ),
            (
                [
                    "iss": "https://sts.windows.net/t/", "ver": "1.0", "aud": "https://graph.microsoft.com",
                    "scp": "User.Read",
                ], "Audience"
            ),
            (
                [
                    "iss": "https://login.microsoftonline.com/t/v2.0", "ver": "2.0", "aud": "orders",
                    "scp": "Orders.Read",
                ], nil
            ),
        ] as [([String: String], String?)])
    func rejectedToken(claims: [String: String], subject: String?) throws {
        let payload = Base64URL.encode(Array(JSONValue.object(claims.mapValues { .string($0) }).serialized.utf8))
        var call = Self.exchange(1, "GET", "https://api.example/orders", status: 401)
        call.requestHeaders.append(
            "Authorization", "Bearer \(Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))).\(payload).c2ln")
        #expect(
            CauseRules.causes(of: Evidence([call])).first { ["Audience", "Token version"].contains($0.subject) }?
                .subject == subject)
    }

    @Test("A browser withholds a response that a proxy recorded", arguments: [nil, "https://app.example"])
    func recordedByProxy(allowed: String?) {
        var flow = Self.flow([[:]], response: #"{"access_token":"a"}"#, status: 200)
        flow[2].requestHeaders.append("Origin", "https://app.example")
        if let allowed { flow[2].responseHeaders.append("Access-Control-Allow-Origin", allowed) }
        #expect((CauseRules.causes(of: Evidence(flow)).first?.subject == "CORS") == (allowed == nil))
        #expect((Evidence(flow).success == nil) == (allowed == nil))
    }

    @Test("An authority that requires PKCE, by its own words")
    func requiredChallenge() {
        var flow = Array(Self.flow([[:]], response: nil).prefix(2))
        flow[1].parameters = [
            "error": "invalid_request", "error_description": "Code challenge required.", "state": "state-1",
        ]
        var parameters = Parameters()
        for pair in flow[0].parameters.pairs where !pair.name.hasPrefix("code_challenge") {
            parameters.append(pair.name, pair.value)
        }
        flow[0].parameters = parameters
        #expect(CauseRules.causes(of: Evidence(flow)).first?.subject == "PKCE")
    }

    @Test(
        "A URL that a shell cut off",
        arguments: [("response_type", "/authorize", true), ("client_id", "/auth", true), ("p", "/authorize", false)])
    func cutOff(name: String, path: String, isCutOff: Bool) {
        let request = Self.exchange(1, "GET", "https://idp.example\(path)", [name: "code"], status: 400, body: "<html>")
        #expect((CauseRules.causes(of: Evidence([request])).first?.subject == "URL") == isCutOff)
    }

    @Test("A token that is bound to a key needs a proof", arguments: [true, false])
    func boundToken(hasProof: Bool) {
        let token = JWT.compact(header: ["alg": "ES256"], payload: ["cnf": ["jkt": "a"], "aud": "api"]) { _ in [1] }
        var call = Self.exchange(1, "GET", "https://api.example/me", status: 401)
        call.requestHeaders.append("Authorization", "Bearer \(token)")
        if hasProof { call.requestHeaders.append("DPoP", "a.b.c") }
        #expect((CauseRules.causes(of: Evidence([call])).first?.subject == "DPoP") == !hasProof)
    }

    @Test("A browser without cookies, unless another request has some", arguments: [true, false])
    func cookies(isBlocked: Bool) {
        var page = Self.exchange(
            1, "GET", "https://idp.example/auth", ["response_type": "code", "client_id": "native"], body: "<html>")
        page.responseHeaders.append("Set-Cookie", "csrftoken=a")
        let form = Self.exchange(2, "POST", "https://idp.example/login", status: 403, body: "<html>CSRF</html>")
        var other = Self.exchange(3, "GET", "https://idp.example/icon")
        if !isBlocked { other.requestHeaders.append("Cookie", "csrftoken=a") }
        let cause = CauseRules.causes(of: Evidence([page, form, other])).first
        #expect((cause?.subject == "Cookies") == isBlocked)
    }

    @Test("A web page's token request that Chromium withholds, although it records the response's status")
    func withheld() {
        var flow = Self.flow([[:]], response: nil, status: 200)
        flow[2].failure = "net::ERR_FAILED"
        #expect(CauseRules.causes(of: Evidence(flow)).first?.subject != "CORS")
        flow[2].requestHeaders.append("Origin", "http://127.0.0.1:8765")
        #expect(CauseRules.causes(of: Evidence(flow)).first?.subject == "CORS")
    }

    @Test("A device code that expired, by the authority's clock")
    func deviceCode() {
        let issued = Self.exchange(
            1, "POST", "https://idp.example/device_authorization", ["client_id": "native"],
            body: #"{"device_code":"d","expires_in":600}"#)
        func cause(minute: Int) -> String? {
            let poll = Self.exchange(
                2, "POST", "https://idp.example/token", ["grant_type": "device_code", "device_code": "d"], status: 400,
                minute: minute)
            return CauseRules.causes(of: Evidence([issued, poll])).first?.subject
        }
        #expect(cause(minute: 11) == "Device code" && cause(minute: 9) == "Response")
    }

    @Test(
        "The token that a resource rejected",
        arguments: [
            (["aud": "client", "nonce": "n", "exp": 2_000_000_000], "ID token"),
            (["aud": "client", "at_hash": "n", "exp": 1_000_000_000], "ID token"),
            (["aud": "api", "scp": "read", "exp": 1_000_000_000], "Access token"),
            (["aud": "api", "scp": "read", "exp": 2_000_000_000], "invalid_token"),
        ] as [(JSONValue, String)])
    func resource(claims: JSONValue, subject: String) throws {
        let token = JWT.compact(header: ["alg": "RS256"], payload: claims) { _ in Array("signature".utf8) }
        var call = Self.exchange(1, "GET", "https://api.example/me", status: 401)
        call.requestHeaders.append("Authorization", "Bearer \(token)")
        call.responseHeaders.append("WWW-Authenticate", "Bearer error=\"invalid_token\"")
        if subject != "invalid_token" {
            #expect(CauseRules.causes(of: Evidence([call])).first?.subject == subject)
        }
        let text = """
            > GET /me HTTP/2
            > Host: api.example
            > Authorization: Bearer \(token)
            >
            < HTTP/2 401
            < date: Mon, 23 Nov 2026 00:00:00 GMT
            < www-authenticate: Bearer error="invalid_token"
            <
            """
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        let explainer = try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: .distantPast)
        let explanation = try explainer.explain(file: Array(text.utf8))
        let names = explanation.findings.map(\.subject) + explanation.sections.map(\.title)
        #expect(names.first == subject, "\(explanation)")
        #expect(!"\(explanation)".contains(token.suffix(20)))
    }
}

/// The words of libraries for a proxy's failures, as their programs wrote them.
@Suite("Failures of proxies")
struct ProxyEvidenceTests {
    private static func finding(_ text: String) throws -> CheckFinding? {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        return try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: .distantPast)
            .explain(file: Array(text.utf8)).findings.first
    }

    @Test(
        "A proxy that doesn't respond, asks for a password, or doesn't connect",
        arguments: [
            (
                "keyturn: Can't use the proxy: Failed to connect to "
                    + "127.0.0.1 port 3999 after 0 ms: Couldn't connect to server.\n         Check the network.\n",
                "respond"
            ),
            (
                "* Uses proxy env variable https_proxy == 'http://127.0.0.1:3999'\n* Trying 127.0.0.1:3999...\n"
                    + "curl: (7) Failed to connect to 127.0.0.1 port 3999 after 0 ms: Couldn't connect to server",
                "respond"
            ),
            ("curl: (5) Could not resolve proxy: no-such-proxy.invalid", "respond"),
            (
                "requests.exceptions.ProxyError: HTTPSConnectionPool(host='login.microsoftonline.com', port=443): (Caused by "
                    + "ProxyError('Unable to connect to proxy', NewConnectionError('Connection refused')))", "respond"
            ),
            (
                "ClientAuthError: https://login.microsoftonline.com/common\nError: connect ECONNREFUSED 127.0.0.1:3999",
                "respond"
            ),
            (
                "Get \"https://a.example/\": proxyconnect tcp: dial tcp 127.0.0.1:3999: connect: connection refused",
                "respond"
            ),
            (
                "System.Net.Http.HttpRequestException: Connection refused (proxy.example:8080)\n at https://a.example/",
                "respond"
            ),
            (
                "No connection could be made because the target machine actively refused it. (10.1.2.3:8080) https://a.example/",
                "respond"
            ),
            (
                "aiohttp: Cannot connect to host 127.0.0.1:3999 ssl:default [Connect call failed] https://a.example/",
                "respond"
            ),
            ("net::ERR_PROXY_CONNECTION_FAILED", "respond"), ("NS_ERROR_UNKNOWN_PROXY_HOST", "respond"),
            (
                "ProxyError('Unable to connect to proxy', OSError('Tunnel connection failed: 407 Proxy Authentication "
                    + "Required'))", "password"
            ),
            ("curl: (56) CONNECT tunnel failed, response 407", "password"),
            ("curl: (56) Received HTTP code 407 from proxy after CONNECT", "password"),
            (
                "keyturn: Can't use the proxy: CONNECT tunnel failed, response 407.\n"
                    + "         Check the network.\n", "password"
            ),
            ("The proxy tunnel request to proxy 'http://10.0.0.1:8080/' failed with status code '407'.", "password"),
            ("The remote server returned an error: (407) Proxy Authentication Required.", "password"),
            ("curl: (56) CONNECT tunnel failed, response 403", "doesn't connect"),
            ("OSError('Tunnel connection failed: 403 Forbidden')", "doesn't connect"),
        ])
    func proxies(text: String, words: String) throws {
        let finding = try #require(try Self.finding(text))
        #expect(finding.subject == "Proxy" && finding.verdict == .failed && finding.fact.contains(words), "\(finding)")
    }

    @Test(
        "A refused connection to the authority itself isn't one to a proxy",
        arguments: [
            "Can't reach 127.0.0.1:8411: Failed to connect to 127.0.0.1 port 8411 after 0 ms: Couldn't connect to server",
            "https://login.example/common: Error: connect ECONNREFUSED 20.190.160.1:443",
            "https://login.example: connect ECONNREFUSED 169.254.169.254:80",
            "curl: (7) Failed to connect to 127.0.0.1 port 8411 after 0 ms: Couldn't connect to server",
        ])
    func direct(text: String) throws {
        let finding = try #require(try Self.finding(text))
        #expect(finding.subject == (text.hasPrefix("curl") ? "Connection" : "Network"))
    }
}

@Suite("Endpoints as authorities")
struct EndpointAsAuthorityTests {
    @Test(
        "The authority of an endpoint's URL",
        arguments: [
            (
                "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
                "https://login.microsoftonline.com/common"
            ),
            ("https://login.microsoftonline.com/t/oauth2/token", "https://login.microsoftonline.com/t"),
            ("https://login.microsoftonline.com/t/discovery/v2.0/keys", "https://login.microsoftonline.com/t"),
            (
                "https://a.b2clogin.com/a.onmicrosoft.com/b2c_1_x/oauth2/v2.0/authorize?p=1",
                "https://a.b2clogin.com/a.onmicrosoft.com/b2c_1_x"
            ),
            ("https://kc.example/auth/realms/x/protocol/openid-connect/auth", "https://kc.example/auth/realms/x"),
            ("https://kc.example/realms/x/.well-known/openid-configuration", "https://kc.example/realms/x"),
            ("https://o.okta.com/oauth2/default/v1/authorize", "https://o.okta.com/oauth2/default"),
            ("https://o.okta.com/oauth2/v1/token", "https://o.okta.com"),
            ("https://t.auth0.com/authorize", "https://t.auth0.com"),
            ("https://t.auth0.com/oauth/token", "https://t.auth0.com"),
            ("https://accounts.google.com/o/oauth2/v2/auth", "https://accounts.google.com"),
            ("https://i.example/connect/authorize", "https://i.example"),
            ("https://g.example/api/oidc/auth", "https://g.example/api/oidc"),
        ])
    func endpoints(endpoint: String, authority: String) throws {
        let url = try #require(URL(string: endpoint))
        let finding = try #require(CheckFinding.endpointAsAuthority(url))
        #expect(finding.verdict == (endpoint.contains("microsoft") || endpoint.contains("b2c") ? .warning : .failed))
        #expect(finding.fix == "Write \(authority) as the authority.")
    }

    @Test(
        "Other authorities",
        arguments: [
            "https://login.microsoftonline.com/common", "https://login.microsoftonline.com/common/v2.0",
            "https://kc.example/auth", "https://kc.example/auth/realms/token-users",
            "https://o.okta.com/oauth2/default",
            "https://accounts.google.com", "https://i.example/", "https://a.b2clogin.com/a.onmicrosoft.com/b2c_1_x",
        ])
    func authorities(text: String) throws {
        #expect(CheckFinding.endpointAsAuthority(try #require(URL(string: text))) == nil)
    }

    @Test("A request for a discovery document below an endpoint names the endpoint")
    func discovery() {
        let wrong = Exchange(
            number: 1, method: "GET", url: "https://i.example/connect/authorize/.well-known/openid-configuration",
            status: 404)
        #expect(CauseRules.causes(of: Evidence([wrong])).first?.subject == "Authority")
    }
}
