import Diagnosis
import MSAL
import Testing

@Suite("Findings about the token cache")
struct CacheFindingsTests {
    @Test(
        "The place of the key, and the result",
        arguments: [
            (.keyring, .passed), (.passphrase, .passed), (.keyFile, .warning), (.unifiedFile, .warning),
            (.memory, .warning),
        ] as [(MSALCacheProtection.Kind, CheckFinding.Verdict)])
    func keys(kind: MSALCacheProtection.Kind, verdict: CheckFinding.Verdict) {
        let protection = MSALCacheProtection(kind: kind, path: "/a/b.db", explanation: "As it is.")
        let findings = CacheFindings(protection: .success(protection), accounts: .success(2)).all
        #expect(findings.map(\.verdict) == [verdict, .passed])
        #expect(findings[0].fact == "As it is." && (findings[0].fix == nil) == (verdict == .passed))
        #expect(findings[1].fact == "2 accounts: /a/b.db.")
    }

    @Test("Records set aside are mentioned, with the command that deletes them")
    func damage() throws {
        for (count, words) in [(1, "1 damaged entry"), (3, "3 damaged entries")] {
            let protection = MSALCacheProtection(
                kind: .keyring, path: "/a/b.db", explanation: "As it is.", damagedRecords: count)
            let finding = try #require(
                CacheFindings(protection: .success(protection), accounts: .success(1)).all.last)
            #expect(finding.verdict == .warning && finding.fact == "The cache has \(words).")
            #expect(finding.fix?.contains("remove") == true)
        }
    }

    @Test("Mentions damaged files that were set aside, and how to delete them")
    func setAside() throws {
        let protection = MSALCacheProtection(
            kind: .keyring, path: "/a/b.db", explanation: "As it is.", setAsideFiles: ["/a/b.db.set-aside-1"])
        let finding = try #require(CacheFindings(protection: .success(protection), accounts: .success(1)).all.last)
        #expect(finding.verdict == .warning && finding.fact.contains("/a/b.db.set-aside-1"))
        #expect(finding.fix?.contains("remove --all") == true)
    }

    @Test func aCacheThatNoSignInCanWriteIsAProblem() throws {
        let protection = MSALCacheProtection(kind: .keyring, path: "/proc/a/b.db", explanation: "As it is.")
        let failure = Failure(headline: "", reason: "Read-only.", advice: "Set it.")
        let finding = try #require(
            CacheFindings(protection: .success(protection), accounts: .success(0), obstacle: failure).all.last)
        #expect(finding.subject == "Token cache" && finding.verdict == .failed && finding.failure == failure)
        #expect(finding.fact == "Read-only." && finding.fix == "Set it.")
    }

    @Test func aCacheThatCannotBeOpenedIsOneProblem() {
        let failure = Failure(headline: "", reason: "Locked.", advice: "Unlock it.")
        let findings = CacheFindings(protection: .failure(failure), accounts: .failure(failure)).all
        #expect(findings == [CheckFinding("Token cache", .failed, "Locked.", fix: "Unlock it.")])
    }
}
