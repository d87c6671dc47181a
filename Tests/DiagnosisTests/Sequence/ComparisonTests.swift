import Foundation
import OAuthCore
import Testing

@testable import Diagnosis

@Suite("Two recordings beside each other")
struct ComparisonTests {
    private static func exchange(
        _ number: Int, _ url: String, _ parameters: [(String, String)], status: Int, body: String? = nil,
        method: String = "GET"
    ) -> Exchange {
        var exchange = Exchange(number: number, method: method, url: url, status: status)
        for (name, value) in parameters { exchange.parameters.append(name, value) }
        exchange.body = body
        return exchange
    }

    private static func recording(
        _ redirectURI: String = "http://localhost:50001/app1", scope: String = "a b", state: String = "1",
        pages: Int = 1, token: Int = 200, error: String = ""
    ) -> Evidence {
        let start = exchange(
            1, "https://login.example/authorize",
            [
                ("client_id", "c"), ("response_type", "code"), ("redirect_uri", redirectURI), ("scope", scope),
                ("state", state),
            ], status: 200, body: "<html>")
        let shown = (0..<pages).map {
            exchange(
                2 + $0, "https://login.example/page", [("username", "x")], status: 200, body: "<html>", method: "POST")
        }
        let back = exchange(8, redirectURI, [("code", "code\(state)"), ("state", state)], status: 200)
        let redeemed = exchange(
            9, "https://login.example/token", [("grant_type", "authorization_code"), ("code", "code\(state)")],
            status: token, body: error.isEmpty ? #"{"access_token":"t"}"# : #"{"error":"\#(error)"}"#, method: "POST")
        return Evidence([start] + shown + [back, redeemed])
    }

    private static func compare(_ one: Evidence, _ other: Evidence) throws -> Comparison {
        try #require(Comparison(one, other))
    }

    @Test("States, codes, ports, the order of scopes and the number of pages differ each time")
    func same() throws {
        let other = Self.recording("http://localhost:50999/app1", scope: "b a", state: "2", pages: 3)
        let comparison = try Self.compare(Self.recording(), other)
        #expect(!comparison.isDifferent, "\(comparison.steps)")
        #expect(comparison.steps.count == 4)
    }

    @Test("The first difference names the step and the parameter, and ends the comparison")
    func first() throws {
        let comparison = try Self.compare(
            Self.recording("http://localhost:50001/App1", token: 400, error: "invalid_grant"), Self.recording())
        #expect(comparison.isDifferent && comparison.steps.count == 1)
        let difference = try #require(comparison.steps.first?.differences.first)
        #expect(difference.name == "redirect_uri")
        #expect(difference.first == "http://localhost:50001/App1" && difference.second == "http://localhost:50001/app1")
    }

    @Test("If the requests are alike, the responses differ")
    func responses() throws {
        let comparison = try Self.compare(Self.recording(token: 400, error: "invalid_grant"), Self.recording())
        let last = try #require(comparison.steps.last)
        #expect(last.title == "token request" && last.differences.map(\.name) == ["Response"])
        #expect(last.differences.first?.first == "HTTP 400 invalid_grant")
    }

    @Test("A step that one recording lacks is a difference")
    func missing() throws {
        var steps = Self.recording().exchanges
        steps.removeLast()
        let last = try #require(try Self.compare(Evidence(steps), Self.recording()).steps.last)
        #expect(last.first == nil && last.second?.contains("entry 9") == true)
    }

    @Test(
        "A value that isn't that of its sign-in is the first difference",
        arguments: [("state", "State"), ("code_verifier", "PKCE")])
    func mismatch(name: String, subject: String) throws {
        func evidence(_ value: String) -> Evidence {
            var exchanges = Self.recording().exchanges
            let verifier = "a-verifier-of-this-recording-and-of-no-other-one"
            exchanges[0].parameters.append("code_challenge", CodeVerifier(verifier)?.challenge ?? "")
            exchanges[0].parameters.append("code_challenge_method", "S256")
            let last = exchanges.count - 1
            exchanges[last].parameters.append("code_verifier", name == "state" || value.isEmpty ? verifier : value)
            if name == "state", !value.isEmpty {
                exchanges[last - 1].parameters = ["code": "code1", "state": value]
            }
            return Evidence(exchanges)
        }
        let other = "another-verifier-of-forty-three-characters-or-more"
        let last = try #require(try Self.compare(evidence(other), evidence("")).steps.last)
        #expect(last.differences.first?.name == subject, "\(last)")
        #expect(last.differences.first?.second == "in order")
        #expect(try !Self.compare(evidence(""), evidence("")).isDifferent)
    }

    @Test("Of two missing steps, the earlier one of a sign-in comes first")
    func order() throws {
        let all = Self.recording(pages: 0).exchanges
        let (program, browser) = (Evidence([all[0], all[2]]), Evidence([all[0], all[1]]))
        for (one, other) in [(program, browser), (browser, program)] {
            #expect(try Self.compare(one, other).steps.last?.title == "authorization response")
        }
    }

    @Test("Configurations are compared by role, and texts without a common one aren't")
    func values() throws {
        func evidence(_ text: String) -> Evidence { Evidence(LogFile(Array(text.utf8)), [], Facts(Array(text.utf8))) }
        let env = evidence("OIDC_ISSUER=https://id.example/a\nCLIENT_ID=ledger")
        let yaml = evidence("issuer-uri: https://id.example/a/\nclient-id: ledger")
        let step = try #require(try Self.compare(env, yaml).steps.last)
        #expect(step.title == "Issuer" && step.differences.first?.name == "Only the final slash differs.")
        #expect(step.differences.first?.second == "https://id.example/a/")
        #expect(try !Self.compare(env, env).isDifferent)
        #expect(Comparison(env, evidence("audience: a")) == nil)
    }

    @Test("A hidden value that differs is said, not shown")
    func hidden() throws {
        let first = Self.recording(scope: "api://x/PLANTED SECRET~1")
        let text = "\(try Self.compare(first, Self.recording()).steps.last?.differences ?? [])"
        #expect(text.contains("scope"))
    }
}
