import AuthEngine
import Diagnosis
import Testing

@Suite("Findings about the token cache")
struct CacheFindingsTests {
    @Test(
        "The place of the key, and the result",
        arguments: [
            (.keyring, .good), (.passphrase, .good), (.keyFile, .attention), (.unifiedFile, .attention),
            (.memory, .attention),
        ] as [(MSALCacheProtection.Kind, CheckFinding.Verdict)])
    func keys(kind: MSALCacheProtection.Kind, verdict: CheckFinding.Verdict) {
        let protection = MSALCacheProtection(kind: kind, path: "/a/b.db", explanation: "As it is.")
        let findings = CacheFindings(protection: .success(protection), accounts: .success(2)).all
        #expect(findings.map(\.verdict) == [verdict, .good])
        #expect(findings[0].fact == "As it is." && (findings[0].fix == nil) == (verdict == .good))
        #expect(findings[1].fact == "2 accounts: /a/b.db.")
    }

    @Test("Quarantined records are mentioned, with the command that deletes them")
    func damage() throws {
        for (count, words) in [(1, "1 damaged record"), (3, "3 damaged records")] {
            let protection = MSALCacheProtection(
                kind: .keyring, path: "/a/b.db", explanation: "As it is.", damagedRecords: count)
            let finding = try #require(
                CacheFindings(protection: .success(protection), accounts: .success(1)).all.last)
            #expect(finding.verdict == .attention && finding.fact == "The cache has \(words).")
            #expect(finding.fix?.contains("remove") == true)
        }
    }

    @Test func aCacheThatCannotBeOpenedIsAProblem() {
        let failure = FailureFact(reason: "Locked.", nextStep: "Unlock it.")
        let findings = CacheFindings(protection: .failure(failure), accounts: .failure(failure)).all
        #expect(findings.map(\.verdict) == [.wrong, .wrong])
        #expect(findings.allSatisfy { $0.fact == "Locked." && $0.fix == "Unlock it." })
    }
}
