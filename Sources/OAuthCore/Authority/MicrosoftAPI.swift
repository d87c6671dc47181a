import CResources
import Foundation

/// The API that a scope of Microsoft Entra ID is for. The scope's prefix alone chooses the audience of a token there.
package struct ScopeTarget: Hashable, Sendable {
    /// The API's application ID URI or client ID in lower case; the name of an API of Microsoft that has several.
    package let api: String
    package let isMicrosofts: Bool
    private let permission: String

    package init(_ scope: String) {
        let (identifier, permission) = Self.parts(scope.lowercased())
        self.permission = permission
        // Whether the authority decodes a scope isn't known.
        let readings = [identifier, Self.parts(scope.decoded).identifier]
        let known = readings.lazy.compactMap { $0.isEmpty ? MicrosoftAPI.graph : MicrosoftAPI.named($0) }.first
        api = known?.name ?? identifier
        isMicrosofts = known != nil || readings.contains(where: MicrosoftAPI.isOther)
    }

    /// The identifier of the API and the permission. `https://host//.default` has the slash that belongs to an identifier.
    private static func parts(_ scope: String) -> (identifier: String, permission: String) {
        guard let slash = scope.lastIndex(of: "/") else { return ("", scope) }
        let identifier = String(scope[..<slash].reversed().drop { $0 == "/" }.reversed())
        return identifier.hasSuffix(":") ? (scope, "") : (identifier, String(scope[scope.index(after: slash)...]))
    }

    /// Whether a token for this API is for a server, of the cloud of an authority.
    package func isOwn(by server: URL, at authority: URL) -> Bool {
        guard server.isSecureEndpoint else { return false }
        if let api = MicrosoftAPI.all.first(where: { $0.name == api }) {
            return server.lowercasedScheme == "https" && server.port ?? 443 == 443 && server.cloud == authority.cloud
                && api.serves(server.lowercasedHost)
        }
        guard let own = URL(string: api), own.isSecureEndpoint, own.query() == nil, own.fragment() == nil else {
            return false
        }
        return own.origin == server.origin
    }
}

/// Microsoft's own APIs. Tokens for them open a user's mail, files and subscriptions, and nothing in a token binds it to the
/// server that asked for it.
package struct MicrosoftAPI: Sendable {
    package let name: String
    let ids: Set<String>
    /// The hosts of its identifiers, in all national clouds; with a dot at the beginning, also those below.
    let identifiers: [String]
    /// More hosts that accept its tokens, with a dot at the beginning also those below.
    let servers: [String]

    private init(_ row: JSONValue) {
        func texts(_ name: String) -> [String] { row[name]?.strings ?? [] }
        name = row["name"]?.string ?? ""
        (ids, identifiers, servers) = (Set(texts("ids")), texts("identifiers"), texts("servers"))
    }

    func serves(_ host: String) -> Bool { (identifiers + servers).contains { host.isHost($0) } }

    /// The API with an identifier that stands for all of it: an application ID, or a URL.
    static func named(_ identifier: String) -> MicrosoftAPI? {
        let ids = applicationIDs(in: identifier)
        if let api = all.first(where: { !$0.ids.isDisjoint(with: ids) }) { return api }
        let host = host(of: identifier)
        return all.first { api in api.identifiers.contains { $0 == host || $0 == ".\(host)" } }
    }

    /// Whether an identifier is of a part of an API, as a vault is, or of an API that the table lacks.
    static func isOther(_ identifier: String) -> Bool {
        if applicationIDs(in: identifier).contains(where: { ownIDs.contains(where: $0.hasSuffix) }) { return true }
        let host = host(of: identifier)
        return domains.contains { host.isHost($0) } || all.contains { $0.identifiers.contains { host.isHost($0) } }
    }

    /// The GUIDs of an identifier: alone, in braces, after `api://`, `spn:` or `urn:uuid:`, before a path, and without hyphens.
    private static func applicationIDs(in identifier: String) -> Set<String> {
        let ids = identifier.split { !($0.isHexDigit || $0 == "-") }.map { $0.filter { $0 != "-" } }
        return Set(ids.compactMap { $0.count == 32 ? $0.hyphenated : nil })
    }

    /// The host of an identifier, also without a scheme: without a user name, a port and dots at its end.
    private static func host(of identifier: String) -> String {
        let start = identifier.range(of: "://")?.upperBound ?? identifier.startIndex
        let place = identifier[start...].drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        let host = (place.split(separator: "@").last ?? "").prefix { $0 != ":" }
        return host.split(separator: ".").joined(separator: ".")
    }

    /// The ends of the application IDs that only Microsoft's services have.
    private static let ownIDs = ["-0000-0000-c000-000000000000", "-0000-0ff1-ce00-000000000000"]

    private static let file = JSONValue(resource: keyturn_resource_microsoft_apis())
    static let all = (file["apis"]?.array ?? []).map(MicrosoftAPI.init)
    /// The first row: the API of scopes that name none.
    package static let graph = all.first ?? MicrosoftAPI(.null)
    /// Domains whose names only Microsoft gives to APIs, besides the identifiers of ``all``. Customers' own identifiers are below
    /// none of them.
    static let domains = file["domains"]?.strings ?? []
}

