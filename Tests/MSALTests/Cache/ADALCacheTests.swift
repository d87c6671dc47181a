import Foundation
import OAuthCore
import Testing

@testable import MSAL

/// Both formats of an ADAL cache, and bytes that are neither.
struct ADALCacheTests {
    static let list = #"""
        [{"tokenType":"Bearer","accessToken":"AT","refreshToken":"RT1","expiresIn":3599,"isMRRT":true,
          "expiresOn":"2020-01-01 10:00:00.000000","resource":"https://graph.windows.net/","userId":"ann@contoso.example",
          "oid":"o1","tenantId":"t1","_authority":"https://login.microsoftonline.com/t1","_clientId":"C1"},
         {"servicePrincipalId":"sp","servicePrincipalTenant":"t1","accessToken":"AT"},
         {"accessToken":"AT","resource":"r","userId":"bob@contoso.example","_authority":"https://x/t1","_clientId":"c1"},
         {"refreshToken":"RT2","userId":"eve@contoso.example","_clientId":"c1"}, 7]
        """#

    @Test("The list of ADAL for Python and the Azure CLI")
    func readsList() throws {
        let cache = try ADALCache(parsing: Array(Self.list.utf8))
        let token = try #require(cache.tokens.first)
        #expect(cache.tokens.count == 1)
        #expect(token.username == "ann@contoso.example")
        #expect(token.objectID == "o1")
        #expect(token.environment == "login.microsoftonline.com")
        #expect(token.refreshToken.reveal() == "RT1")
        #expect(cache.skipped == 4)
    }

    @Test(
        "A resource becomes its scope; a trailing slash becomes two",
        arguments: [
            ("https://graph.windows.net/", "https://graph.windows.net//.default"),
            ("https://graph.microsoft.com", "https://graph.microsoft.com/.default"),
            ("00000002-0000-0000-c000-000000000000", "00000002-0000-0000-c000-000000000000/.default"),
        ])
    func scopes(resource: String, scope: String) throws {
        var token = try #require(try ADALCache(parsing: Array(Self.list.utf8)).tokens.first)
        token.resource = resource
        #expect(token.scopes.names == [scope])
    }

    @Test(
        "The user of a token",
        arguments: [
            (AccountReference(homeAccountID: "", username: "ANN@contoso.example"), "c1", true),
            (.init(homeAccountID: "", objectID: "O1", username: nil), "C1", true),
            (.init(homeAccountID: "", username: "bob@contoso.example"), "c1", false),
            (.init(homeAccountID: "", username: "ann@contoso.example"), "c2", false),
            (.init(homeAccountID: "", username: ""), "c1", false),
        ])
    func belongs(account: AccountReference, client: String, expected: Bool) throws {
        let token = try #require(try ADALCache(parsing: Array(Self.list.utf8)).tokens.first)
        #expect(token.belongs(to: account, client: client) == expected)
    }

    /// A blob as ADAL .NET writes it.
    static func blob(version: Int32 = 3, count: Int32? = nil, _ entries: [(key: String, value: String)]) -> [UInt8] {
        func number(_ value: Int32) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        func text(_ text: String) -> [UInt8] {
            var length = text.utf8.count
            var prefix: [UInt8] = []
            while length >= 0x80 {
                prefix.append(UInt8(length & 0x7F) | 0x80)
                length >>= 7
            }
            return prefix + [UInt8(length)] + Array(text.utf8)
        }
        return number(version) + number(count ?? Int32(entries.count))
            + entries.flatMap { text($0.key) + text($0.value) }
    }

    static let value = #"""
        {"Result":{"UserInfo":{"UniqueId":"o1","DisplayableId":"ann@contoso.example","GivenName":"Ann","FamilyName":"A"}},
         "RawClientInfo":"eyJ1aWQiOiJvMSIsInV0aWQiOiJ0MSJ9","RefreshToken":"RT1","ResourceInResponse":"r"}
        """#
    static let key = "https://login.microsoftonline.com/t1/:::https://graph.windows.net:::c1:::0"

    @Test("The blob of ADAL .NET, including texts longer than 255 bytes")
    func readsBlob() throws {
        let long = Self.value.replacingOccurrences(of: "RT1", with: String(repeating: "R", count: 20_000))
        let cache = try ADALCache(
            parsing: Self.blob([
                (Self.key, Self.value), (Self.key, long), ("a:::b:::c:::1", Self.value), ("a:::b", Self.value),
                (Self.key, "not JSON"), (Self.key, "{}"),
            ]))
        #expect(cache.tokens.count == 2)
        #expect(cache.tokens.first?.clientInfo?.homeAccountID == "o1.t1")
        #expect(cache.tokens.first?.resource == "https://graph.windows.net")
        #expect(cache.tokens.last?.refreshToken.reveal().count == 20_000)
        #expect(cache.skipped == 4)
    }

    @Test(
        "Rejects anything else",
        arguments: [
            ([], .unreadable), (Array("{}".utf8), .version(0)), (Array("[".utf8), .unreadable),
            ([3, 0, 0], .unreadable),
            (blob(version: 2, []), .version(2)), (blob(count: -1, []), .unreadable), (blob(count: 1, []), .unreadable),
            (blob(count: .max, [(key, value)]), .unreadable), ([3, 0, 0, 0, 1, 0, 0, 0, 0xFF], .unreadable),
            ([3, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .unreadable),
            ([3, 0, 0, 0, 1, 0, 0, 0, 2, 0xC3, 0x28, 0], .unreadable),
        ] as [([UInt8], ADALCache.Malformed?)])
    func rejected(bytes: [UInt8], expected: ADALCache.Malformed?) {
        // The two characters of an empty object are not a valid version.
        let failure = #expect(throws: ADALCache.Malformed.self) { try ADALCache(parsing: bytes) }
        if bytes != Array("{}".utf8) { #expect(failure == expected) }
    }

    @Test("Every truncated or modified blob is read or rejected")
    func hostile() {
        let whole = Self.blob([(Self.key, Self.value), (Self.key, Self.value)])
        for index in whole.indices {
            #expect(throws: ADALCache.Malformed.self) { try ADALCache(parsing: Array(whole.prefix(index))) }
            var flipped = whole
            flipped[index] ^= 0xFF
            let tokens = (try? ADALCache(parsing: flipped))?.tokens.count ?? 0
            #expect(tokens <= 2)
        }
    }
}
