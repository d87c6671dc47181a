import Diagnosis
import Foundation
import OAuthCore
import Testing

@Suite("Findings about a redirect URI")
struct RedirectURIFindingsTests {
    private static let bundle = "test.bundle.identifier"

    private func verdicts(
        _ uri: String?, schemes: [String], authority: String? = nil
    ) throws -> [String: CheckFinding.Verdict] {
        let rules = RedirectURIRules(
            clientID: "client", registration: AppRegistration(bundleIdentifier: Self.bundle, urlSchemes: schemes))
        let parsed = try authority.map { try AuthorityRules.classify(try #require(URL(string: $0))) }
        let findings = RedirectURIFindings(uri, rules: rules, authority: parsed).all
        for finding in findings where finding.verdict == .wrong || finding.verdict == .attention {
            #expect(finding.fix?.isEmpty == false, "\(finding.subject)")
        }
        return Dictionary(uniqueKeysWithValues: findings.map { ($0.subject, $0.verdict) })
    }

    private static let entra = "https://login.microsoftonline.com/common"
    private static let personal = "https://login.microsoftonline.com/consumers"
    private static let own = "msauth.test.bundle.identifier"

    // The results in order: form, scheme in the Info.plist, broker redirect. The rows are those of
    // docs/upstream-behaviour.md §1.6.
    @Test(
        "A URI, the registration, the authority, and the results",
        arguments: [
            ("myapp://authtest", ["myapp"], entra, [.good, .good, .wrong]),
            ("myapp://authtest", ["myapp"], personal, [.good, .good, .good]),
            ("myapp://authtest", ["myapp"], nil, [.good, .good, .attention]),
            ("\(own)://auth", [own], entra, [.good, .good, .good]),
            ("\(own)://auth#", [own], entra, [.wrong, nil, nil]),
            ("myscheme://test.bundle.identifier", ["myscheme"], entra, [.good, .good, .good]),
            ("notregistered://test.bundle.identifier", ["myscheme"], entra, [.wrong, .wrong, nil]),
            (nil, [own], entra, [.good, .good, .good]), (nil, ["myscheme"], entra, [.wrong, .wrong, nil]),
            ("https://example.com", [], entra, [.attention, nil, .wrong]),
            ("https://example.com", [], personal, [.attention, nil, .good]),
            ("myapp://", ["myapp"], entra, [.good, .good, .wrong]), ("no-scheme", [own], entra, [.wrong, nil, nil]),
            ("http://localhost", [], entra, [.good, nil, nil]),
            ("http://127.0.0.1:8400/x", [], entra, [.good, nil, nil]),
            ("http://[::1]", [], entra, [.good, nil, nil]), ("http://example.com", [], entra, [.wrong, .wrong, nil]),
            ("msauth.other://auth", ["msauth.other"], entra, [.good, .good, .wrong]),
            ("\(own)://", [own], entra, [.good, .good, .wrong]),
        ] as [(String?, [String], String?, [CheckFinding.Verdict?])])
    func rules(uri: String?, schemes: [String], authority: String?, expected: [CheckFinding.Verdict?]) throws {
        let verdicts = try verdicts(uri, schemes: schemes, authority: authority)
        let subjects = ["Redirect URI", "Scheme in the Info.plist", "Broker redirect"]
        #expect(subjects.map { verdicts[$0] } == expected)
    }

    @Test(
        "The second URI, for sign-in with a certificate",
        arguments: [
            ("msauth://code/msauth.test.bundle.identifier%3A%2F%2Fauth", ["msauth"], .good),
            ("msauth://code/msauth.test.bundle.identifier%3a%2f%2fauth", ["msauth"], .good),
            ("msauth://code/msauth.test.bundle.identifier%3A%2F%2Fauth", [], .wrong),
            ("msauth://code/msauth.test.bundle.identifier://auth", ["msauth"], .wrong),
            ("msauth://code/msauth.other%3A%2F%2Fauth", ["msauth"], .wrong), ("msauth://code", ["msauth"], .wrong),
            ("msauth://code/", ["msauth"], .wrong), ("\(own)://auth", [own], .notChecked),
            ("\(own)://auth", [own, "msauth"], .good), ("http://localhost", [own], nil),
        ] as [(String, [String], CheckFinding.Verdict?)])
    func certificate(uri: String, schemes: [String], expected: CheckFinding.Verdict?) throws {
        #expect(try verdicts(uri, schemes: schemes)["Certificate redirect URI"] == expected)
    }
}
