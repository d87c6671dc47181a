import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

@testable import Diagnosis

/// What a rule excludes follows from the same comparison as its cause.
@Suite("Ruled out, and missing")
struct RuledOutTests {
    private static let verifier = "a-verifier-of-this-recording-and-of-no-other-one"
    private static let callback = "http://127.0.0.1:8765/"

    private static func exchange(
        _ number: Int, _ method: String, _ url: String, _ parameters: [String: String], status: Int,
        location: String? = nil, body: String? = nil
    ) -> Exchange {
        var exchange = Exchange(number: number, method: method, url: url, status: status)
        for (name, value) in parameters { exchange.parameters.append(name, value) }
        exchange.body = body
        exchange.time = Date(timeIntervalSince1970: 1_795_392_000 + Double(number))
        if let location { exchange.responseHeaders.append("Location", location) }
        exchange.responseHeaders.append("Date", "Mon, 23 Nov 2026 00:00:0\(number) GMT")
        return exchange
    }

    /// A sign-in with a token request whose parameters differ from the right ones.
    private static func flow(_ changes: [String: String]? = [:], status: Int = 400) -> [Exchange] {
        let place = "\(callback)?code=code-1&state=state-1"
        let sent = [
            "response_type": "code", "client_id": "native", "redirect_uri": callback, "state": "state-1",
            "code_challenge": CodeVerifier(verifier)?.challenge ?? "", "code_challenge_method": "S256",
        ]
        let start = [
            exchange(1, "GET", "https://idp.example/auth", sent, status: 302, location: place),
            exchange(2, "GET", place, ["code": "code-1", "state": "state-1"], status: 200),
        ]
        guard let changes else { return start }
        let own = [
            "grant_type": "authorization_code", "code": "code-1", "client_id": "native", "redirect_uri": callback,
            "code_verifier": verifier,
        ].merging(changes) { $1 }
        let body = status == 200 ? #"{"access_token":"a"}"# : "{}"
        return start + [exchange(3, "POST", "https://idp.example/token", own, status: status, body: body)]
    }

    private static func excluded(_ exchanges: [Exchange]) -> [String: String] {
        let rows = CauseRules.judgements(of: Evidence(exchanges)).excluded.map(\.row)
        return Dictionary(rows.map { ($0.name, $0.value) }) { first, _ in first }
    }

    @Test("A sign-in in order excludes each cause with its proof")
    func proofs() {
        let excluded = Self.excluded(Self.flow(status: 200))
        #expect(excluded["PKCE"] == "The verifier matches the challenge.")
        #expect(excluded["Redirect URI"] == "It's the same in the sign-in and the token request.")
        #expect(excluded["Client ID"] == "It's the same in all requests.")
        #expect(excluded["Authorization code"] == "It was redeemed once.")
        #expect(excluded["Code's age"] == "It was redeemed after 2 s.")
        #expect(excluded["State"] == "The response has that of its request.")
        #expect(excluded["Clock"] == "It's within 1 s of the servers'.")
        #expect(excluded["Listener"] != nil && excluded["Encryption"] != nil && excluded["Registration"] != nil)
        #expect(excluded["Server"] == "It was neither busy nor down.")
    }

    @Test(
        "A difference is a cause, and a hidden value is neither",
        arguments: [
            ("code_verifier", "another-verifier-of-forty-three-characters-or-more", "PKCE"),
            ("redirect_uri", "http://localhost:8765/", "Redirect URI"), ("client_id", "another", "Client ID"),
        ])
    func sides(name: String, other: String, subject: String) {
        let differing = CauseRules.judgements(of: Evidence(Self.flow([name: other])))
        #expect(differing.causes.contains { $0.subject == subject })
        #expect(!differing.excluded.contains { $0.subject == subject })
        guard name == "code_verifier" else { return }
        let hidden = CauseRules.judgements(of: Evidence(Self.flow([name: "REDACTED"])))
        #expect(!hidden.causes.contains { $0.subject == subject })
        #expect(!hidden.excluded.contains { $0.subject == subject })
    }

    @Test("A challenge in another form than base64url of the digest is named by its form")
    func forms() throws {
        let digest = try #require(CodeVerifier(Self.verifier).flatMap { Base64URL.decode($0.challenge) })
        let hexadecimal = digest.map { String(format: "%02x", $0) }.joined()
        for (challenge, words) in [
            (hexadecimal, "is the hexadecimal text"), (Base64URL.encode(Array(hexadecimal.utf8)), "is the base64 form"),
            (Data(digest).base64EncodedString(), "another base64 form"), ("of-another-sign-in", "doesn't belong"),
        ] {
            var exchanges = Self.flow()
            exchanges[0].parameters["code_challenge"] = challenge
            let cause = try #require(CauseRules.causes(of: Evidence(exchanges)).first)
            #expect(cause.subject == "PKCE" && cause.headline.contains(words), "\(cause.headline)")
        }
    }

