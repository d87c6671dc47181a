import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("How a token is written")
struct TokenFormatTests {
    private func result(_ token: String) throws -> MSALResult {
        let account = MSALAccount(
            username: "ada@example.org", homeAccountId: nil, environment: "login.example.org", tenantProfiles: nil,
            claims: nil)
        let profile = MSALTenantProfile(
            identifier: nil, environment: nil, tenantId: "t", isHomeTenantProfile: true, claims: nil)
        return MSALResult(
            accessToken: token, expiresOn: Date(timeIntervalSince1970: 1_763_636_400), idToken: nil, scopes: ["a"],
            tenantProfile: profile, account: account,
            authority: try MSALOIDCAuthority(url: try #require(URL(string: "https://login.example.org"))).value,
            correlationId: try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001")),
            idTokenVerdicts: { [] }, isFromCache: true)
    }

    @Test("the three formats")
    func formats() throws {
        let result = try result("abc")
        #expect(try TokenFormat.token.text(result) == "abc\n")
        #expect(try TokenFormat.header.text(result) == "Authorization: Bearer abc\n")
        #expect(
            try TokenFormat.json.text(result) == """
                {
                  "accessToken" : "abc",
                  "account" : {
                    "environment" : "login.example.org",
                    "tenantId" : "t",
                    "username" : "ada@example.org"
                  },
                  "authority" : "https://login.example.org",
                  "correlationId" : "00000000-0000-0000-0000-000000000001",
                  "expiresOn" : "2025-11-20T11:00:00Z",
                  "fromCache" : true,
                  "scopes" : [
                    "a"
                  ],
                  "tokenType" : "Bearer"
                }

                """)
    }

    @Test("a token that could write another header is not written", arguments: ["a\nX: y", "a\u{1b}[2J", "é", "a\0"])
    func hostile(_ token: String) throws {
        let result = try result(token)
        #expect(throws: CommandFailure.self) { try TokenFormat.token.text(result) }
        #expect(throws: CommandFailure.self) { try TokenFormat.header.text(result) }
        #expect(try TokenFormat.json.text(result).hasPrefix("{"))
    }
}
