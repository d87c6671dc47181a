import Foundation
import KeyturnCrypto
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

@Suite("Digests of accounts")
struct AccountDigestTests {
    private static let client = "client-1"

    private static func digest(_ home: String, _ person: AccountDigest.Person?) -> AccountDigest {
        AccountDigest(homeAccountID: home, isSignedIn: true, isSignedOut: false, tokens: nil, person: person)
    }

    private static func person(
        _ environment: String = "login.windows.net", username: String? = nil, name: String? = nil,
        _ profiles: AccountDigest.Profile...
    ) -> AccountDigest.Person {
        AccountDigest.Person(environment: environment, username: username, name: name, profiles: profiles)
    }

    private static func profile(
        _ realm: String, local: String? = nil, isHome: Bool = false, hasIDToken: Bool = false, isOpenID: Bool = false
    ) -> AccountDigest.Profile {
        AccountDigest.Profile(
            realm: realm, localAccountID: local, isHome: isHome, hasIDToken: hasIDToken, isOpenID: isOpenID)
    }

    private static func tokens(
        _ expiresOn: Date?, canRefresh: Bool = false, isFromOther: Bool = false
    ) -> AccountDigest {
        AccountDigest(
            homeAccountID: "a.b", isSignedIn: false, isSignedOut: true,
            tokens: MSALCachedTokens(expiresOn: expiresOn, canRefresh: canRefresh, isFromOtherApplication: isFromOther))
    }

    private static let lists: [(name: String, digests: [AccountDigest])] = [
        ("none", []),
        ("a signed-out account without tokens", [digest("a.b", nil)]),
        ("tokens", [tokens(nil), tokens(nil, canRefresh: true), tokens(nil, isFromOther: true)]),
        (
            "ends of tokens",
            [
                tokens(ManualTime.start), tokens(.distantFuture, canRefresh: true), tokens(.distantPast),
                tokens(Date(timeIntervalSinceReferenceDate: 0.125)),
            ]
        ),
        ("a user without profiles", [digest("a.b", person("", profile("")))]),
        ("no profile", [digest("a.b", person())]),
        (
            "a guest",
            [
                digest(
                    "a.b",
                    person(
                        username: "ana@contoso.example", name: "Ana 日本 😀",
                        profile("b", local: "l", isHome: true, hasIDToken: true),
                        profile("c", local: "", hasIDToken: true), profile("d")))
            ]
        ),
        ("an OpenID provider", [digest("s.f", person(username: "s", profile("o", isHome: true, isOpenID: true)))]),
        ("authorities", withAuthorities),
        ("an empty name", [digest("", person(username: "", name: "", profile("b")))]),
        ("a name with NUL", [digest("a\0b", person(name: "\0\n", profile("\0")))]),
        (
            "a long text",
            [digest(String(repeating: "x", count: 70_000), person("e", profile(String(repeating: "ü", count: 300))))]
        ),
        ("many", (0..<300).map { digest("\($0).b", person("\($0)", profile("\($0 % 7)"), profile("c"))) }),
    ]

    private static var withAuthorities: [AccountDigest] {
        let lists = [["https://a.example"], ["https://a.example", "https://b.example"], [], ["https://a.example"]]
        return lists.map { authorities in
            var digest = digest("a.b", person("e", username: "a", profile("b")))
            digest.authorities = authorities
            digest.person?.otherUsernames = authorities
            return digest
        }
    }

    private static func list(_ name: String) throws -> [AccountDigest] {
        try #require(lists.first { $0.name == name }).digests
    }

    @Test("Decoding the encoded bytes returns the same digests", arguments: lists.map(\.name))
    func roundTrip(name: String) throws {
        let digests = try Self.list(name)
        let form = AccountDigest.form(client: Self.client)
        #expect(form.decode(form.encode(digests)) == digests)
    }

    @Test("Truncated bytes and trailing bytes are rejected", arguments: lists.map(\.name))
    func truncated(name: String) throws {
        let digests = try Self.list(name)
        let form = AccountDigest.form(client: Self.client)
        let bytes = form.encode(digests)
        for count in Set(bytes.indices.prefix(200)).union(bytes.indices.suffix(200)) {
            #expect(form.decode(Array(bytes.prefix(count))) == nil)
        }
        #expect(form.decode(bytes + [0]) == nil)
    }

    @Test(
        "Other JSON is rejected",
        arguments: [
            "", "{}", "null", "[1]", "[{}]", "[[]]", #"[{"id":1}]"#, #"[{"id":"a","user":{}}]"#,
            #"[{"id":"a","user":1}]"#,
            #"[{"id":"a","user":{"environment":"e","profiles":1}}]"#,
            #"[{"id":"a","user":{"environment":"e","profiles":[{}]}}]"#, #"[{"id":"a"},{"id":2}]"#,
        ])
    func hostile(text: String) {
        #expect(AccountDigest.form(client: Self.client).decode(Array(text.utf8)) == nil)
    }

