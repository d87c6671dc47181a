import Foundation
import OAuthCore
import Testing

@testable import MSAL

/// Reads and writes the unified token cache schema, in the variants of the SDKs that share it.
struct UnifiedDocumentTests {
    struct KeyVector: Sendable, CustomTestStringConvertible {
        var name: String
        var section: UnifiedSection
        var members: [String: JSONValue]
        var key: String
        var testDescription: String { name }

        init(_ name: String, _ section: UnifiedSection, _ changes: [String: JSONValue] = [:], key: String) {
            self.name = name
            self.section = section
            members = [
                "home_account_id": "uid.utid", "environment": "login.windows.net", "client_id": "My_client_id",
                "realm": "Contoso",
            ].merging(changes) { _, change in change }
            self.key = key
        }
    }

    /// The keys that MSAL Python computes from these members (its `TokenCache.key_makers`).
    static let keys: [KeyVector] = [
        .init(
            "access token", .accessToken, ["target": "s2 S1 s3"],
            key: "uid.utid-login.windows.net-accesstoken-my_client_id-contoso-s2 s1 s3"),
        .init(
            "access token of a special request", .accessToken, ["target": "s1", "ext_cache_key": "hash"],
            key: "uid.utid-login.windows.net-atext-my_client_id-contoso-s1-hash"),
        .init("refresh token", .refreshToken, key: "uid.utid-login.windows.net-refreshtoken-my_client_id--"),
        .init(
            "refresh token with scopes", .refreshToken, ["target": "s1 s2"],
            key: "uid.utid-login.windows.net-refreshtoken-my_client_id--s1 s2"),
        .init(
            "family refresh token", .refreshToken, ["family_id": "1"],
            key: "uid.utid-login.windows.net-refreshtoken-my_client_id--"),
        .init(
            "ID token of the segment that was asked", .idToken, ["realm": "common"],
            key: "uid.utid-login.windows.net-idtoken-my_client_id-common-"),
        .init("account", .account, key: "uid.utid-login.windows.net-contoso"),
        .init("app metadata", .appMetadata, key: "appmetadata-login.windows.net-My_client_id"),
    ]

    @Test("The key is computed from the members, as in MSAL Python", arguments: keys)
    func key(vector: KeyVector) {
        #expect(UnifiedKey.text(for: vector.members, in: vector.section) == vector.key)
    }

    @Test(
        "The hash of a request's extra parameters",
        arguments: [
            (["key1": "value1", "key2": "value2"], "latlwkpewb_a0rcsmjvkecqt0_huumkw4sflzociike"),
            (
                ["key3": "value3", "key4": "value4", "key5": "value5", "key6": "value6", "key7": "value7"],
                "prrdp31y37ufw3lo7hly0oimjjvg_34m9ji30ocu4tw"
            ),
        ])
    func extensionHash(parameters: [String: String], expected: String) {
        #expect(UnifiedKey.extensionHash(parameters) == expected)
    }

