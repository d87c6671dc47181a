import Foundation
import OAuthCore

/// The store's list of accounts (docs/decisions/0025): JSON without what is false, empty, unknown, a token or a claim.
extension CachedAccount {
    /// Increment this whenever the encoding or the content of digests changes.
    private static let version = 11

    /// `name`: decodes only the accounts that mention it, and maybe others, so that a search needn't parse them all.
    package static func digestForm(client: String, mentioning name: String? = nil) -> DigestForm<CachedAccount> {
        let mention = name.flatMap(Mention.init)
        return DigestForm(
            name: "accounts \(version) \(client)", make: { digest(of: $0, client: client) },
            standIn: { standIn(for: $0, $1) }, encode: { Array($0.json.serialized.utf8) },
            decode: { (try? JSONValue(parsing: $0)).flatMap(CachedAccount.init) },
            isWanted: { mention?.isPossible(in: $0) ?? true })
    }

    /// The account with these records, without its tokens. With the name from an ID token if no record has one, so that
    /// lists needn't read tokens. `nil` when the records contain nothing for this client's lists.
    private static func digest(of records: [CredentialRecord], client: String) -> CachedAccount? {
        guard var digest = CachedAccount(records, client: client) else { return nil }
        digest.tokens = MSALCachedTokens(of: records, client: client)
        guard !digest.profiles.isEmpty || digest.tokens != nil || digest.isSignedOut else { return nil }
        digest.authorities = records.authorities
        if let first = digest.profiles.indices.first, !digest.profiles.contains(where: { $0.name != nil }) {
            digest.profiles[first].name = digest.name
        }
        for index in digest.profiles.indices where digest.profiles[index].claims != nil {
            digest.profiles[index].claims = .unread
        }
        return digest
    }

    /// An ID token without content, if an earlier account record has the name: then its existence is enough.
    private static func standIn(for key: CredentialKey, _ earlier: [CredentialRecord]) -> CredentialRecord? {
        guard key.kind == .idToken,
            earlier.contains(where: { $0.key.kind == .account && $0.members["name"]?.visibleText != nil })
        else { return nil }
        return CredentialRecord(key, ["secret": ""])
    }

    private var json: JSONValue {
        JSONValue(members: [
            "id": .string(homeAccountID), "environment": environment.isEmpty ? nil : .string(environment),
            "username": username.map(JSONValue.string),
            "profiles": profiles.isEmpty ? nil : .array(profiles.map(\.json)), "signedIn": flag(isSignedIn),
            "signedOut": flag(isSignedOut), "tokens": tokens?.json, "authorities": list(authorities),
        ])
    }

    private init?(_ json: JSONValue) {
        guard let homeAccountID = json["id"]?.string else { return nil }
        let values = json["profiles"].map { $0.array ?? [.null] } ?? []
        let profiles = values.compactMap(Profile.init)
        guard profiles.count == values.count else { return nil }
        self.init(
            homeAccountID: homeAccountID, environment: json["environment"]?.string ?? "",
            username: json["username"]?.string, profiles: profiles, isSignedIn: json["signedIn"] == true,
            isSignedOut: json["signedOut"] == true, tokens: json["tokens"].map(MSALCachedTokens.init),
            authorities: texts(json["authorities"]))
    }
}

/// A name that JSON text may contain, in any letter case.
private struct Mention {
    private let lowercased: [UInt8]

    /// `nil` for a name that JSON text spells otherwise, or whose letter case isn't a matter of single bytes.
    init?(_ name: String) {
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy(Self.isPlain) else { return nil }
        lowercased = bytes.map(Self.lowercased)
    }

