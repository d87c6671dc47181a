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

    private func findings(
        of list: [String: Any], _ redirectURI: String?, isOther: Bool = true
    ) throws -> [String: CheckFinding] {
        let registration = try MSALAppRegistration(
            infoPlist: PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
        let findings = RegistrationFindings(
            clientID: "client", redirectURI: redirectURI, registration: registration, authority: nil, isOther: isOther)
        return Dictionary(uniqueKeysWithValues: findings.all.map { ($0.subject, $0) })
    }

    private static func project(_ scheme: String = "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)") -> [String: Any] {
        [
            "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)", "LSRequiresIPhoneOS": true,
            "CFBundleURLTypes": [["CFBundleURLSchemes": [scheme]]],
            "LSApplicationQueriesSchemes": ["msauthv2", "msauthv3"],
        ]
    }

    @Test("The Info.plist of an Xcode project passes, and its build setting is named")
    func buildSetting() throws {
        let findings = try findings(of: Self.project(), nil)
        #expect(findings["Bundle identifier"]?.verdict == .warning)
        #expect(findings["Bundle identifier"]?.fact.contains("this is the source file") == true)
        #expect(
            findings["Redirect URI"]?.verdict == .passed && findings["Scheme in the Info.plist"]?.verdict == .passed)
        let given = try self.findings(of: Self.project(), "msauth.com.example.app://auth")
        #expect(given["Bundle identifier"]?.fact.contains("becomes com.example.app.") == true)
        for subject in ["Redirect URI", "Scheme in the Info.plist", "Broker redirect"] {
            #expect(given[subject]?.verdict == .passed, "\(subject)")
        }
        let lacking = try self.findings(of: Self.project("msauth"), nil)["Scheme in the Info.plist"]
        #expect(
            lacking?.fix
                == "Replace msauth with msauth.$(PRODUCT_BUNDLE_IDENTIFIER) in CFBundleURLTypes › CFBundleURLSchemes.")
    }

    @Test(
        "A scheme with blanks, a placeholder or nothing behind msauth is to be replaced",
        arguments: [
            ("msauth.com.example.app ", "\"msauth.com.example.app \""), ("msauth.[BUNDLE_ID]", "msauth.[BUNDLE_ID]"),
            ("msauth", "msauth"), ("msauth.com.example.app://auth", "msauth.com.example.app://auth"),
        ])
    func miswritten(scheme: String, shown: String) throws {
        let registration = try registration(schemes: [scheme], queries: [], format: .xml)
        let finding = RegistrationFindings(clientID: "c", redirectURI: nil, registration: registration, authority: nil)
            .all.first { $0.subject == "Scheme in the Info.plist" }
        #expect(
            finding?.fix == "Replace \(shown) with msauth.com.example.app in CFBundleURLTypes › CFBundleURLSchemes.")
    }

    @Test("The rules of iOS apply to another application for iOS only")
    func apple() throws {
        var list = Self.project("other")
        list["CFBundleIdentifier"] = "com.example.app"
        let fix = try #require(try findings(of: list, nil)["Redirect URI"]?.fix)
        #expect(fix.contains("msauth.com.example.app") && !fix.contains("localhost"))
        let loopback = try findings(of: list, "http://localhost")["Redirect URI"]
        #expect(loopback?.verdict == .failed && loopback?.fix == "Use msauth.com.example.app://auth.")
        #expect(try findings(of: list, "http://localhost", isOther: false)["Redirect URI"]?.verdict == .passed)
        #expect(try findings(of: list, nil, isOther: false)["Redirect URI"]?.fix?.contains("localhost") == true)
        list["LSRequiresIPhoneOS"] = nil
        #expect(try findings(of: list, "http://localhost")["Redirect URI"]?.verdict == .passed)
    }

    @Test(
        "A universal link needs an associated domain that covers its host",
        arguments: [
            ("applinks:mail.example", .passed), ("applinks:MAIL.example?mode=developer", .passed),
            ("applinks:*.example", .passed), ("applinks:*.mail.example", .failed), ("applinks:example", .failed),
            ("webcredentials:mail.example", .failed), ("applinks:mail.example.org", .failed), (nil, .skipped),
        ] as [(String?, CheckFinding.Verdict)])
    func universalLink(domain: String?, verdict: CheckFinding.Verdict) throws {
        var list = Self.project("other")
        list["CFBundleIdentifier"] = "com.example.app"
        let registration = try MSALAppRegistration(
            infoPlist: PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
        let entitlements = try domain.map {
            try PropertyListSerialization.data(
                fromPropertyList: ["com.apple.developer.associated-domains": [$0]], format: .xml, options: 0)
        }
        let findings = RegistrationFindings(
            clientID: "client", redirectURI: "https://mail.example/auth", registration: registration, authority: nil,
            isOther: true, entitlements: entitlements.map(Array.init)
        ).all
        let finding = try #require(findings.first { $0.subject == "Universal link" })
        #expect(finding.verdict == verdict)
        switch verdict {
        case .passed:
            #expect(
                finding.fact.hasSuffix(
                    "https://mail.example/.well-known/apple-app-site-association must list TEAM-ID.com.example.app with the path /auth."
                ))
        case .failed:
            #expect(finding.fix == "Add applinks:mail.example to com.apple.developer.associated-domains.")
        case .skipped, .warning: #expect(finding.fact.contains("--entitlements"))
        }
        #expect(!findings.contains { "\($0.fact) \($0.fix ?? "")".contains("Linux") })
    }

    @Test("A file without entitlements is said, and a scheme needs no link")
    func notEntitlements() throws {
        let registration = try registration(
            schemes: ["msauth.com.example.app"], queries: ["msauthv2", "msauthv3"], format: .xml)
        func link(_ uri: String?) -> CheckFinding? {
            RegistrationFindings(
                clientID: "client", redirectURI: uri, registration: registration, authority: nil, isOther: true,
                entitlements: Array("hello".utf8)
            ).all.first { $0.subject == "Universal link" }
        }
        #expect(link("https://mail.example/auth")?.fact == "The file for --entitlements has no entitlements.")
        #expect(link(nil) == nil)
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
        let finding = ClientIDFindings(id, authority: authority).finding
        #expect(finding.verdict == verdict)
        #expect((finding.fix == nil) == (verdict != .failed))
    }

    @Test func anOpenIDProviderMayHaveAnyClientID() throws {
        let authority = try MSALOIDCAuthority(url: try #require(URL(string: "https://id.example")))
        #expect(ClientIDFindings("my-app", authority: authority).finding.verdict == .passed)
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
