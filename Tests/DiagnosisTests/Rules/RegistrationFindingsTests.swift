import Diagnosis
import Foundation
import MSAL
import Testing

@Suite("Findings about an application's registration")
struct RegistrationFindingsTests {
    private static let guid = "11111111-2222-3333-4444-555555555555"

    private func registration(
        schemes: [String], queries: [String], format: PropertyListSerialization.PropertyListFormat
    )
        throws -> MSALAppRegistration
    {
        let list: [String: Any] = [
            "CFBundleIdentifier": "com.example.app", "CFBundleDisplayName": "Example",
            "CFBundleURLTypes": [["CFBundleURLSchemes": schemes]], "LSApplicationQueriesSchemes": queries,
        ]
        return try MSALAppRegistration(
            infoPlist: PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
    }

    @Test(
        "Redirect URI, query schemes, and the result for those",
        arguments: [
            ("msauth.com.example.app://auth", ["msauthv2", "msauthv3"], .passed),
            ("msauth.com.example.app://auth", ["msauthv2"], .failed), ("msauth.com.example.app://auth", [], .warning),
            ("http://localhost", ["msauthv2"], .warning), ("http://localhost", ["msauthv3", "msauthv2", "x"], .passed),
        ] as [(String, [String], CheckFinding.Verdict)],
        [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func queries(
        row: (String, [String], CheckFinding.Verdict), format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let findings = RegistrationFindings(
            clientID: "client", redirectURI: row.0,
            registration: try registration(schemes: ["msauth.com.example.app"], queries: row.1, format: format),
            authority: nil
        ).all
        #expect(findings.first?.fact == "com.example.app (Example).")
        #expect(findings.first { $0.subject == "Broker query schemes" }?.verdict == row.2)
    }

    @Test(
        "Client ID, authority, and the result",
        arguments: [
            (guid, "https://login.microsoftonline.com/common", .passed),
            ("my-app", "https://login.microsoftonline.com/common", .failed),
            ("my-app", "http://127.0.0.1:8400/common", .passed), ("my-app", nil, .skipped), ("", nil, .failed),
            (" \(guid)", nil, .failed), ("a b", nil, .failed), ("näme", nil, .failed),
        ] as [(String, String?, CheckFinding.Verdict)])
    func clientID(id: String, authority: String?, verdict: CheckFinding.Verdict) throws {
        let authority = try authority.map { try MSALAADAuthority(url: try #require(URL(string: $0))) }
        let finding = try #require(ClientIDFindings(id, authority: authority).all.first)
        #expect(finding.verdict == verdict)
        #expect((finding.fix == nil) == (verdict != .failed))
    }

    @Test func anOpenIDProviderMayHaveAnyClientID() throws {
        let authority = try MSALOIDCAuthority(url: try #require(URL(string: "https://id.example")))
        #expect(ClientIDFindings("my-app", authority: authority).all.map(\.verdict) == [.passed])
    }

    @Test(
        "Google's client IDs have Google's suffix",
        arguments: [("my-app", .warning), ("1-a.apps.googleusercontent.com", .passed)]
            as [(String, CheckFinding.Verdict)])
    func google(id: String, verdict: CheckFinding.Verdict) throws {
        let authority = try MSALOIDCAuthority(url: try #require(URL(string: "https://accounts.google.com")))
        #expect(ClientIDFindings(id, authority: authority).finding.verdict == verdict)
    }
}
