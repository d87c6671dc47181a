import Foundation
import OAuthCore
import Testing

@testable import Subcommands

@Suite("Managed identity")
struct ManagedIdentityTests {
    private static func identity(_ scopes: [String]) -> ManagedIdentity {
        ManagedIdentity(
            secret: "secret", scopes: scopes, token: { _ in throw CancellationError() }, log: { _, _ in },
            now: { Date(timeIntervalSince1970: 0) }, advise: \.self)
    }

    @Test(
        "Gives only the allowed scopes of a resource",
        arguments: [
            ("https://vault.azure.net", ["https://vault.azure.net/.default"]),
            ("https://vault.azure.net/", ["https://vault.azure.net/.default"]),
            ("https://a.example", ["https://a.example/Read", "https://a.example/Write"]),
            ("https://a.example/Read", ["https://a.example/Read"]),
            ("https://graph.microsoft.com", ["User.Read"]),
            ("499b84ac-1321-427f-aa17-267ca6975798", ["499b84ac-1321-427f-aa17-267ca6975798/.default"]),
            ("https://database.windows.net", ["https://database.windows.net//.default"]),
            ("https://database.windows.net/", ["https://database.windows.net//.default"]),
            ("https://vault", []), ("https://vault.azure.net.evil.example", []), ("https://a.example/R", []), ("", []),
            ("/", []), ("https:", []),
        ])
    func scopes(resource: String, expected: [String]) {
        let all = [
            "User.Read", "https://vault.azure.net/.default", "https://a.example/Read", "https://a.example/Write",
            "499b84ac-1321-427f-aa17-267ca6975798/.default", "https://database.windows.net//.default",
        ]
        #expect(Self.identity(all).scopes(of: resource) == expected)
    }

    @Test("Begins with the scopes of the first one's resource")
    func firstScopes() {
        #expect(
            Self.identity(["https://a.example/Read", "User.Read", "https://a.example/Write"]).firstScopes == [
                "https://a.example/Read", "https://a.example/Write",
            ])
        #expect(
            Self.identity(["User.Read", "Mail.Read", "https://a.example/Read"]).firstScopes == [
                "User.Read", "Mail.Read",
            ])
        #expect(Self.identity(["https://a.example//Read"]).firstScopes == ["https://a.example//Read"])
        #expect(Self.identity([]).firstScopes == [])
    }

    @Test(
        "Rejects a request with the status that the SDKs understand",
        arguments: [
            ("/msi/token?api-version=2019-08-01&resource=https://graph.microsoft.com", "secret", 0),
            ("/msi/token?resource=https%3A%2F%2Fgraph.microsoft.com&api-version=2019-08-01&client_id=a", "secret", 0),
            ("/msi/token?api-version=2019-08-01&resource=https://graph.microsoft.com", "", 401),
            ("/msi/token?api-version=2019-08-01&resource=https://graph.microsoft.com", "secretx", 401),
            ("/other?api-version=2019-08-01&resource=https://graph.microsoft.com", "secret", 404),
            ("/msi/token?api-version=2017-09-01&resource=https://graph.microsoft.com", "secret", 400),
            ("/msi/token?api-version=2019-08-01", "secret", 400),
            ("/msi/token?api-version=2019-08-01&resource=a&resource=https://graph.microsoft.com", "secret", 400),
            ("/msi/token?api-version=2019-08-01&resource=https://vault.azure.net", "secret", 403),
        ])
    func rejections(target: String, secret: String, status: Int) throws {
        let url = try #require(URL(string: "http://127.0.0.1:1\(target)"))
        let request = HTTPRequest(.get, url, headers: ["X-IDENTITY-HEADER": secret])
        #expect(Self.identity(["User.Read"]).rejection(of: request)?.status ?? 0 == status)
    }
}