    static let accessToken = #"""
        {"credential_type":"AccessToken","home_account_id":"u1.t1","environment":"login.windows.net","client_id":"C1",
         "realm":"t1","target":"User.Read email","secret":"AT","cached_at":"1000","expires_on":"4600"}
        """#

    private func document(_ text: String) throws -> UnifiedDocument { try UnifiedDocument(parsing: Array(text.utf8)) }

    private func records(_ text: String) throws -> [CredentialRecord] { try document(text).records }

    private static func key(
        _ kind: CredentialKey.Kind, client: String = "c1", realm: String = "t1", target: String = ""
    ) -> CredentialKey {
        CredentialKey(
            kind, homeAccountID: "u1.t1", environment: "login.windows.net", client: client, realm: realm,
            target: target)
    }

    struct Variant: Sendable, CustomTestStringConvertible {
        var name: String
        var section = "AccessToken"
        var stored: String
        var entry: String
        var expected: [CredentialKey]
        var members: [String: JSONValue] = [:]
        var testDescription: String { name }
    }

    private static func entry(_ changes: [String: JSONValue]) -> String {
        guard var members = (try? JSONValue(parsing: accessToken))?.object else { return "" }
        for (name, value) in changes { members[name] = value == .null ? nil : value }
        return JSONValue.object(members).serialized
    }

    /// One entry each, in the variants of the SDKs.
    static let variants: [Variant] = [
        Variant(
            name: "the key is recomputed, scopes are sorted", stored: "whatever", entry: accessToken,
            expected: [key(.accessToken, target: "email user.read")]),
        Variant(
            name: "numbers as numbers (Go)", stored: "a", entry: entry(["expires_on": 4600, "cached_at": 1000]),
            expected: [key(.accessToken, target: "email user.read")], members: ["expires_on": "4600"]),
        Variant(
            name: "an empty token type is Bearer (Go)", stored: "a", entry: entry(["token_type": ""]),
            expected: [key(.accessToken, target: "email user.read")]),
        Variant(
            name: "key_id (Python, Node)", stored: "a", entry: entry(["token_type": "pop", "key_id": "K"]),
            expected: [key(.boundAccessToken, target: "email user.read")], members: ["kid": "K"]),
        Variant(
            name: "keyid (Go)", stored: "a", entry: entry(["token_type": "PoP", "keyid": "K"]),
            expected: [key(.boundAccessToken, target: "email user.read")], members: ["kid": "K"]),
        Variant(
            name: "kid (.NET)", stored: "a",
            entry: entry(["credential_type": "AccessToken_With_AuthScheme", "kid": "K"]),
            expected: [key(.boundAccessToken, target: "email user.read")], members: ["kid": "K"]),
        Variant(
            name: "a certificate to log in to machines (Azure CLI)", stored: "a",
            entry: entry(["token_type": "ssh-cert", "key_id": "K"]), expected: []),
        Variant(
            name: "a member that no number here can hold", stored: "a",
            entry: entry([:]).dropLast() + #","x":1e400}"#, expected: [key(.accessToken, target: "email user.read")]),
        Variant(
            name: "ext_expires_on (.NET)", stored: "a", entry: entry(["ext_expires_on": "9000"]),
            expected: [key(.accessToken, target: "email user.read")], members: ["extended_expires_on": "9000"]),
        Variant(
            name: "the authority's segment as the realm (Python, Java, Go)", stored: "a",
            entry: entry(["realm": "organizations"]), expected: [key(.accessToken, target: "email user.read")]),
        Variant(
            name: "a domain name as the realm", stored: "a", entry: entry(["realm": "Contoso.com"]),
            expected: [key(.accessToken, realm: "contoso.com", target: "email user.read")]),
        Variant(
            name: "a token of a request with parameters of its own", stored: "a",
            entry: entry(["ext_cache_key": "latlwkpewb"]), expected: []),
        Variant(
            name: "a token of requested claims (Node)", stored: "a", entry: entry(["requestedClaimsHash": "x"]),
            expected: []),
        Variant(
            name: "a token on behalf of a user", stored: "a", entry: entry(["user_assertion_hash": "x"]), expected: []
        ),
        Variant(
            name: "an application's own token", stored: "a", entry: entry(["home_account_id": .null]), expected: []),
        Variant(name: "junk", stored: "a", entry: #"{"foo":"bar"}"#, expected: []),
        Variant(name: "no entry at all", stored: "a", entry: "[1,2]", expected: []),
        Variant(
            name: "scopes in a refresh token's key (Python)", section: "RefreshToken",
            stored: "u1.t1-login.windows.net-refreshtoken-c1--s1 s2", entry: entry(["target": "s1 s2"]),
            expected: [key(.refreshToken, realm: "")]),
        Variant(
            name: "a family's refresh token under the client (Python)", section: "RefreshToken",
            stored: "u1.t1-login.windows.net-refreshtoken-c1--", entry: entry(["family_id": "1"]),
            expected: [key(.refreshToken, client: "1", realm: ""), key(.refreshToken, realm: "")]),
        Variant(
            name: "no trailing separator (Go)", section: "IdToken", stored: "u1.t1-login.windows.net-idtoken-c1-t1",
            entry: accessToken, expected: [key(.idToken)]),
        Variant(
            name: "two more separators (Node)", section: "IdToken",
            stored: "u1.t1-login.windows.net-idtoken-c1-t1---", entry: accessToken, expected: [key(.idToken)]),
        Variant(
            name: "an account's key in its own case (.NET)", section: "Account",
            stored: "u1.t1-login.windows.net-T1", entry: entry(["realm": "T1"]), expected: [key(.account, client: "")]),
        Variant(
            name: "a map's name in another case (.NET)", section: "accesstoken", stored: "a", entry: accessToken,
            expected: [key(.accessToken, target: "email user.read")]),
    ]

    @Test("Every SDK's variant of an entry is read", arguments: variants)
    func variant(row: Variant) throws {
        let text = #"{"\#(row.section)":{"\#(row.stored)":\#(row.entry)}}"#
        let records = try records(text)
        #expect(records.map(\.key) == row.expected.sorted())
        for (name, value) in row.members { #expect(records.first?.members[name] == value) }
        #expect(try document(text).unusedEntries == (row.expected.isEmpty ? 1 : 0))
    }

    @Test("Unchanged entries keep their bytes", arguments: variants)
    func untouched(row: Variant) throws {
        var document = try document(
            #"{"Future":{"n":1.50,"e":"\u00e9"},"\#(row.section)":{"\#(row.stored)":\#(row.entry)},"Z":[ 1e400 ]}"#)
        document.apply([.save(CredentialRecord(Self.key(.idToken, client: "other"), ["client_id": "other"]))])
        let text = String(decoding: document.bytes, as: UTF8.self)
        #expect(text.contains(#""Future": {"n":1.50,"e":"\u00e9"}"#))
        #expect(text.contains(#""\#(row.stored)": \#(row.entry)"#))
        #expect(text.contains(#""Z": [ 1e400 ]"#))
        #expect(try UnifiedDocument(parsing: document.bytes).bytes == document.bytes)
    }

    @Test("Of duplicates the newest counts, then the one with the lower-case key")
    func twins() throws {
        let old = Self.entry(["secret": "old"])
        let new = Self.entry(["secret": "new", "cached_at": "2000"])
        #expect(try records(#"{"AccessToken":{"a":\#(new),"b":\#(old)}}"#).map(\.secret) == ["new"])
        let upper = Self.entry(["secret": "upper"])
        let key = "u1.t1-login.windows.net-accesstoken-c1-t1-user.read email"
        for text in [
            #"{"AccessToken":{"\#(key.uppercased())":\#(upper),"\#(key)":\#(old)}}"#,
            #"{"AccessToken":{"\#(key)":\#(old),"\#(key.uppercased())":\#(upper)}}"#,
        ] {
            #expect(try records(text).map(\.secret) == ["old"])
        }
    }

    @Test("A family token is one entry and replaces its client's own copy", arguments: [false, true])
    func familyEntry(isExported: Bool) throws {
        let first = Self.entry([
            "family_id": "1", "last_modification_time": "10", "secret": "shared", "client_id": "c1",
        ])
        let records = try records(#"{"RefreshToken":{"x":\#(first)}}"#)
        #expect(records.map(\.key.client) == ["1", "c1"])
        var document = UnifiedDocument()
        // A token response saves the client's token first, an export the family's.
        document.apply((isExported ? records : records.reversed()).map(CredentialChange.save))
        #expect(document.records == records)
        #expect(try JSONValue(parsing: document.bytes)["RefreshToken"]?.object?.count == 1)
    }

    @Test("Saving replaces all duplicates under the canonical key")
    func savingReplacesTwins() throws {
        var document = try document(#"{"AccessToken":{"A":\#(Self.accessToken),"b":\#(Self.accessToken),"c":{}}}"#)
        var record = try #require(document.records.first)
        record.members["secret"] = "new"
        document.apply([.save(record)])
        #expect(document.records == [record])
        let entries = try JSONValue(parsing: document.bytes)["AccessToken"]?.object
        #expect(entries?.keys.sorted() == ["c", "u1.t1-login.windows.net-accesstoken-c1-t1-user.read email"])
    }

    @Test("Every key is written as computed from its members", arguments: variants)
    func keysFitMembers(row: Variant) throws {
        var document = UnifiedDocument()
        let records = try records(#"{"\#(row.section)":{"\#(row.stored)":\#(row.entry)}}"#)
        document.apply(records.map(CredentialChange.save))
        #expect(document.records == records)
        for (name, section) in try JSONValue(parsing: document.bytes).object ?? [:] {
            let kind = try #require(UnifiedSection(rawValue: name))
            for (key, entry) in try #require(section.object) {
                #expect(key == UnifiedKey.text(for: entry.object ?? [:], in: kind))
            }
        }
    }

    @Test("A rewritten entry keeps unknown members digit by digit, and nothing of the old credential")
    func keepsUnknownMembers() throws {
        let old = #"""
            {"credential_type":"RefreshToken","home_account_id":"u1.t1","environment":"login.windows.net",
             "client_id":"c1","secret":"old","target":"s1 s2","family_id":"1","last_modification_time":"5",
             "big":90071992547409931234567890,"precise":0.10000000000000000001,"deep":{"a":[1.50]},"mine":1}
            """#
        var document = try document(#"{"RefreshToken":{"k":\#(old)}}"#)
        document.apply([
            .save(
                CredentialRecord(
                    Self.key(.refreshToken, realm: ""),
                    [
                        "home_account_id": "u1.t1", "environment": "login.windows.net", "client_id": "c1",
                        "secret": "new", "mine": 2,
                    ]))
        ])
        let text = String(decoding: document.bytes, as: UTF8.self)
        for part in [
            #""big":90071992547409931234567890"#, #""precise":0.10000000000000000001"#, #""deep":{"a":[1.50]}"#,
            #""target":"s1 s2""#, #""secret":"new""#, #""mine":2"#,
            #""u1.t1-login.windows.net-refreshtoken-c1--s1 s2""#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("family_id") && !text.contains("old") && !text.contains("last_modification_time"))
    }

    @Test("A credential that is deleted and saved in one change keeps unknown members")
    func deletedAndSaved() throws {
        let old = Self.entry(["theirs": 1])
        var document = try document(#"{"AccessToken":{"k":\#(old)}}"#)
        var record = try #require(document.records.first)
        record.members["theirs"] = nil
        record.members["secret"] = "new"
        document.apply([.delete(record.key), .save(record)])
        #expect(document.records.map { $0.members["theirs"] } == [1])
        #expect(document.records.map(\.secret) == ["new"])
    }

    struct Port: Sendable {
        var given: String
        var written: String
        var port: JSONValue?
        var read: String
    }

    @Test(
        "The host is written alone, and the port is restored",
        arguments: [
            Port(given: "login.example", written: "login.example", port: nil, read: "login.example"),
            Port(given: "Login.Example:443", written: "login.example", port: nil, read: "login.example"),
            Port(given: "127.0.0.1:8400", written: "127.0.0.1", port: "8400", read: "127.0.0.1:8400"),
            Port(given: "[::1]:8400", written: "::1", port: "8400", read: "[::1]:8400"),
            Port(given: "[::1]", written: "::1", port: nil, read: "[::1]"),
            Port(given: "::1", written: "::1", port: nil, read: "[::1]"),
            Port(given: "a:b", written: "a:b", port: nil, read: "[a:b]"),
        ])
    func ports(row: Port) throws {
        var document = UnifiedDocument()
        let record = CredentialRecord(
            CredentialKey(.account, homeAccountID: "u1.t1", environment: row.given, realm: "t1"),
            ["home_account_id": "u1.t1", "environment": .string(row.given), "realm": "t1"])
        document.apply([.save(record)])
        let entry = try JSONValue(parsing: document.bytes)["Account"]?["u1.t1-\(row.written)-t1"]
        #expect(entry?["environment"] == .string(row.written))
        #expect(entry?["environment_port"] == row.port)
        #expect(document.records.map(\.key.environment) == [row.read])
        #expect(document.records.first?.members["environment"] == .string(row.read))
        #expect(document.records.first?.members["environment_port"] == nil)
    }

    @Test("An entry that another program wrote for the host alone is replaced, under any key")
    func hostAlone() throws {
        let theirs = Self.entry(["target": "s1", "environment": "127.0.0.1"])
        var document = try document(#"{"RefreshToken":{"127.0.0.1-s1":\#(theirs)}}"#)
        var record = try #require(document.records.first)
        record.key.environment = "127.0.0.1:8400"
        record.members["environment"] = "127.0.0.1:8400"
        record.members["secret"] = "new"
        document.apply([.save(record)])
        #expect(document.records == [record])
    }

    @Test("A signed-out account leaves the list with its last token of any client")
    func accountWithoutTokens() throws {
        let account = #"{"home_account_id":"u1.t1","environment":"login.windows.net","realm":"t1"}"#
        let special = Self.entry(["client_id": "other", "ext_cache_key": "x"])
        let signedOut = CredentialRecord.accountMetadata(
            homeAccountID: "u1.t1", clientID: "c1", signInState: .signedOut)
        let changes: [CredentialChange] = [
            .delete(Self.key(.accessToken, target: "email user.read")), .save(signedOut),
        ]
        func accounts(with other: String) throws -> Int {
            var cache = try document(
                #"{"Account":{"a":\#(account)},"AccessToken":{"mine":\#(Self.accessToken)\#(other)}}"#)
            cache.apply(changes)
            return cache.records.count { $0.key.kind == .account }
        }
        #expect(try accounts(with: "") == 0)
        #expect(try accounts(with: #","theirs":\#(special)"#) == 1)
        // A token that expires or is rejected is not a removal.
        var cache = try document(#"{"Account":{"a":\#(account)},"AccessToken":{"mine":\#(Self.accessToken)}}"#)
        cache.apply([changes[0]])
        #expect(cache.records.count { $0.key.kind == .account } == 1)
    }

    @Test("A bound token does not hide a bearer token for the same scopes")
    func boundBesideBearer() throws {
        let bearer = try #require(try records(#"{"AccessToken":{"a":\#(Self.accessToken)}}"#).first)
        var bound = bearer
        bound.key.kind = .boundAccessToken
        bound.members["token_type"] = "pop"
        bound.members["kid"] = "K"
        bound.members["secret"] = "bound"
        var document = UnifiedDocument()
        document.apply([.save(bearer), .save(bound)])
        #expect(document.records == [bearer, bound])
        let entries = try JSONValue(parsing: document.bytes)["AccessToken"]?.object ?? [:]
        // MSAL Python returns an entry with this member only for a request that has it too.
        #expect(entries.values.count { $0["ext_cache_key"] != nil } == 1)
        #expect(entries.first { $0.value["secret"] == "bound" }?.key.contains("-atext-") == true)
    }

    @Test("Numbers are written as decimal strings")
    func decimals() throws {
        var document = UnifiedDocument()
        document.apply([.save(CredentialRecord(Self.key(.accessToken), ["expires_on": 5, "other": 6]))])
        let entry = try JSONValue(parsing: document.bytes)["AccessToken"]?.object?.values.first
        #expect(entry?["expires_on"] == "5")
        #expect(entry?["other"] == 6)
    }

    @Test("Deleting removes every duplicate, and nothing else")
    func deleting() throws {
        var document = try document(
            #"{"AccessToken":{"A":\#(Self.accessToken),"b":\#(Self.accessToken),"c":{"foo":1}},"Account":{}}"#)
        document.apply([.delete(Self.key(.accessToken, target: "email user.read"))])
        #expect(document.records.isEmpty)
        #expect(try JSONValue(parsing: document.bytes)["AccessToken"] == ["c": ["foo": 1]])
    }

    @Test("Each client of a family has its own refresh token; the newest is the family's")
    func family() throws {
        let first = Self.entry(["family_id": "1", "last_modification_time": "10", "secret": "of c1"])
        let second = Self.entry([
            "family_id": "1", "last_modification_time": "20", "secret": "of c2", "client_id": "c2",
        ])
        let text = #"{"RefreshToken":{"x":\#(first),"y":\#(second)}}"#
        let records = try records(text)
        #expect(records.map(\.key.client) == ["1", "c1", "c2"])
        #expect(records.map(\.secret) == ["of c2", "of c1", "of c2"])
        #expect(records.map { $0.members["family_id"] } == ["1", nil, nil])

        // The first client's removal leaves the second client's token.
        var document = try document(text)
        document.apply([.delete(Self.key(.refreshToken, realm: ""))])
        #expect(document.records.map(\.secret) == ["of c2", "of c2"])

        // The first client's refresh leaves it too, and both tokens now count.
        var refreshed = try self.document(text)
        var own = try #require(records.first { $0.key.client == "c1" })
        own.members["secret"] = "renewed"
        own.members["last_modification_time"] = "30"
        var shared = own
        shared.key.client = "1"
        shared.members["family_id"] = "1"
        refreshed.apply([.save(own), .save(shared)])
        #expect(refreshed.records.map(\.secret) == ["renewed", "renewed", "of c2"])
    }

    @Test(
        "Anything else is rejected, without repeating its content",
        arguments: [
            ("[]", .notJSON), (#"{"AccessToken":{}"#, .notJSON), (#"{"a":1,}"#, .notJSON), (#"{"a":tru}"#, .notJSON),
            (#"{"a":01}"#, .notJSON), (#"{"a":"\x"}"#, .notJSON), (#"{"a":"\u12g4"}"#, .notJSON),
            ("{\"a\":\"\n\"}", .notJSON), (#"{"a":1}{"#, .notJSON), ("hello", .notJSON), ("null", .notJSON),
            (String(repeating: #"{"a":"#, count: 100_000), .notJSON), (#"{"AccessToken":[]}"#, .notAMap("AccessToken")),
            (#"{"Account":"secret"}"#, .notAMap("Account")),
        ] as [(String, UnifiedDocument.Malformed)])
    func rejected(text: String, expected: UnifiedDocument.Malformed) {
        #expect(throws: expected) { try UnifiedPayload(parsing: Array(text.utf8)) }
    }

    @Test("Bytes that are not UTF-8 are rejected")
    func notUTF8() {
        #expect(throws: UnifiedDocument.Malformed.notJSON) {
            try UnifiedDocument(parsing: Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8))
        }
    }

    @Test("An empty file is an empty cache, and null an empty map", arguments: ["", " \n", "{}", #"{"Account":null}"#])
    func empty(text: String) throws {
        var payload = try UnifiedPayload(parsing: Array(text.utf8))
        #expect(payload.document.records.isEmpty)
        let account = CredentialRecord(
            Self.key(.account, client: ""),
            ["home_account_id": "u1.t1", "environment": "login.windows.net", "realm": "t1"])
        payload.document.apply([.save(account)])
        #expect(try UnifiedPayload(parsing: payload.bytes).document.records == [account])
    }

    @Test("Of members with the same name the last counts, including at the root")
    func repeated() throws {
        let text = #"{"AccessToken":{"a":{"foo":1},"a":\#(Self.accessToken)},"IdToken":[],"IdToken":{}}"#
        #expect(try records(text).count == 1)
        let twice = Self.accessToken.replacingOccurrences(of: #""secret":"AT""#, with: #""secret":"x","secret":"y""#)
        #expect(try records(#"{"AccessToken":{"a":\#(twice)}}"#).map(\.secret) == ["y"])
    }

    @Test("A base64 cache is read, and stays base64")
    func base64() throws {
        let text = #"{"AccessToken":{"a":\#(Self.accessToken)}}"#
        let payload = try UnifiedPayload(parsing: Array(Data(text.utf8).base64EncodedString().utf8) + [0x0A])
        #expect(payload.form == .base64)
        #expect(payload.document.records.count == 1)
        #expect(try UnifiedPayload(parsing: payload.bytes).document.records == payload.document.records)
        #expect(Data(base64Encoded: Data(payload.bytes)) != nil)
        #expect(try UnifiedPayload(parsing: Array("\u{FEFF}\(text)".utf8)).form == .raw)
    }

    @Test("A truncated cache is read or rejected, and never crashes the reader")
    func cuts() throws {
        let whole = Array(#"{"Future":[true,-1.5e3,"\u00e9\\"],"AccessToken":{"a":\#(Self.accessToken)}}"#.utf8)
        var rejected = 0
        for count in 1..<whole.count {
            do throws(UnifiedDocument.Malformed) {
                _ = try UnifiedDocument(parsing: Array(whole.prefix(count))).records
            } catch {
                rejected += 1
            }
            var flipped = whole
            flipped[count] ^= 0x55
            _ = try? UnifiedDocument(parsing: flipped).bytes
        }
        #expect(rejected == whole.count - 1)
    }
}

extension CredentialRecord {
    fileprivate var secret: String? { members["secret"]?.string }
}
