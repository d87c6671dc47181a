import Foundation
import MSAL
import OAuthCore

/// What a value is in a sign-in, whatever a product calls it.
///
/// The text is its heading.
enum ValueRole: String, Sendable, CaseIterable {
    case issuer = "Issuer", authority = "Authority", audience = "Audience", resource = "Resource", redirectURI =
        "Redirect URI"
    case clientID = "Client ID", tenant = "Tenant", scope = "Scope", nonce = "Nonce", state = "State", subject =
        "Subject"
    case address = "Host", region = "Region"

    var title: String { rawValue }

    /// In a sentence.
    var noun: String {
        self == .redirectURI || self == .clientID
            ? title.prefix(1).lowercased() + title.dropFirst() : title.lowercased()
    }

    /// What a sentence calls it, in small letters.
    var words: [String] { Self.words[self] ?? [] }

    /// What a program says that rejected something because of the value, without naming it.
    var symptoms: [String] { Self.symptoms[self] ?? [] }

    private static let symptoms: [ValueRole: [String]] = [
        .issuer: rejection, .audience: rejection, .clientID: rejection, .subject: "assumerolewithwebidentity",
        .region: "invalid_grant|invalid grant|invalidgrant|invalidrequest",
    ].mapValues(Facts.list)

    private static let rejection = "invalid_token|invalid bearer|unauthorized|logged in to the server|webidentity"

    private static let words: [ValueRole: [String]] = [
        .issuer: "issuer|issued by| iss |'iss'|\"iss\"|(iss)|`iss`", .authority: "authority",
        .audience: "audience| aud |'aud'|\"aud\"|(aud)|`aud`", .resource: "resource",
        .redirectURI:
            "redirect uri|redirect_uri|redirect url|redirect_url|redirecturi|redirecturl|redirect-ur|callback url|"
            + "callback uri|callbackurl|reply url|reply address|intent filter|redirect_mismatch",
        .clientID: "client id|client_id|clientid|client-id|(azp)|application id", .tenant: "tenant|directory",
        .scope: "scope|permission", .nonce: "nonce", .state: "state|csrf|correlation|cookie",
        .subject: "subject|federated identity", .address: "state|csrf|correlation|cookie|origin|session|redirect url",
        .region: "region",
    ].mapValues(Facts.list)

    /// The role that a sentence names last.
    static func named(in text: String) -> ValueRole? {
        allCases.filter { $0 != .address }.compactMap { role in
            role.words.compactMap { text.ranges(of: $0).last?.upperBound }.max().map { (role, $0) }
        }.max { $0.1 < $1.1 }?.0
    }

    /// Whether it can be a whole value: no mask, no placeholder, and of the right form.
    func accepts(_ value: String) -> Bool {
        let lower = value.lowercased()
        guard (2...500).contains(value.utf8.count), !Self.isPlaceholder(lower) else { return false }
        switch self {
        case .issuer, .authority, .resource: return lower.contains("://")
        case .address: return (lower.contains(".") || lower.contains("://")) && !lower.hasPrefix("/")
        case .region: return lower.contains(#/^[a-z]{2}-[a-z-]+-[0-9]$/#)
        case .redirectURI: return lower.contains(":/") || lower.hasPrefix("urn:")
        case .clientID, .audience: return !Self.noValues.contains(lower) && !WireParameter.isListed(value)
        case .tenant: return UUID(uuidString: value) != nil || lower.contains(".")
        case .scope: return lower.contains { $0.isLetter }
        case .nonce, .state: return value.utf8.count >= 6 && !value.contains("://")
        case .subject: return value.contains(":")
        }
    }

    private static let noValues = Set(
        Facts.list("null|none|nil|true|false|string|undefined|iss|aud|the|a|an|value|claim|client_id"))

    private static let masks = Facts.list("<|>|***|xxx|…|...|${|$(|{{|redacted|your-|your_|yourdomain|hidden|%s")

    private static func isPlaceholder(_ lower: String) -> Bool {
        masks.contains(where: lower.contains) || lower.contains("{") && !lower.contains("{tenantid}")
    }
}

extension ValueRole {
    /// The role of a member, parameter, variable or label, and whose value it has. One vocabulary for all products: the name
    /// without case and separators ends with one of these words.
    static func of(_ name: String) -> (role: ValueRole, owner: RoleFact.Owner)? {
        let lower = name.lowercased()
        let joined = String(lower.filter { $0.isLetter || $0.isNumber }).trimmingSuffix("registered")
        guard !["logout", "signout", "signedout", "endpoint"].contains(where: joined.contains) else { return nil }
        let last = lower.split { !($0.isLetter || $0.isNumber) }.last.map(String.init) ?? ""
        guard let (role, owner) = short[last] ?? endings.first(where: { joined.hasSuffix($0.0) })?.1 else { return nil }
        return (role, RoleFact.Owner(saidBy: lower, of: role) ?? owner)
    }

    private static let short: [String: (ValueRole, RoleFact.Owner)] = [
        "iss": (.issuer, .token), "aud": (.audience, .token), "tid": (.tenant, .token), "scp": (.scope, .granted),
        "sub": (.subject, .token),
        "issuer": (.issuer, .configured), "audience": (.audience, .configured), "authority": (.authority, .configured),
        "tenant": (.tenant, .configured), "subject": (.subject, .configured), "resource": (.audience, .configured),
        "referer": (.address, .opened), "origin": (.address, .opened), "browser": (.address, .opened),
    ]

    /// The longer ones first.
    private static let endings: [(String, (ValueRole, RoleFact.Owner))] = [
        ("redirecturis|redirecturls|callbackurls|replyurls", (.redirectURI, .registered)),
        ("redirecturi|redirecturl|callbackurl|callbackuri|replyurl|replyaddress", (.redirectURI, .configured)),
        ("issueruri|issuerurl|validissuers|issuer", (.issuer, .configured)),
        ("authorityurl|authority|instance", (.authority, .configured)),
        ("clientid|applicationid", (.clientID, .configured)),
        ("validaudiences|allowedaudiences|audience", (.audience, .configured)),
        ("tenantid|directoryid", (.tenant, .configured)), ("requiredscopes", (.scope, .needed)),
        ("ssoregion", (.region, .configured)), ("boundaudiences", (.audience, .configured)),
        ("grantedscopes", (.scope, .granted)), ("contenturl|returnurl|returnto", (.address, .opened)),
        ("rooturl|externalurl|publicurl|siteurl|appurl|nextauthurl|authurl", (.address, .configured)),
    ].flatMap { names, value in Facts.list(names).map { ($0, value) } }
}
