import OAuthCore

/// One entry of the unified schema, read: what it is to this library, whoever wrote it and under whatever key.
struct UnifiedEntry: Sendable, Equatable {
    /// The identities it stands for, its own first; none for an entry that is not ours to use.
    let identities: [CredentialKey]
    /// With the names and forms that this library's own entries have.
    let members: [String: JSONValue]

    init(_ members: [String: JSONValue], in section: UnifiedSection) {
        let fields = Fields(members: members)
        identities = fields.identities(in: section)
        self.members = fields.normalized(in: section)
    }

    /// ``members`` for a file that others read too.
    func writtenMembers(in section: UnifiedSection) -> [String: JSONValue] {
        Fields(members: members).written(in: section)
    }

    /// The record an identity of this entry stands for.
    func record(_ key: CredentialKey) -> CredentialRecord {
        guard key != identities.first else { return CredentialRecord(key, members) }
        // A family's token as its client's own: without the family, as a client's own token has none.
        return CredentialRecord(key, members.filter { $0.key != "family_id" })
    }

    /// When it was written, in seconds since 1970; 0 when it does not say.
    var writtenAt: Double {
        members["last_modification_time"]?.double ?? members["cached_at"]?.double ?? 0
    }

    var clientID: String? { members["client_id"]?.string?.lowercased() }
}

/// The members of an entry by what they mean.
private struct Fields {
    let members: [String: JSONValue]

    func identities(in section: UnifiedSection) -> [CredentialKey] {
        guard isWhole(in: section), !answersOneSpecialRequest else { return [] }
        switch section {
        case .accessToken:
            let target = Scopes(parsing: text("target") ?? "").cacheTarget
            return [key(isBound ? .boundAccessToken : .accessToken, client: client, realm: realm, target: target)]
        case .refreshToken:
            guard let family = text("family_id")?.lowercased() else { return [key(.refreshToken, client: client)] }
            // Some keep a family's token under the client only, so it is looked for under both.
            return [key(.refreshToken, client: family), key(.refreshToken, client: client)]
        case .idToken: return [key(.idToken, client: client, realm: realm)]
        case .account: return [key(.account, realm: realm)]
        case .appMetadata: return [CredentialKey(.appMetadata, environment: environment, client: client)]
        case .accountMetadata: return [CredentialKey(.accountMetadata, homeAccountID: home, client: client)]
        }
    }

    /// Whether it has what its kind cannot do without. Others put entries there that have not.
    private func isWhole(in section: UnifiedSection) -> Bool {
        let needed: [String] =
            switch section {
            case .accessToken, .idToken, .refreshToken: ["home_account_id", "environment", "client_id", "secret"]
            case .account: ["home_account_id", "environment"]
            case .appMetadata: ["client_id", "environment"]
            case .accountMetadata: ["client_id"]
            }
        return needed.allSatisfy { text($0) != nil }
    }

    /// Whether the token was had by a request with parameters that ours never has, and answers only such a request.
    private var answersOneSpecialRequest: Bool {
        let marks = ["user_assertion_hash", "userAssertionHash", "requestedClaims", "requestedClaimsHash"]
        return marks.contains { text($0) != nil } || members["ext"]?.object?.isEmpty == false || isOfOtherType
            || text("ext_cache_key").map { $0 != boundMark } ?? false
    }

    /// What sets a bound token of this library apart from a bearer token for the same scopes. MSAL Python and Go neither
    /// take one for the other then, nor replace one by the other.
    private var boundMark: String? {
        guard isBound, let keyID else { return nil }
        return UnifiedKey.extensionHash(["key_id": keyID, "token_type": text("token_type")?.lowercased() ?? ""])
    }

    /// The names the SDKs have for it.
    private var keyID: String? { text("kid") ?? text("key_id") ?? text("keyid") }

    private func key(
        _ kind: CredentialKey.Kind, client: String = "", realm: String = "", target: String = ""
    ) -> CredentialKey {
        CredentialKey(
            kind, homeAccountID: home, environment: environment, client: client, realm: realm, target: target)
    }

    private func text(_ name: String) -> String? {
        members[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private var home: String { text("home_account_id") ?? "" }
    private var client: String { text("client_id")?.lowercased() ?? "" }

    private var environment: String {
        var environment = UnifiedEnvironment(text(UnifiedEnvironment.hostMember) ?? "")
        environment.port = environment.port ?? text(UnifiedEnvironment.portMember)
        return environment.text
    }

    /// The tenant. Some keep the segment of the authority that was asked; the segments that stand for any tenant were
    /// answered by the account's own.
    private var realm: String {
        let realm = text("realm")?.lowercased() ?? ""
        guard ["common", "organizations", "consumers"].contains(realm) else { return realm }
        let parts = home.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 ? parts[1].lowercased() : realm
    }

    /// As `ssh-cert`: a certificate to log in to machines with, which is no access token for a resource.
    private var isOfOtherType: Bool {
        text("token_type").map { !["bearer", "pop"].contains($0.lowercased()) } ?? false
    }

    /// `Bearer` may be left out or empty.
    private var isBound: Bool {
        if text("credential_type")?.lowercased() == CredentialKey.Kind.boundAccessToken.rawValue.lowercased() {
            return true
        }
        return text("token_type").map { $0.lowercased() != "bearer" } ?? false
    }

    /// The names the SDKs have for one thing, and numbers as the decimal strings they should be.
    func normalized(in section: UnifiedSection) -> [String: JSONValue] {
        var normalized = members
        for name in UnifiedNumbers.names {
            if case .integer(let number) = members[name] { normalized[name] = .string(String(number)) }
        }
        if members[UnifiedEnvironment.hostMember] != nil {
            normalized[UnifiedEnvironment.hostMember] = .string(environment)
            normalized[UnifiedEnvironment.portMember] = nil
        }
        guard section == .accessToken else { return normalized }
        if isBound { normalized["kid"] = keyID.map(JSONValue.string) }
        if text("ext_cache_key") == boundMark { normalized["ext_cache_key"] = nil }
        if members["extended_expires_on"] == nil { normalized["extended_expires_on"] = members["ext_expires_on"] }
        return normalized
    }

    /// ``normalized(in:)`` as it is written: the host alone, and the mark of a bound token.
    func written(in section: UnifiedSection) -> [String: JSONValue] {
        var written = members
        if members[UnifiedEnvironment.hostMember] != nil {
            let environment = UnifiedEnvironment(environment)
            written[UnifiedEnvironment.hostMember] = .string(environment.host)
            written[UnifiedEnvironment.portMember] = environment.port.map(JSONValue.string)
        }
        if section == .accessToken, text("ext_cache_key") == nil {
            written["ext_cache_key"] = boundMark.map(JSONValue.string)
        }
        return written
    }
}

/// Members that are numbers, and are written as decimal strings.
enum UnifiedNumbers {
    static let names = [
        "cached_at", "expires_on", "extended_expires_on", "ext_expires_on", "refresh_on", "last_modification_time",
    ]
}
