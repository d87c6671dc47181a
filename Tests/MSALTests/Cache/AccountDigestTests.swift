import Foundation
import KeyturnCrypto
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

@Suite("Digests of accounts")
struct AccountDigestTests {
    private static let client = "client-1"

    private static func account(
        _ home: String, in environment: String = "login.windows.net", username: String? = nil,
        _ profiles: CachedAccount.Profile...
    ) -> CachedAccount {
        CachedAccount(
            homeAccountID: home, environment: environment, username: username, profiles: profiles, isSignedIn: true)
    }

    private static func profile(
        _ realm: String, local: String? = nil, isHome: Bool = false, hasIDToken: Bool = false, isOpenID: Bool = false,
        name: String? = nil, former: [String] = []
    ) -> CachedAccount.Profile {
        CachedAccount.Profile(
            localAccountID: local, realm: realm, isHome: isHome, authorityType: isOpenID ? "Other" : "MSSTS",
            claims: hasIDToken ? .unread : nil, name: name, formerUsernames: former)
    }

    private static func tokens(
        _ expiresOn: Date?, canRefresh: Bool = false, isFromOther: Bool = false, signedInOn: Date? = nil,
        signInExpiry: MSALSignInExpiry? = nil
    ) -> CachedAccount {
        CachedAccount(
            homeAccountID: "a.b", environment: "", profiles: [], isSignedOut: true,
            tokens: MSALCachedTokens(
                expiresOn: expiresOn, canRefresh: canRefresh, isFromOtherApplication: isFromOther,
                signedInOn: signedInOn, signInExpiry: signInExpiry))
    }

    private static let lists: [(name: String, digests: [CachedAccount])] = [
        ("none", []),
        (
            "a signed-out account without tokens",
            [CachedAccount(homeAccountID: "a.b", environment: "", profiles: [], isSignedOut: true)]
        ),
        ("tokens", [tokens(nil), tokens(nil, canRefresh: true), tokens(nil, isFromOther: true)]),
        (
            "ends of tokens",
            [
                tokens(ManualTime.start), tokens(.distantFuture, canRefresh: true), tokens(.distantPast),
                tokens(Date(timeIntervalSinceReferenceDate: 0.125)),
            ]
        ),
        (
            "ends of sign-ins",
            MSALSignInExpiry.Basis.allCases.map {
                tokens(
                    nil, signedInOn: ManualTime.start,
                    signInExpiry: MSALSignInExpiry(date: .distantFuture, countedFrom: ManualTime.start, basis: $0))
            }
        ),
        ("a user without profiles", [account("a.b", in: "", profile(""))]),
        ("no profile", [account("a.b")]),
        (
            "a guest",
            [
                account(
                    "a.b", username: "ana@contoso.example",
                    profile("b", local: "l", isHome: true, hasIDToken: true, name: "Ana 日本 😀"),
                    profile("c", local: "", hasIDToken: true, former: ["ana@old.example", "a"]), profile("d"))
            ]
        ),
        ("an OpenID provider", [account("s.f", username: "s", profile("o", isHome: true, isOpenID: true))]),
        ("authorities", withAuthorities),
        ("an empty name", [account("", username: "", profile("b", name: ""))]),
        ("a name with NUL", [account("a\0b", profile("\0", name: "\0\n"))]),
        (
            "a long text",
            [account(String(repeating: "x", count: 70_000), in: "e", profile(String(repeating: "ü", count: 300)))]
        ),
        ("many", (0..<300).map { account("\($0).b", in: "\($0)", profile("\($0 % 7)"), profile("c")) }),
    ]

    private static var withAuthorities: [CachedAccount] {
        let lists = [["https://a.example"], ["https://a.example", "https://b.example"], [], ["https://a.example"]]
        return lists.map { authorities in
            var account = account("a.b", in: "e", username: "a", profile("b", former: authorities))
            account.authorities = authorities
            return account
        }
    }

    private static func list(_ name: String) throws -> [CachedAccount] {
        try #require(lists.first { $0.name == name }).digests
    }

    @Test("Decoding the encoded bytes returns the same digest", arguments: lists.map(\.name))
    func roundTrip(name: String) throws {
        let form = CachedAccount.digestForm(client: Self.client)
        for digest in try Self.list(name) { #expect(form.decode(form.encode(digest)) == digest) }
    }

    /// What a search decodes.
    private static func wanted(_ name: String, among digests: [CachedAccount]) -> [CachedAccount] {
        let form = CachedAccount.digestForm(client: client, mentioning: name)
        return digests.filter { form.isWanted(form.encode($0)[...]) }
    }

    @Test(
        "A search decodes every account that mentions the name, in any letter case or spelling",
        arguments: lists.map(\.name))
    func mentions(name: String) throws {
        let digests = try Self.list(name)
        for wanted in digests.flatMap({ [$0.homeAccountID, $0.username ?? "", ($0.username ?? "").uppercased()] }) {
            let found = Self.wanted(wanted, among: digests)
            let named = CachedAccounts.named(wanted, among: digests, onlySignedIn: false)
            #expect(CachedAccounts.named(wanted, among: found, onlySignedIn: false) == named)
            #expect(
                found.filter { $0.homeAccountID == wanted } == digests.filter { $0.homeAccountID == wanted })
        }
    }