    func isPossible(in text: ArraySlice<UInt8>) -> Bool {
        text.withUnsafeBufferPointer { text in
            text.indices.contains { start in
                // A letter outside ASCII can equal one of ASCII when case is ignored.
                !Self.isPlainOrQuote(text[start])
                    || lowercased.count <= text.count - start
                        && lowercased.indices.allSatisfy { Self.lowercased(text[start + $0]) == lowercased[$0] }
            }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool { isPlainOrQuote(byte) && byte != UInt8(ascii: "\"") }

    private static func isPlainOrQuote(_ byte: UInt8) -> Bool { 0x20..<0x7F ~= byte && byte != UInt8(ascii: "\\") }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}

extension CachedAccount.Profile {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "realm": .string(realm), "localID": localAccountID.map(JSONValue.string),
            "username": username.map(JSONValue.string), "isHome": flag(isHome),
            "type": authorityType == Self.entraType ? nil : .string(authorityType), "hasIDToken": flag(claims != nil),
            "name": name.map(JSONValue.string), "formerUsernames": list(formerUsernames),
        ])
    }

    fileprivate init?(_ json: JSONValue) {
        guard let realm = json["realm"]?.string else { return nil }
        self.init(
            localAccountID: json["localID"]?.string, realm: realm, username: json["username"]?.string,
            isHome: json["isHome"] == true, authorityType: json["type"]?.string ?? Self.entraType,
            claims: json["hasIDToken"] == true ? .unread : nil, name: json["name"]?.string,
            formerUsernames: texts(json["formerUsernames"]))
    }
}

extension MSALCachedTokens {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "expires": expiresOn.map { .number($0.timeIntervalSinceReferenceDate) }, "canRefresh": flag(canRefresh),
            "ofOther": flag(isFromOtherApplication),
            "signedIn": signedInOn.map { .number($0.timeIntervalSinceReferenceDate) }, "ends": signInExpiry?.json,
        ])
    }

    fileprivate init(_ json: JSONValue) {
        self.init(
            expiresOn: json["expires"]?.double.map(Date.init(timeIntervalSinceReferenceDate:)),
            canRefresh: json["canRefresh"] == true, isFromOtherApplication: json["ofOther"] == true,
            signedInOn: json["signedIn"]?.double.map(Date.init(timeIntervalSinceReferenceDate:)),
            signInExpiry: json["ends"].flatMap(MSALSignInExpiry.init))
    }
}

extension MSALSignInExpiry {
    fileprivate var json: JSONValue {
        [
            "on": .number(date.timeIntervalSinceReferenceDate),
            "from": .number(countedFrom.timeIntervalSinceReferenceDate), "basis": .string(basis.rawValue),
        ]
    }

    fileprivate init?(_ json: JSONValue) {
        guard let date = json["on"]?.double, let start = json["from"]?.double,
            let basis = json["basis"]?.string.flatMap(Basis.init)
        else { return nil }
        self.init(
            date: Date(timeIntervalSinceReferenceDate: date), countedFrom: Date(timeIntervalSinceReferenceDate: start),
            basis: basis)
    }
}

private func flag(_ value: Bool) -> JSONValue? { value ? true : nil }

private func list(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : JSONValue(texts) }

private func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

extension MSALCachedTokens {
    init?(of records: [CredentialRecord], client: String) {
        var expiresOn: Date?
        var (refreshToken, metadata): (CachedRefreshToken?, CredentialRecord?)
        var (hasOwn, hasFamily, canRefresh) = (false, false, false)
        // One pass, because the first list calls this for every account.
        for record in records {
            let isOwn = record.key.client == client
            switch record.key.kind {
            case .accessToken, .boundAccessToken:
                guard isOwn else { continue }
                hasOwn = true
                if let expiry = CachedAccessToken(record)?.expiresOn { expiresOn = max(expiresOn ?? expiry, expiry) }
            case .refreshToken:
                if isOwn { hasOwn = true }
                guard let token = CachedRefreshToken(record) else { continue }
                if token.familyID?.isEmpty == false { hasFamily = true }
                if isOwn { canRefresh = true }
                if isOwn || refreshToken == nil && token.familyID?.isEmpty == false { refreshToken = token }
            case .accountMetadata: if isOwn { metadata = record }
            case .idToken, .account, .appMetadata, .proofKey, .document: continue
            }
        }
        guard hasOwn || hasFamily else { return nil }
        self.init(
            expiresOn: expiresOn, canRefresh: hasFamily || canRefresh, isFromOtherApplication: !hasOwn,
            signedInOn: metadata?.signedInOn, signInExpiry: refreshToken.flatMap { MSALSignInExpiry(of: $0, metadata) })
    }
}
