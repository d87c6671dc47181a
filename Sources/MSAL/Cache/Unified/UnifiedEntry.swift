import OAuthCore

/// An entry of the unified schema, parsed independently of its key and author.
struct UnifiedEntry: Sendable, Equatable {
    /// The keys of the records in this entry, its own first. Empty for an unusable entry.
    let identities: [CredentialKey]
    let members: [String: JSONValue]

    init(_ members: [String: JSONValue], in section: UnifiedSection) {
        let fields = Fields(members: members)
        identities = fields.identities(in: section)
        self.members = fields.normalized(in: section)
    }

    func writtenMembers(in section: UnifiedSection) -> [String: JSONValue] {
        Fields(members: members).written(in: section)
    }

    func record(_ key: CredentialKey) -> CredentialRecord {
        guard key != identities.first else { return CredentialRecord(key, members) }
        // A client's own token has no family ID.
        return CredentialRecord(key, members.filter { $0.key != "family_id" })
    }

    /// The time of writing in seconds since 1970, or 0 when it is unknown.
    var writtenAt: Double { members["last_modification_time"]?.double ?? members["cached_at"]?.double ?? 0 }

    var clientID: String? { members["client_id"]?.string?.lowercased() }
}

private struct Fields {
    let members: [String: JSONValue]

    func identities(in section: UnifiedSection) -> [CredentialKey] {
        guard isWhole(in: section), !isForOneSpecialRequest else { return [] }
        switch section {
        case .accessToken:
            let target = Scopes(parsing: text("target") ?? "").cacheTarget
            return [key(isBound ? .boundAccessToken : .accessToken, client: client, realm: realm, target: target)]
        case .refreshToken:
            guard let family = text("family_id")?.lowercased() else { return [key(.refreshToken, client: client)] }
            // Some libraries store a family's token only under the client, so it is found under both.
            return [key(.refreshToken, client: family), key(.refreshToken, client: client)]
        case .idToken: return [key(.idToken, client: client, realm: realm)]
        case .account: return [key(.account, realm: realm)]
        case .appMetadata: return [CredentialKey(.appMetadata, environment: environment, client: client)]
        case .accountMetadata: return [CredentialKey(.accountMetadata, homeAccountID: home, client: client)]
        }
    }

    /// Whether the entry has the required members. Other libraries also write entries without them.
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

    /// Whether the token answers only requests with special parameters, which this library never sends.
    private var isForOneSpecialRequest: Bool {
        let marks = ["user_assertion_hash", "userAssertionHash", "requestedClaims", "requestedClaimsHash"]
        // Such as `ssh-cert`.
        let isOfOtherType = !["bearer", "pop"].contains(text("token_type")?.lowercased() ?? "bearer")
        return marks.contains { text($0) != nil } || members["ext"]?.object?.isEmpty == false || isOfOtherType
            || text("ext_cache_key").map { $0 != boundMark } ?? false
    }

    /// Distinguishes a bound token from a bearer token with the same scopes for MSAL Python and Go.
    private var boundMark: String? {
        guard isBound, let keyID else { return nil }
        return UnifiedKey.extensionHash(["key_id": keyID, "token_type": text("token_type")?.lowercased() ?? ""])
    }

    private var keyID: String? { text("kid") ?? text("key_id") ?? text("keyid") }

    private func key(
        _ kind: CredentialKey.Kind, client: String = "", realm: String = "", target: String = ""
    ) -> CredentialKey {
        CredentialKey(kind, homeAccountID: home, environment: environment, client: client, realm: realm, target: target)
    }

    private func text(_ name: String) -> String? { members[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    private var home: String { text("home_account_id") ?? "" }
    private var client: String { text("client_id")?.lowercased() ?? "" }

    private var environment: String {
        var environment = UnifiedEnvironment(text(UnifiedEnvironment.hostMember) ?? "")
        environment.port = environment.port ?? text(UnifiedEnvironment.portMember)
        return environment.text
    }

    /// The tenant. Some libraries store the requested tenant; `common` and similar ones mean the account's home tenant.
    private var realm: String {
        let realm = text("realm")?.lowercased() ?? ""
        guard ["common", "organizations", "consumers"].contains(realm) else { return realm }
        let parts = home.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 ? parts[1].lowercased() : realm
    }

    /// Whether the token is bound to a key. An empty or missing type means `Bearer`.
    private var isBound: Bool {
        if text("credential_type")?.lowercased() == CredentialKey.Kind.boundAccessToken.rawValue.lowercased() {
            return true
        }
        return text("token_type").map { $0.lowercased() != "bearer" } ?? false
    }

    /// The members with one name for each meaning, and numbers as decimal strings.
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

    /// ``normalized(in:)`` for writing: with the host alone and the mark of a bound token.
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

/// The numeric members, which are written as decimal strings.
enum UnifiedNumbers {
    static let names = [
        "cached_at", "expires_on", "extended_expires_on", "ext_expires_on", "refresh_on", "last_modification_time",
    ]
}

/// The environment of an entry. Other libraries look for the host alone in MSAL Python's spelling: lower case, IPv6
/// addresses without brackets. A port other than 443 has its own member, which they preserve.
struct UnifiedEnvironment: Sendable, Equatable {
    static let (hostMember, portMember) = ("environment", "environment_port")

    var host: String
    var port: String?

    init(_ text: String) {
        let text = text.lowercased()
        guard let colon = text.lastIndex(of: ":") else {
            self.init(host: text, port: nil)
            return
        }
        let rest = text[text.index(after: colon)...]
        let isPort = !rest.isEmpty && rest.allSatisfy { $0.isASCII && $0.isNumber }
        // More than one colon without brackets means an IPv6 address.
        guard isPort, text.hasPrefix("[") ? text[..<colon].hasSuffix("]") : text.firstIndex(of: ":") == colon else {
            self.init(host: text, port: nil)
            return
        }
        self.init(host: String(text[..<colon]), port: rest == "443" ? nil : String(rest))
    }

    private init(host: String, port: String?) {
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.port = port
    }

    /// The text in the spelling of ``Authority/environment``.
    var text: String { host.contains(":") ? "[\(host)]\(suffix)" : host + suffix }

    var withoutPort: String { Self(host: host, port: nil).text }

    private var suffix: String { port.map { ":\($0)" } ?? "" }
}
