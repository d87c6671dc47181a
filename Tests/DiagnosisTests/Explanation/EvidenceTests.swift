import Foundation
import OAuthCore
import Testing

@testable import Diagnosis

/// Archives and logs of real sign-ins, recorded by `Tests/EndToEnd/evidence/record.py`.
@Suite("Explanation of recordings")
struct EvidenceTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Evidence")

    private static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    private static func explain(_ bytes: [UInt8]) throws -> Explanation? {
        let plist = Array(
            """
            <plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>
            """.utf8)
        return try Explainer(clientID: "", infoPlist: plist, now: Date(timeIntervalSince1970: 1_800_000_000))
            .explain(file: bytes)
    }

    private static func causes(_ bytes: [UInt8]) throws -> [String] {
        let explanation = try #require(try explain(bytes))
        return explanation.findings.filter { $0.verdict != .skipped }.map(\.subject)
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
            ("captive_portal.har", "Network"), ("python_refresh_token.log", "AADSTS70000"),
            ("python_unknown_client.log", "AADSTS700016"), ("python_name_not_resolved.log", "DNS"),
            ("python_untrusted_certificate.log", "Certificate"),
        ])
    func cause(file: String, subject: String) throws {
        #expect(try Self.causes(Self.bytes(file)).first == subject)
    }

    @Test func aSuccessfulSignInHasNoCause() throws {
        let explanation = try #require(try Self.explain(Self.bytes("good.har")))
        #expect(explanation.findings.map(\.verdict) == [.skipped])
    }

    @Test func differingRedirectURIsAreCompared() throws {
        let explanation = try #require(try Self.explain(Self.bytes("redirect_uri_case.har")))
        #expect("\(explanation)".contains("Only the path differs."))
    }

    @Test("Explanations contain no codes, tokens, states or passwords")
    func secrets() throws {
        for name in ["good.har", "code_used_twice.har", "refresh_token_replaced.har", "wrong_verifier.har"] {
            let bytes = try Self.bytes(name)
            let archive = try #require(HARFile(bytes))
            let text = "\(try #require(try Self.explain(bytes)))"
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

    @Test(
        "A clock difference is found in a successful flow too", arguments: [(-480.0, "behind"), (480, "ahead of")])
    func clock(seconds: Double, direction: String) throws {
        let archive = try #require(HARFile(try Self.bytes("good.har")))
        let shifted = archive.exchanges.map { exchange in
            var exchange = exchange
            exchange.time = exchange.time?.addingTimeInterval(seconds)
            return exchange
        }
        let cause = try #require(NetworkCauses.clock(Evidence(shifted)))
        #expect(cause.headline.contains("8 min \(direction)"))
        #expect(NetworkCauses.clock(Evidence(archive.exchanges)) == nil)
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
            ("BrowserAuthError: interaction_in_progress: Interaction is currently in progress.", "Sign-in"),
            ("Error Domain=MSALErrorDomain Code=-50002 \"No account provided\" MSALErrorDescriptionKey", "Account"),
            ("msal.application: Refresh failed. invalid_grant: AADSTS50076: MFA needed", "AADSTS50076"),
            ("ADAL 2.6.3 iOS 11.4 [2018] Error raised: AD_ERROR_TOKENBROKER_RESPONSE_NOT_RECEIVED", "ADAL"),
            (
                "Error Domain=org.openid.appauth.general Code=-15 \"Issued at time is more than 600 seconds before\"",
                "Clock"
            ),
            ("msal.application: x\nDefaultAzureCredential failed to retrieve a token from", "Azure Identity"),
            ("TID=1 MSAL 1 iOS 1 [2026-03-01 10:00:00 - 6F1C2B7E-34018-25308] Keychain find status: -25300", nil),
        ] as [(String, String?)])
    func logs(text: String, subject: String?) throws {
        #expect(try Self.causes(Array((text + "\n").utf8)).first == subject)
    }

    @Test(
        "Texts that aren't recordings",
        arguments: [
            "", "{}", "[]", "{\"log\":{}}", "{\"log\":{\"entries\":{}}}", "{\"log\":{\"entries\":[", "\u{1B}[31m",
            String(repeating: "[", count: 1000), "{\"entries\":" + String(repeating: "[", count: 1000),
        ])
    func others(text: String) throws {
        #expect(try Self.explain(Array(text.utf8)) == nil)
    }

    @Test("Incomplete entries are counted and skipped")
    func partial() throws {
        let text = #"{"entries":[{},{"request":{"url":"https://a.example/x"}},7,{"request":{"url":3}}]}"#
        let archive = try #require(HARFile(Array(text.utf8)))
        #expect(archive.exchanges.count == 1 && archive.unreadable == 3)
    }

    @Test(
        "The difference between redirect URIs",
        arguments: [
            ("msauth.com.contoso.Mail://auth", "msauth.com.contoso.mail://auth", RedirectURIDifference.letterCase),
            ("http://localhost", "http://localhost/", .finalSlash), ("http://localhost:1", "http://localhost:2", .port),
            ("https://a.example/x", "https://a.example/y", .path),
            ("http://a.example/x", "https://a.example/x", .scheme),
            ("https://a.example/x", "https://b.example/x", nil),
        ])
    func differences(one: String, other: String, difference: RedirectURIDifference?) {
        #expect(RedirectURIDifference(one, other) == difference)
    }
}