    private static func missing(_ exchanges: [Exchange]) -> [String] {
        let evidence = Evidence(exchanges)
        return evidence.missing(beside: CauseRules.causes(of: evidence).first).map(\.name)
    }

    @Test("What the evidence lacks, and the command that gets it")
    func lacks() throws {
        let browser = Evidence(Self.flow(nil))
        let row = try #require(browser.missing(beside: nil).first { $0.name == "Token request" })
        #expect(row.value.contains("HTTPS_PROXY=") && row.value.contains("hardump"))
        #expect(Self.missing(Array(Self.flow().dropFirst())).contains("Sign-in request"))
        #expect(Self.missing(Self.flow(["code_verifier": "***"])).contains("Values"))
        #expect(Self.missing(Self.flow()).contains("Cookies"))
        var withoutBody = Self.flow(status: 401)
        withoutBody[2].body = nil
        #expect(Self.missing(withoutBody).contains("Response text"))
    }

    @Test("A proven cause lacks nothing")
    func proven() {
        #expect(Self.missing(Self.flow(["redirect_uri": "http://localhost:8765/"])).isEmpty)
    }

    @Test("Each platform names its own way to a log")
    func platforms() {
        let ways = Platform.allCases.map { Platform?.some($0).howToLog }
        #expect(Set(ways).count == Platform.allCases.count)
    }

    // MARK: After the sign-in, and without an end

    private static func findings(_ exchanges: [Exchange], isCut: Bool = false) -> [Cause] {
        CauseRules.causes(of: Evidence(exchanges, isCut: isCut))
    }

    private static func call(_ status: Int, _ fields: [String: String] = [:], number: Int = 4) -> Exchange {
        var exchange = exchange(number, "GET", "https://api.example/items", [:], status: status)
        exchange.requestHeaders = ["Authorization": "Bearer a"]
        for (name, value) in fields { exchange.responseHeaders.append(name, value) }
        return exchange
    }

    @Test("An API that rejects the token is a step and a cause, unless a later request succeeds")
    func rejectedCall() throws {
        let signedIn = Self.flow(status: 200)
        let evidence = Evidence(signedIn + [Self.call(403)])
        #expect(evidence.steps.last?.role == .api && evidence.success != nil)
        let cause = try #require(CauseRules.causes(of: evidence).first)
        #expect(cause.id == "api-rejected" && evidence.isAfterSignIn(cause))
        let named = Self.findings(
            signedIn + [Self.call(401, ["WWW-Authenticate": "Bearer error=\"invalid_token\""])])
        #expect(named.first?.id == "invalid_token")
        #expect(Self.findings(signedIn + [Self.call(401), Self.call(200, number: 5)]).isEmpty)
    }

    @Test("A recording that is cut off isn't a sign-in that nobody finished")
    func cut() {
        var page = Self.flow(nil)[0]
        page.status = 200
        page.responseHeaders = [:]
        page.body = "<html>"
        #expect(Self.findings([page]).first?.id == "abandoned")
        #expect(Self.findings([page], isCut: true).isEmpty)
    }

    @Test("A token that a later request uses wasn't blocked")
    func delivered() {
        var exchanges = Self.flow(status: 200)
        exchanges[2].requestHeaders = ["Origin": "https://app.example"]
        #expect(Self.findings(exchanges).first?.id == "cross-origin")
        #expect(Self.findings(exchanges + [Self.call(200)]).isEmpty)
    }

    @Test("A single server with a wrong clock is a cause, and isn't ruled out")
    func serverClock() throws {
        var exchanges = Self.flow(status: 200)
        exchanges[2].responseHeaders = ["Date": "Mon, 23 Nov 2026 00:10:03 GMT"]
        let cause = try #require(Self.findings(exchanges).first)
        #expect(cause.id == "clock" && cause.headline.contains("one server is 10 min ahead"))
        #expect(Self.excluded(exchanges)["Clock"] == nil)
    }

    @Test("A cause after a successful sign-in is the failure")
    func failureAfterSuccess() {
        let explained = Explanation(responses: Evidence(Self.flow(status: 200) + [Self.call(403)]))
        #expect(explained.findings.map(\.verdict) == [.passed, .failed])
    }
}
