import Diagnosis
import Foundation
import Testing

@Suite("Findings about proxies")
struct ProxyFindingsTests {
    @Test(
        "Variables, the authority, the result and a word of the finding",
        arguments: [
            ([:], "https://id.example", .passed, "None"),
            (
                ["https_proxy": "http://proxy.example:8080"], "https://id.example", .passed,
                "proxy.example:8080 from $https_proxy"
            ),
            (["HTTPS_PROXY": "proxy.example:8080"], "https://id.example", .passed, "proxy.example:8080"),
            (["all_proxy": "socks5h://p:1"], "https://id.example", .passed, "p:1"),
            (["http_proxy": "http://p:1"], "https://id.example", .passed, "None"),
            (["https_proxy": "http://p:1"], "https://127.0.0.1", .passed, "None"),
            (["https_proxy": "http://p:1", "no_proxy": "*.example"], "https://id.example", .passed, "excludes"),
            (["https_proxy": "http://p:1", "no_proxy": "id.example:443"], "https://id.example", .passed, "excludes"),
            (["https_proxy": ""], "https://id.example", .passed, "None"),
            (["https_proxy": "http://"], "https://id.example", .failed, "isn't a valid URL"),
            (["https_proxy": "http://p:1", "no_proxy": "a, .example"], "https://id.example", .passed, "excludes"),
            (["https_proxy": "http://p:1", "NO_PROXY": "id.example"], "https://id.example", .passed, "excludes"),
            (["https_proxy": "http://p:1", "no_proxy": "d.example"], "https://id.example", .passed, "p:1"),
            (["https_proxy": "http://p:1", "no_proxy": "*"], "https://id.example", .passed, "excludes"),
        ] as [([String: String], String, CheckFinding.Verdict, String)])
    func rules(environment: [String: String], authority: String, verdict: CheckFinding.Verdict, word: String) throws {
        let authority = try #require(URL(string: authority))
        let finding = CheckFinding.proxy(in: environment, for: authority)
        #expect(finding.verdict == verdict)
        #expect(finding.fact.contains(word))
    }

    @Test func theProxysPasswordIsNotShown() throws {
        let finding = CheckFinding.proxy(
            in: ["https_proxy": "http://PLANTED:PLANTED@proxy.example:1"],
            for: try #require(URL(string: "https://id.example")))
        #expect(!"\(finding)".contains("PLANTED") && "\(finding)".contains("proxy.example:1"))
    }
}
