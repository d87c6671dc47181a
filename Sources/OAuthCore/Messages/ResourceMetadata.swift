import Foundation

/// The metadata of a protected resource (RFC 9728 §2).
package struct ResourceMetadata: Sendable, Equatable {
    package static let maximumBytes = 1 << 18

    /// The identifier, which requests send as `resource` (RFC 8707).
    package let resource: String
    /// The issuers of the authorization servers, in order.
    package let authorizationServers: [String]
    package let scopesSupported: Scopes

    package enum Malformed: Error, Sendable, Equatable {
        case notJSONObject
        case missing(String)
        /// Needs a token in the body or the query, which can leak.
        case rejectsHeader
        case requiresDPoP
        case requiresCertificate

        package var reason: String {
            switch self {
            case .notJSONObject: "it is not a JSON object"
            case .missing(let member): "\(member) is missing"
            case .rejectsHeader: "the resource does not accept tokens in the Authorization header"
            case .requiresDPoP: "the resource accepts only DPoP tokens (RFC 9449), which are not supported yet"
            case .requiresCertificate: "the resource accepts only tokens that are bound to a TLS certificate (RFC 8705)"
            }
        }
    }

    /// Why this client can't use the resource, although the document is valid.
    package let obstacle: Malformed?

    package init(parsing bytes: [UInt8]) throws(Malformed) {
        try self.init(reading: bytes)
        if let obstacle { throw obstacle }
    }

    /// Throws only if the document is invalid.
    package init(reading bytes: [UInt8]) throws(Malformed) {
        guard bytes.count <= Self.maximumBytes, let object = (try? JSONValue(parsing: bytes))?.object else {
            throw .notJSONObject
        }
        guard let resource = object["resource"]?.string, !resource.isEmpty else { throw .missing("resource") }
        obstacle = Self.obstacle(in: object)
        self.resource = resource
        authorizationServers = object["authorization_servers"]?.array?.compactMap(\.string) ?? []
        scopesSupported = Scopes(object["scopes_supported"]?.array?.compactMap(\.string) ?? []).withoutReserved
    }

    /// What stands in for the metadata of a resource that publishes none.
    package init(undescribed resource: URL, at servers: [String]) {
        (self.resource, authorizationServers, scopesSupported) = (resource.absoluteString, servers, [])
        obstacle = nil
    }

    private static func obstacle(in members: [String: JSONValue]) -> Malformed? {
        if let methods = members["bearer_methods_supported"]?.array, !methods.contains("header") {
            return .rejectsHeader
        }
        if members["dpop_bound_access_tokens_required"]?.bool == true { return .requiresDPoP }
        return members["tls_client_certificate_bound_access_tokens"]?.bool == true ? .requiresCertificate : nil
    }

    package struct Place: Sendable, Equatable {
        package var url: URL
        package var isAnnounced: Bool
    }

    /// The addresses to try in order: those of the challenge, then the well-known path inserted before the resource's
    /// path, then at the root (RFC 9728 §3.1).
    package static func places(of resource: URL, announced: [URL]) -> [Place] {
        let wellKnown = "\(resource.origin)/.well-known/oauth-protected-resource"
        let inserted = [resource.pathAndQuery, ""].compactMap { URL(string: wellKnown + $0) }
        var seen: Set<URL> = []
        return
            (announced.map { Place(url: $0, isAnnounced: true) }
            + inserted.map { Place(url: $0, isAnnounced: false) }).filter { seen.insert($0.url).inserted }
    }

    /// Where servers put the metadata by mistake: the well-known path after the resource's path. A sign-in doesn't look there.
    package static func appendedPlace(of resource: URL) -> URL? {
        let path = resource.pathSegments.map { "/\($0)" }.joined()
        return path.isEmpty ? nil : URL(string: "\(resource.origin)\(path)/.well-known/oauth-protected-resource")
    }

    package enum Match: Sendable, Equatable {
        /// The same, but for a slash at the end, a query that only the request has, and the letter case of the host.
        case exact
        /// A path above the requested one at the same origin.
        case parent
        case other
    }

    /// Compares the resources by origin and whole path segments. RFC 9728 §3.3 compares them as text, but servers and other
    /// clients differ in what means nothing, and no token goes to another origin.
    package func match(_ requested: URL) -> Match {
        guard let own = URL(string: resource), own.isResource, own.origin == requested.origin,
            own.query() == nil || own.query() == requested.query(), let above = own.plainSegments,
            let path = requested.plainSegments
        else { return .other }
        if above == path { return .exact }
        return own.query() == nil && requested.isPart(of: own) ? .parent : .other
    }
}

extension String {
    package var withoutRootSlash: String {
        hasSuffix("/") && split(separator: "/").count == 2 ? String(dropLast()) : self
    }
}

extension URL {
    /// The path and query for the insertion of a well-known path. Empty for a root.
    fileprivate var pathAndQuery: String {
        let path = path(percentEncoded: true)
        return (path == "/" ? "" : path) + (query(percentEncoded: true).map { "?\($0)" } ?? "")
    }

    /// Whether a resource can be at the URL: ``isSecureEndpoint``, without a fragment (RFC 9728 §1.2).
    package var isResource: Bool { isSecureEndpoint && fragment() == nil }

    /// Whether a document at `resource` may name this URL as an endpoint. A public server could otherwise make this
    /// program send requests inside the user's network (RFC 9728 §7.7).
    package func isAllowedEndpoint(of resource: URL) -> Bool {
        guard isSecureEndpoint, lowercasedScheme == "https" || resource.isLoopback else { return false }
        if resource.isLoopback { return true }
        return !isLoopback && (!isPrivateAddress || resource.isPrivateAddress)
    }

    /// Whether the host is this computer by another name, or an IP address that isn't public (RFC 1918, RFC 3927, RFC 6598,
    /// RFC 6761 §6.3; for IPv6 anything outside 2000::/3, and 6to4).
    private var isPrivateAddress: Bool {
        let decoded = lowercasedHost.removingPercentEncoding ?? ""
        let host = decoded.hasSuffix(".") ? String(decoded.dropLast()) : decoded
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        if host.contains(":") {
            let first = host.prefix { $0 != ":" }
            return !(UInt16(first, radix: 16).map { (0x2000...0x3FFF).contains($0) && $0 != 0x2002 } ?? false)
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = parts.last, last.first?.isNumber == true else { return false }
        let octets = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
        // A host that ends in a number is an IPv4 address. Public servers use no other notation than four octets.
        guard octets.count == 4, parts.count == 4 else { return true }
        switch (octets[0], octets[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168): return true
        case (172, 16...31), (100, 64...127): return true
        default: return false
        }
    }
}
