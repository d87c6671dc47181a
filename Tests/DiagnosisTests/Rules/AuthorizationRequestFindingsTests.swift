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
        #expect(try findings([:], at: Self.entra).map(\.verdict) == [.good])
    }

    @Test(
        "A change and its finding",
        arguments: [
            (["client_id": nil], "client_id", .wrong), (["client_id": "my-app"], "client_id", .wrong),
            (["response_type": nil], "response_type", .wrong), (["response_type": "cod"], "response_type", .wrong),
            (["response_type": "code+id_token", "response_mode": nil], "response_type", .attention),
            (["response_type": "code+id_token"], "response_mode", .wrong),
            (["response_mode": "quary"], "response_mode", .wrong),
            (["redirect_uri": nil], "redirect_uri", .attention),
            (["redirect_uri": "http%3A%2F%2Fexample.com"], "redirect_uri", .wrong),
            (["redirect_uri": "myapp%3A%2F%2Fauth%23x"], "redirect_uri", .wrong),
            (["redirect_uri": "no-scheme"], "redirect_uri", .wrong),
            (["redirect_uri": "urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob"], "redirect_uri", .wrong),
            (["scope": nil], "scope", .attention), (["scope": "User.Read"], "scope", .attention),
            (["scope": "openid+a%2F.default+b"], "scope", .wrong),
            (["resource": "https%3A%2F%2Fa"], "resource", .attention),
            (["state": nil], "state", .attention), (["nonce": nil], "nonce", .attention),
            (["nonce": nil, "response_type": "id_token", "response_mode": nil], "nonce", .wrong),
            (["code_challenge": nil], "code_challenge", .attention),
            (["code_challenge": "short"], "code_challenge", .wrong),
            (["code_challenge_method": nil], "code_challenge_method", .attention),
            (["code_challenge_method": "S512"], "code_challenge_method", .wrong),
            (["prompt": "always"], "prompt", .attention), (["prompt": "none+login"], "prompt", .wrong),
            (["max_age": "soon"], "max_age", .wrong), (["claims": "%5B%5D"], "claims", .wrong),
            (["client_secret": "s"], "client_secret", .wrong), (["password": "s"], "password", .wrong),
        ] as [([String: String?], String, CheckFinding.Verdict)])
    func changes(changes: [String: String?], subject: String, verdict: CheckFinding.Verdict) throws {
        let found = try findings(changes, at: Self.entra).first { $0.subject == subject }
        #expect(found?.verdict == verdict)
        #expect(found?.fix?.isEmpty == false)
    }

    @Test func otherAuthoritiesMayHaveAnyClientID() throws {
        #expect(try findings(["client_id": "my-app"], at: "https://id.example/authorize").map(\.verdict) == [.good])
    }

    @Test func aPageWithoutEncryptionIsAProblem() throws {
        let found = try findings([:], at: "http://id.example/authorize")
        #expect(found.map(\.subject) == ["Sign-in page"])
    }

    @Test func aRepeatedParameterIsAProblem() throws {
        let found = try findings(["state": "a&state=b"], at: Self.entra)
        #expect(found.first?.subject == "state" && found.first?.verdict == .wrong)
    }
}