    @Test("Random bytes decode to digests or to nil")
    func anyBytes() {
        let random = SeededRandom()
        let form = AccountDigest.form(client: Self.client)
        let good = form.encode(Self.lists.flatMap(\.digests))
        var refused = 0
        for round in 0..<4000 {
            var bytes = round.isMultiple(of: 2) ? random.bytes(round % 90) : Array(good.prefix(600))
            if !bytes.isEmpty {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if form.decode(bytes) == nil { refused += 1 }
        }
        #expect(refused > 2000)
    }

    @Test("Another client or another version has another name")
    func names() {
        #expect(AccountDigest.form(client: "a").name != AccountDigest.form(client: "b").name)
    }

    private func records(_ changes: (TokenCache) throws -> Void) throws -> [CredentialRecord] {
        let store = MemoryCredentialStore()
        try changes(TokenCache(store: store, clientID: "Client-1"))
        return store.all.filter { !$0.key.homeAccountID.isEmpty }
    }

    @Test("Hold what a list shows after a sign-in")
    func signedIn() throws {
        let records = try records { cache in
            try cache.save(TokenGrantTests.grant(realm: "a-guest-tenant"))
            try cache.save(TokenGrantTests.grant())
        }
        let digest = try #require(AccountDigest(records, client: Self.client))
        #expect(digest.homeAccountID == "uid.utid")
        #expect(digest.isSignedIn)
        #expect(!digest.isSignedOut)
        #expect(digest.person?.name == "Ana")
        #expect(digest.person?.username == "ana@contoso.example")
        #expect(digest.person?.profiles.map(\.realm) == ["utid", "a-guest-tenant"])
        #expect(digest.person?.profiles.map(\.hasIDToken) == [true, true])
        #expect(digest.authorities == AccountMetadata.authorities(in: records))
        #expect(!digest.authorities.isEmpty)
        #expect(
            digest.tokens
                == MSALCachedTokens(
                    expiresOn: ManualTime.start.addingTimeInterval(3600), canRefresh: true,
                    isFromOtherApplication: false)
        )
    }

    @Test("Take the name from an ID token if the account has none")
    func nameInToken() throws {
        let payload = Base64URL.encode(Array(#"{"name":"Of the token"}"#.utf8))
        let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let records = try records { cache in
            var grant = TokenGrantTests.grant()
            grant.account.name = nil
            grant.idToken = Secret("\(header).\(payload).")
            try cache.save(grant)
        }
        #expect(AccountDigest(records, client: Self.client)?.person?.name == "Of the token")
        #expect(try withStandIns(records) == records)
    }

    /// The records as a store passes them, which decrypts only those without a stand-in.
    private func withStandIns(_ records: [CredentialRecord]) throws -> [CredentialRecord] {
        let form = AccountDigest.form(client: Self.client)
        return records.reduce(into: []) { $0.append(form.standIn($1.key, $0) ?? $1) }
    }

    @Test("Don't depend on the ID tokens of an account with a name")
    func standIns() throws {
        let records = try records { cache in
            try cache.save(TokenGrantTests.grant(realm: "a-guest-tenant"))
            try cache.save(TokenGrantTests.grant())
        }
        let read = try withStandIns(records)
        #expect(read.filter { $0.key.kind == .idToken }.map(\.members) == [["secret": ""], ["secret": ""]])
        #expect(read.filter { $0.key.kind != .idToken } == records.filter { $0.key.kind != .idToken })
        #expect(AccountDigest(read, client: Self.client) == AccountDigest(records, client: Self.client))
    }

    @Test("Record a sign-out for this client only")
    func signedOut() throws {
        let records = try records { cache in
            try cache.save(TokenGrantTests.grant())
            try cache.remove(homeAccountID: "uid.utid")
        }
        let digest = try #require(AccountDigest(records, client: Self.client))
        #expect(!digest.isSignedIn && digest.isSignedOut)
        #expect(digest.tokens == nil)
        #expect(digest.person != nil)
        let another = try #require(AccountDigest(records, client: "other"))
        #expect(!another.isSignedIn && !another.isSignedOut)
    }

    @Test("Mark a family member's tokens as another application's")
    func family() throws {
        let records = try records { try $0.save(TokenGrantTests.grant(family: "1")) }
        let digest = try #require(AccountDigest(records, client: "other"))
        #expect(digest.isSignedIn)
        #expect(digest.tokens == MSALCachedTokens(expiresOn: nil, canRefresh: true, isFromOtherApplication: true))
        #expect(digest.person?.profiles.map(\.hasIDToken) == [false])
    }

    @Test("Have no tokens if the client has none, or the account does not exist")
    func withoutTokens() throws {
        let records = try records { try $0.save(TokenGrantTests.grant()) }
        #expect(AccountDigest(records, client: "other")?.tokens == nil)
        #expect(AccountDigest([], client: Self.client) == nil)
        let metadata = records.filter { $0.key.kind == .accountMetadata }
        #expect(AccountDigest(metadata, client: Self.client) == nil)
    }
}
