import Foundation
import MSAL
import OAuthCore

/// What a value is in a sign-in, whatever a product calls it. The raw value is its heading.
enum ValueRole: String, Sendable, CaseIterable {
    case issuer = "Issuer", authority = "Authority", audience = "Audience", resource = "Resource", redirectURI =
        "Redirect URI"
    case clientID = "Client ID", tenant = "Tenant", scope = "Scope", nonce = "Nonce", state = "State", subject =
        "Subject"
    case address = "Host", region = "Region"

    var title: String { rawValue }

    var noun: String {
        self == .redirectURI || self == .clientID
            ? title.prefix(1).lowercased() + title.dropFirst() : title.lowercased()
    }

    /// In small letters.
    var words: [String] { Self.words[self] ?? [] }

    /// What a program says that rejected something because of the value, without naming it.
    var symptoms: [String] { Facts.words("roles", rawValue, "symptoms") }

    private static let words = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, Facts.words("roles", $0.rawValue, "words")) })

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

    private static let noValues = Set(Facts.words("noValues"))
    private static let masks = Facts.words("masks")

    private static func isPlaceholder(_ lower: String) -> Bool {
        masks.contains(where: lower.contains) || lower.contains("{") && !lower.contains("{tenantid}")
    }
}

extension ValueRole {
    /// One vocabulary for all products: a name without case and separators ends with one of its words.
    static func of(_ name: String) -> (role: ValueRole, owner: RoleFact.Owner)? {
        let lower = name.lowercased()
        let joined = String(lower.filter { $0.isLetter || $0.isNumber }).trimmingSuffix("registered")
        guard !["logout", "signout", "signedout", "endpoint"].contains(where: joined.contains) else { return nil }
        let last = lower.split { !($0.isLetter || $0.isNumber) }.last.map(String.init) ?? ""
        guard let (role, owner) = short[last] ?? endings.first(where: { joined.hasSuffix($0.0) })?.1 else { return nil }
        return (role, RoleFact.Owner(saidBy: lower, of: role) ?? owner)
    }

    private static let short = Dictionary(names("wholeNames")) { first, _ in first }

    private static let endings = names("endings")

    private static func names(_ list: String) -> [(String, (ValueRole, RoleFact.Owner))] {
        (KnownCause.values[list]?.array ?? []).flatMap { row -> [(String, (ValueRole, RoleFact.Owner))] in
            let role = row["role"]?.string.flatMap(ValueRole.init)
            let owner = row["owner"]?.string.flatMap(RoleFact.Owner.init)
            guard let role, let owner else { return [] }
            return (row["names"]?.strings ?? []).map { ($0, (role, owner)) }
        }
    }
}

struct RoleFact: Sendable, Equatable {
    /// The raw value is its label.
    enum Owner: String, Sendable, CaseIterable {
        case sent = "Sent", redeemed = "Token request", registered = "Registered", served = "Received at"
        case configured = "Configured", token = "Token", metadata = "Metadata", expected = "Expected", received =
            "Received"
        case opened = "Opened", granted = "Granted", needed = "Needed", listening = "Listens at", demanded =
            "API server"

        /// After the role, in a sentence.
        var phrase: String { KnownCause.values["owners"]?[rawValue]?.string ?? "" }

        /// - Parameter label: the words before the value, in small letters.
        init?(saidBy label: String, of role: ValueRole) {
            func says(_ words: String...) -> Bool { words.contains(where: label.contains) }
            if says("expected", "expecting"), !says("unexpected") {
                self = .expected
            } else if says("invalid", "unexpected", "unregistered", "not registered", "unauthorized", "not allowed") {
                self = role == .redirectURI ? .sent : .received
            } else if says("valid_", "required", "must be", "should be") {
                self = role == .scope ? .needed : .expected
            } else if says("registered", "authorized", "allowed", "whitelist", "approved", "valid redirect", "portal") {
                self = .registered
            } else if says("received", "returned", "actual", "got ", "presented", "assertion") {
                self = .received
            } else if says("sent", "in request", "passed", "requested ur") {
                self = .sent
            } else {
                return nil
            }
        }
    }

    let role: ValueRole
    let owner: Owner
    let value: String
    let line: Int
}

extension Fact {
    /// A value, in quotation marks if a blank at its end must be seen.
    static func role(_ role: ValueRole, _ value: String, labelled label: String) -> Fact {
        let bare = value.trimmingCharacters(in: .whitespaces)
        let fact =
            switch role {
            case _ where bare.contains(":/"): Fact.url(label, bare)
            case .scope: Fact.parameter("scope", bare, labelled: label)
            case .nonce, .state: Fact.parameter("state", bare, labelled: label)
            case .issuer, .authority, .audience, .resource, .redirectURI, .clientID, .tenant, .subject, .address,
                .region:
                Fact.parameter("client_id", bare, labelled: label)
            }
        return value == bare ? fact : fact.quoted(startsBlank: value.hasPrefix(" "))
    }
}
