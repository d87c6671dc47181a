import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("Token output formats")
struct TokenFormatTests {
    @Test("The formats")
    func formats() throws {
        let result = try tokenResult("abc")
        #expect(try TokenFormat.token.text(result, execInfo: KubernetesExecInfo([:])) == "abc\n")
        #expect(try TokenFormat.header.text(result, execInfo: KubernetesExecInfo([:])) == "Authorization: Bearer abc\n")
        #expect(
            try TokenFormat.json.text(result, execInfo: KubernetesExecInfo([:])) == """
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

    @Test("Assignments for a shell")
    func assignments() throws {
        let text = try TokenFormat.env.text(tokenResult("abc"), execInfo: KubernetesExecInfo([:]))
        #expect(
            text == """
                export KEYTURN_ACCESS_TOKEN='abc'
                export KEYTURN_TOKEN_TYPE='Bearer'
                export KEYTURN_EXPIRES_ON='2025-11-20T11:00:00Z'

                """)
        let quoted = try TokenFormat.env.text(tokenResult("a'b$c"), execInfo: KubernetesExecInfo([:]))
        #expect(quoted.hasPrefix(#"export KEYTURN_ACCESS_TOKEN='a'\''b$c'"#))
    }

    @Test(
        "A Kubernetes client's request, and the API version of the response",
        arguments: [
            ("", "client.authentication.k8s.io/v1", true),
            ("no JSON", "client.authentication.k8s.io/v1", true),
            (
                #"{"apiVersion":"client.authentication.k8s.io/v1beta1","spec":{"interactive":false}}"#,
                "client.authentication.k8s.io/v1beta1", false
            ),
            (#"{"apiVersion":"client.authentication.k8s.io/v1","spec":{}}"#, "client.authentication.k8s.io/v1", true),
        ])
    func kubernetes(_ variable: String, _ version: String, _ isInteractive: Bool) throws {
        let info = KubernetesExecInfo(["KUBERNETES_EXEC_INFO": variable])
        #expect(info.isInteractive == isInteractive)
        #expect(throws: Never.self) { try info.checkVersion() }
        let text = try TokenFormat.execCredential.text(tokenResult("abc"), execInfo: info)
        #expect(
            text == """
                {
                  "apiVersion" : "\(version)",
                  "kind" : "ExecCredential",
                  "status" : {
                    "expirationTimestamp" : "2025-11-20T11:00:00Z",
                    "token" : "abc"
                  }
                }

                """)
    }

    @Test("An unsupported API version is rejected by name", arguments: ["v1alpha1", "v9", ""])
    func unknownKubernetesVersion(_ version: String) {
        let text = #"{"apiVersion":"client.authentication.k8s.io/\#(version)","spec":{"interactive":true}}"#
        let failure = #expect(throws: Failure.self) {
            try KubernetesExecInfo(["KUBERNETES_EXEC_INFO": text]).checkVersion()
        }
        #expect(failure?.exitCode == .configuration)
        #expect(failure?.reason.contains("client.authentication.k8s.io/\(version)") == true)
        #expect(failure?.advice.contains("apiVersion: client.authentication.k8s.io/v1'") == true)
    }

    @Test("The ID token in each format, or a failure if there is none")
    func idToken() throws {
        let result = try tokenResult("abc", idToken: "i.d.t")
        func text(_ format: TokenFormat) throws -> String {
            try format.text(result, .id, execInfo: KubernetesExecInfo([:]))
        }
        #expect(try text(.token) == "i.d.t\n")
        #expect(try text(.header) == "Authorization: Bearer i.d.t\n")
        #expect(try text(.env).hasPrefix("export KEYTURN_ID_TOKEN='i.d.t'\nexport KEYTURN_TOKEN_TYPE='Bearer'\n"))
        #expect(try text(.execCredential).contains("\"token\" : \"i.d.t\""))
        #expect(throws: Failure.self) {
            try TokenFormat.token.text(tokenResult("abc"), .id, execInfo: KubernetesExecInfo([:]))
        }
    }

    @Test("A response without an access token is rejected", arguments: TokenFormat.allCases)
    func noAccessToken(_ format: TokenFormat) throws {
        let result = try tokenResult("")
        #expect(throws: Failure.self) { try format.text(result, execInfo: KubernetesExecInfo([:])) }
    }

    @Test(
        "A token that could inject another header is rejected",
        arguments: ["a\nX: y", "a\u{1b}[2J", "é", "a\0", "a b"])
    func hostile(_ token: String) throws {
        let result = try tokenResult(token)
        #expect(throws: Failure.self) { try TokenFormat.token.text(result, execInfo: KubernetesExecInfo([:])) }
        #expect(throws: Failure.self) { try TokenFormat.header.text(result, execInfo: KubernetesExecInfo([:])) }
        #expect(throws: Failure.self) {
            try TokenFormat.execCredential.text(result, execInfo: KubernetesExecInfo([:]))
        }
        #expect(try TokenFormat.json.text(result, execInfo: KubernetesExecInfo([:])).hasPrefix("{"))
    }
}

/// A result with this access token.
func tokenResult(_ token: String, idToken: String? = nil) throws -> MSALResult {
    let account = MSALAccount(
        username: "ada@example.org", homeAccountId: nil, environment: "login.example.org", tenantProfiles: nil,
        claims: nil)
    let profile = MSALTenantProfile(
        identifier: nil, environment: nil, tenantId: "t", isHomeTenantProfile: true, claims: nil)
    let contents = MSALResultContents(
        accessToken: token, expiresOn: Date(timeIntervalSince1970: 1_763_636_400), idToken: idToken, scopes: ["a"],
        tenantProfile: profile, account: account,
        authority: try MSALOIDCAuthority(url: try #require(URL(string: "https://login.example.org"))).value,
        isFromCache: true)
    return MSALResult(
        contents, correlationID: try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001")))
}
