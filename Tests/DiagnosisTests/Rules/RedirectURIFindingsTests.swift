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
        for finding in findings where finding.verdict == .failed || finding.verdict == .warning {
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
            ("myapp://authtest", ["myapp"], entra, [.passed, .passed, .failed]),
            ("myapp://authtest", ["myapp"], personal, [.passed, .passed, .passed]),
            ("myapp://authtest", ["myapp"], nil, [.passed, .passed, .warning]),
            ("\(own)://auth", [own], entra, [.passed, .passed, .passed]),
            ("\(own)://auth#", [own], entra, [.failed, nil, nil]),
            ("myscheme://test.bundle.identifier", ["myscheme"], entra, [.passed, .passed, .passed]),
            ("notregistered://test.bundle.identifier", ["myscheme"], entra, [.failed, .failed, nil]),
            (nil, [own], entra, [.passed, .passed, .passed]), (nil, ["myscheme"], entra, [.failed, .failed, nil]),
            ("https://example.com", [], entra, [.warning, nil, .failed]),
            ("https://example.com", [], personal, [.warning, nil, .passed]),
            ("myapp://", ["myapp"], entra, [.passed, .passed, .failed]),
            ("no-scheme", [own], entra, [.failed, nil, nil]),
            ("http://localhost", [], entra, [.passed, nil, nil]),
            ("http://127.0.0.1:8400/x", [], entra, [.passed, nil, nil]),
            ("http://[::1]", [], entra, [.passed, nil, nil]),
            ("http://example.com", [], entra, [.failed, nil, nil]),
            ("msauth.other://auth", ["msauth.other"], entra, [.passed, .passed, .failed]),
            ("\(own)://", [own], entra, [.passed, .passed, .failed]),
        ] as [(String?, [String], String?, [CheckFinding.Verdict?])])
    func rules(uri: String?, schemes: [String], authority: String?, expected: [CheckFinding.Verdict?]) throws {
        let verdicts = try verdicts(uri, schemes: schemes, authority: authority)
        let subjects = ["Redirect URI", "Scheme in the Info.plist", "Broker redirect"]
        #expect(subjects.map { verdicts[$0] } == expected)
    }

    @Test(
        "The second URI, for sign-in with a certificate",
        arguments: [
            ("msauth://code/msauth.test.bundle.identifier%3A%2F%2Fauth", ["msauth"], .passed),
            ("msauth://code/msauth.test.bundle.identifier%3a%2f%2fauth", ["msauth"], .passed),
            ("msauth://code/msauth.test.bundle.identifier%3A%2F%2Fauth", [], .failed),
            ("msauth://code/msauth.test.bundle.identifier://auth", ["msauth"], .failed),
            ("msauth://code/msauth.other%3A%2F%2Fauth", ["msauth"], .failed), ("msauth://code", ["msauth"], .failed),
            ("msauth://code/", ["msauth"], .failed), ("\(own)://auth", [own], .skipped),
            ("\(own)://auth", [own, "msauth"], .passed), ("http://localhost", [own], nil),
        ] as [(String, [String], CheckFinding.Verdict?)])
    func certificate(uri: String, schemes: [String], expected: CheckFinding.Verdict?) throws {
        #expect(try verdicts(uri, schemes: schemes)["Certificate redirect URI"] == expected)
    }
}
