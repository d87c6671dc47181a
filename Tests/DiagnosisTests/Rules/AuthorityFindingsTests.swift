import Diagnosis
import Foundation
import MSAL
import Testing

@Suite("Findings about an authority")
struct AuthorityFindingsTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func probe(
        _ address: String = "https://id.example", issuer: String? = "https://id.example", keys: Int? = 2,
        hasCodes: Bool = true, challenges: [String]? = nil, unusable: [String] = [], skew: Double? = 0,
        failure: MSALAuthenticationError? = nil
    ) throws -> MSALAuthorityProbe {
        MSALAuthorityProbe(
            url: try #require(URL(string: address)), issuer: issuer, signingKeyCount: keys, offersDeviceCode: hasCodes,
            codeChallengeMethods: challenges, unusableEndpoints: unusable,
            authorityDate: skew.map { Self.now.addingTimeInterval(-$0) }, localDate: Self.now, failure: failure)
    }

    private func verdicts(_ probe: MSALAuthorityProbe) -> [String: CheckFinding.Verdict] {
        Dictionary(uniqueKeysWithValues: AuthorityFindings(probe).all.map { ($0.subject, $0.verdict) })
    }

    @Test func anAuthorityWithoutRefreshTokensIsAWarning() throws {
        let probe = MSALAuthorityProbe(
            url: try #require(URL(string: "https://id.example")), issuer: "https://id.example", signingKeyCount: 1,
            offersDeviceCode: true, requestsRefreshToken: false, authorityDate: Self.now, localDate: Self.now)
        #expect(verdicts(probe)["Refresh token"] == .warning)
        let issued = AuthorityFindings(probe, hasIssuedRefreshToken: true)
        #expect(!issued.all.contains { $0.subject == "Refresh token" })
    }

    @Test func aValidAuthorityPassesEverything() throws {
        let verdicts = verdicts(try probe())
        #expect(verdicts.values.allSatisfy { $0 == .passed })
        #expect(
            Set(verdicts.keys) == ["Authority", "Issuer", "Encryption", "Signing keys", "Device codes", "Clock"])
    }

    @Test(
        "Seconds between the clocks, the result, and a word of the finding",
        arguments: [
            (0, .passed, "Within a minute"), (60, .passed, "Within a minute"), (-60, .passed, "Within a minute"),
            (61, .warning, "1 min ahead"),
            (-400, .warning, "6 min behind"), (8000, .warning, "2 hours ahead"),
            (-400_000, .warning, "4 days behind"),
        ] as [(Double, CheckFinding.Verdict, String)])
    func clock(skew: Double, verdict: CheckFinding.Verdict, word: String) throws {
        let finding = AuthorityFindings(try probe(skew: skew)).all.first { $0.subject == "Clock" }
        #expect(finding?.verdict == verdict)
        #expect(finding?.fact.contains(word) == true)
        #expect((finding?.fix == nil) == (verdict == .passed))
    }

    @Test func missingEndpointsAreReported() throws {
        #expect(verdicts(try probe(skew: nil))["Clock"] == .skipped)
        #expect(verdicts(try probe(keys: 0))["Signing keys"] == .failed)
        #expect(verdicts(try probe(hasCodes: false))["Device codes"] == .warning)
        #expect(verdicts(try probe("http://127.0.0.1:8400"))["Encryption"] == .warning)
        #expect(verdicts(try probe(challenges: ["plain"]))["PKCE"] == .warning)
        #expect(verdicts(try probe(challenges: ["plain", "S256"]))["PKCE"] == nil)
    }

    @Test("An invalid optional endpoint is a warning, and is named")
    func unusableEndpoints() throws {
        let findings = AuthorityFindings(try probe(unusable: ["end_session_endpoint", "userinfo_endpoint"])).all
        let finding = try #require(findings.first { $0.subject == "Endpoints" })
        #expect(finding.verdict == .warning && finding.fix?.isEmpty == false)
        #expect(finding.fact.contains("end_session_endpoint, userinfo_endpoint"))
    }

    @Test func theBriefFormHasTheHostAndTheProblems() throws {
        #expect(AuthorityFindings(try probe()).brief.map(\.subject) == ["Issuer"])
        #expect(AuthorityFindings(try probe(hasCodes: false)).brief.map(\.subject) == ["Issuer", "Device codes"])
    }

    @Test func aFailureHasItsNextStepAndNoOtherFinding() throws {
        let failure = MSALAuthenticationError(
            .network(.init(.untrustedCertificate, reason: "self-signed certificate"), host: "id.example"),
            correlationID: nil)
        let findings = AuthorityFindings(try probe(issuer: nil, keys: nil, skew: nil, failure: failure)).all
        #expect(findings.map(\.subject) == ["Authority", "Encryption"])
        #expect(findings.allSatisfy { $0.verdict == .failed && $0.fix?.isEmpty == false })
        #expect(findings[0].fact.contains("self-signed certificate"))
    }
}
