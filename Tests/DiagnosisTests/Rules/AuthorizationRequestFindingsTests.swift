import Diagnosis
import Foundation
import Testing

@Suite("Problems of a sign-in URL")
struct AuthorizationRequestFindingsTests {
    private static let challenge = String(repeating: "a", count: 43)

    /// A valid request.
    private static let good = [
        "client_id": "11111111-2222-3333-4444-555555555555", "response_type": "code",
        "redirect_uri": "http%3A%2F%2Flocalhost", "scope": "openid+profile", "state": "s", "nonce": "n",
        "code_challenge": challenge, "code_challenge_method": "S256", "prompt": "select_account", "max_age": "60",
        "claims": "%7B%7D", "response_mode": "query",
    ]

    private func findings(_ changes: [String: String?], at page: String) throws -> [CheckFinding] {
        var parameters = Self.good
        for (name, value) in changes { parameters[name] = value }
        let query = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>"
        let explainer = try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: Date(timeIntervalSince1970: 0))
        return try #require(explainer.explain("\(page)?\(query)")).findings
    }

    private static let entra = "https://login.microsoftonline.com/common/oauth2/v2.0/authorize"

    @Test func aValidRequestPasses() throws {
        #expect(try findings([:], at: Self.entra).map(\.verdict) == [.passed])
    }

    @Test(
        "A change and its finding",
        arguments: [
            (["client_id": nil], "client_id", .failed), (["client_id": "my-app"], "client_id", .failed),
            (["response_type": nil], "response_type", .failed), (["response_type": "cod"], "response_type", .failed),
            (["response_type": "code+id_token", "response_mode": nil], "response_type", .warning),
            (["response_type": "code+id_token"], "response_mode", .failed),
            (["response_mode": "quary"], "response_mode", .failed),
            (["redirect_uri": nil], "redirect_uri", .warning),
            (["redirect_uri": "http%3A%2F%2Fexample.com"], "redirect_uri", .failed),
            (["redirect_uri": "myapp%3A%2F%2Fauth%23x"], "redirect_uri", .failed),
            (["redirect_uri": "no-scheme"], "redirect_uri", .failed),
            (["redirect_uri": "urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob"], "redirect_uri", .failed),
            (["scope": nil], "scope", .warning), (["scope": "User.Read"], "scope", .warning),
            (["scope": "openid+a%2F.default+b"], "scope", .failed),
            (["resource": "https%3A%2F%2Fa"], "resource", .warning),
            (["state": nil], "state", .warning), (["nonce": nil], "nonce", .warning),
            (["nonce": nil, "response_type": "id_token", "response_mode": nil], "nonce", .failed),
            (["code_challenge": nil], "code_challenge", .warning),
            (["code_challenge": "short"], "code_challenge", .failed),
            (["code_challenge_method": nil], "code_challenge_method", .warning),
            (["code_challenge_method": "S512"], "code_challenge_method", .failed),
            (["prompt": "always"], "prompt", .warning), (["prompt": "none+login"], "prompt", .failed),
            (["max_age": "soon"], "max_age", .failed), (["claims": "%5B%5D"], "claims", .failed),
            (["client_secret": "s"], "client_secret", .failed), (["password": "s"], "password", .failed),
        ] as [([String: String?], String, CheckFinding.Verdict)])
    func changes(changes: [String: String?], subject: String, verdict: CheckFinding.Verdict) throws {
        let found = try findings(changes, at: Self.entra).first { $0.subject == subject }
        #expect(found?.verdict == verdict)
        #expect(found?.fix?.isEmpty == false)
    }

    @Test func otherAuthoritiesMayHaveAnyClientID() throws {
        #expect(try findings(["client_id": "my-app"], at: "https://id.example/authorize").map(\.verdict) == [.passed])
    }

    @Test func aPageWithoutEncryptionIsAProblem() throws {
        let found = try findings([:], at: "http://id.example/authorize")
        #expect(found.map(\.subject) == ["Sign-in page"])
    }

    @Test func aRepeatedParameterIsAProblem() throws {
        let found = try findings(["state": "a&state=b"], at: Self.entra)
        #expect(found.first?.subject == "state" && found.first?.verdict == .failed)
    }
}