    @Test("A search among plain names decodes no other account; one that could be spelled otherwise is decoded")
    func onlyMentions() throws {
        func account(_ name: String) -> CachedAccount {
            let profile = CachedAccount.Profile(
                realm: "t", username: name, isHome: true, authorityType: CachedAccount.Profile.entraType)
            return CachedAccount(homeAccountID: "\(name).t", environment: "e", username: name, profiles: [profile])
        }
        let digests = ["ann@a", "bob@a", "\u{212A}im@a", "a\"b@a", "ann@ab"].map(account)
        func found(_ name: String) -> [String?] { Self.wanted(name, among: digests).map(\.username) }
        #expect(found("ANN@A") == ["ann@a", "\u{212A}im@a", "a\"b@a", "ann@ab"])
        #expect(found("bob@a") == ["bob@a", "\u{212A}im@a", "a\"b@a"])
        #expect(found("a\"b@a").count == digests.count)
        #expect(found("\u{212A}").count == digests.count)
    }

    @Test("Truncated bytes and trailing bytes are rejected", arguments: lists.map(\.name))
    func truncated(name: String) throws {
        let form = CachedAccount.digestForm(client: Self.client)
        for digest in try Self.list(name).prefix(20) {
            let bytes = form.encode(digest)
            for count in Set(bytes.indices.prefix(200)).union(bytes.indices.suffix(200)) {
                #expect(form.decode(Array(bytes.prefix(count))) == nil)
            }
            #expect(form.decode(bytes + [0]) == nil)
        }
    }

    @Test(
        "Other JSON is rejected",
        arguments: [
            "", "[]", "null", "1", "{}", #"{"id":1}"#, #"{"id":"a","profiles":1}"#, #"{"id":"a","profiles":[{}]}"#,
            #"{"id":"a","profiles":[1]}"#, #"[{"id":"a"}]"#,
        ])
    func hostile(text: String) {
        #expect(CachedAccount.digestForm(client: Self.client).decode(Array(text.utf8)) == nil)
    }

    @Test("Random bytes decode to a digest or to nil")
    func anyBytes() {
        let random = SeededRandom()
        let form = CachedAccount.digestForm(client: Self.client)
        let good = Self.lists.flatMap(\.digests).prefix(20).map(form.encode)
        var rejected = 0
        for round in 0..<4000 {
            var bytes = round.isMultiple(of: 2) ? random.bytes(round % 90) : good[round % good.count]
            if !bytes.isEmpty {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if form.decode(bytes) == nil { rejected += 1 }
        }
        #expect(rejected > 2000)
    }

    @Test("Another client or another version has another name")
    func names() {
        #expect(CachedAccount.digestForm(client: "a").name != CachedAccount.digestForm(client: "b").name)
    }

    private static func digest(_ records: [CredentialRecord], client: String) -> CachedAccount? {
        CachedAccount.digestForm(client: client).make(records)
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
        let digest = try #require(Self.digest(records, client: Self.client))
        #expect(digest.homeAccountID == "uid.utid")
        #expect(digest.isSignedIn)
        #expect(!digest.isSignedOut)
        #expect(digest.name == "Ana")
        #expect(digest.username == "ana@contoso.example")
        #expect(digest.profiles.map(\.realm) == ["utid", "a-guest-tenant"])
        #expect(digest.profiles.map { $0.claims != nil } == [true, true])
        #expect(digest.authorities == records.authorities)
        #expect(!digest.authorities.isEmpty)
        #expect(
            digest.tokens
                == MSALCachedTokens(
                    expiresOn: ManualTime.start.addingTimeInterval(3600), canRefresh: true,
                    isFromOtherApplication: false, signedInOn: ManualTime.start)
        )
    }

    @Test("Take the name from an ID token if the account has none")
    func nameInToken() throws {
        let payload = Base64URL.encode(Array(#"{"name":"Of the token"}"#.utf8))
        let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let records = try records { cache in
            var grant = TokenGrantTests.grant()
            grant.profile.claims = nil
            grant.idToken = Secret("\(header).\(payload).")
            try cache.save(grant)
        }
        #expect(Self.digest(records, client: Self.client)?.name == "Of the token")
        #expect(try withStandIns(records) == records)
    }

    /// The records as a store passes them, which decrypts only those without a stand-in.
    private func withStandIns(_ records: [CredentialRecord]) throws -> [CredentialRecord] {
        let form = CachedAccount.digestForm(client: Self.client)
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
        #expect(Self.digest(read, client: Self.client) == Self.digest(records, client: Self.client))
    }

    @Test("Record a sign-out for this client only")
    func signedOut() throws {
        let records = try records { cache in
            try cache.save(TokenGrantTests.grant())
            try cache.remove(homeAccountID: "uid.utid")
        }
        let digest = try #require(Self.digest(records, client: Self.client))
        #expect(!digest.isSignedIn && digest.isSignedOut)
        #expect(digest.tokens == nil)
        #expect(!digest.profiles.isEmpty)
        let another = try #require(Self.digest(records, client: "other"))
        #expect(!another.isSignedIn && !another.isSignedOut)
    }

    @Test("Mark a family member's tokens as another application's")
    func family() throws {
        let records = try records { try $0.save(TokenGrantTests.grant(family: "1")) }
        let digest = try #require(Self.digest(records, client: "other"))
        #expect(digest.isSignedIn)
        #expect(digest.tokens == MSALCachedTokens(expiresOn: nil, canRefresh: true, isFromOtherApplication: true))
        #expect(digest.profiles.map { $0.claims != nil } == [false])
    }

    @Test("Have no tokens if the client has none, or the account does not exist")
    func withoutTokens() throws {
        let records = try records { try $0.save(TokenGrantTests.grant()) }
        #expect(Self.digest(records, client: "other")?.tokens == nil)
        #expect(Self.digest([], client: Self.client) == nil)
        let metadata = records.filter { $0.key.kind == .accountMetadata }
        #expect(Self.digest(metadata, client: Self.client) == nil)
    }
}