extension String {
    /// A scope as a lenient reader understands it: in lower case, decoded until nothing is left to decode, with the usual forms of
    /// characters.
    fileprivate var decoded: String {
        // Each round shortens the text, at once for a percent sign that was encoded many times.
        var text = self
        while let next = text.replacing(#/%(25)+/#, with: "%25").removingPercentEncoding, next != text { text = next }
        return text.precomposedStringWithCompatibilityMapping.lowercased().replacing("\u{3002}", with: ".")
            .replacing("\\", with: "/")
    }

    /// The usual form of 32 hexadecimal digits.
    package var hyphenated: String {
        var rest = self[...]
        return [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length)
        }.joined(separator: "-")
    }

    /// Whether this host is another one, or below it if that begins with a dot.
    fileprivate func isHost(_ other: String) -> Bool {
        self == other || (other.hasPrefix(".") && (hasSuffix(other) || self == other.dropFirst()))
    }
}

extension URL {
    /// The cloud of a host: tokens of one belong to no server of another, which other companies run.
    fileprivate var cloud: String {
        let host = lowercasedHost
        if host.hasSuffix(".us") || host.hasSuffix(".usgovcloudapi.net") { return "us" }
        if host.hasSuffix(".cn") { return "cn" }
        return host.hasSuffix(".de") ? "de" : "public"
    }
}

extension Authority {
    package enum AudienceRule: Sendable, Equatable {
        /// The parameter `resource` (RFC 8707).
        case resource
        /// The prefix of the scopes, as at Microsoft Entra ID, which ignores or rejects `resource`.
        case scopes
        /// Nothing: a token is good for whatever accepts the authority's tokens.
        case nothing
    }

    package var audienceRule: AudienceRule {
        let host = url.lowercasedHost
        if speaksEntra || url.microsoftService != nil || host == MicrosoftHosts.versionOneIssuer { return .scopes }
        return oauthServer != nil || ["accounts.google.com", "github.com"].contains(host) ? .nothing : .resource
    }

    /// Whether a server belongs to the authority, which has all its tokens anyway, or answers for the account.
    package func owns(_ server: URL) -> Bool {
        if server.origin == url.origin { return true }
        let host = server.lowercasedHost
        switch url.origin {
        case "https://github.com": return server.origin == "https://api.github.com"
        case "https://accounts.google.com":
            return server.origin == "https://\(host)" && host.hasSuffix(".googleapis.com")
        default: return oauthServer?.account?.address.origin == server.origin
        }
    }
}

extension JSONValue {
    /// A file of `Resources`. Tests validate it; a damaged file is empty.
    package init(resource: keyturn_resource) { self = (try? JSONValue(parsing: Array(resource))) ?? .null }
}

extension [UInt8] {
    package init(_ resource: keyturn_resource) {
        self.init(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
    }
}
