import Foundation

/// The aliases of each cloud, from Microsoft Entra ID's instance discovery.
package struct InstanceDiscovery: Sendable, Equatable {
    package static let maximumBytes = 1 << 20

    /// A cloud with its aliases: hosts with optional ports, in lower case.
    package struct Cloud: Sendable, Equatable {
        /// The host for requests.
        package var preferredNetwork: String
        /// The alias for new cache entries.
        package var preferredCache: String
        package var aliases: [String]

        /// The aliases to search the cache for, most likely first. `own`: the host of the configured authority.
        package func cacheNames(own: String) -> [String] {
            ([preferredCache, own] + aliases).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }

    package enum Failure: Error, Sendable, Equatable { case invalidInstance, unusable }

    package let clouds: [Cloud]

    package init(parsing response: HTTPResponse) throws(Failure) {
        guard response.body.count <= Self.maximumBytes else { throw .unusable }
        let value = try? JSONValue(parsing: response.body)
        if let rejection = value.flatMap({ OAuthErrorResponse($0) }) {
            throw rejection.error.lowercased() == "invalid_instance" ? .invalidInstance : .unusable
        }
        guard response.status == 200, let object = value?.object else { throw .unusable }
        let endpoint = object["tenant_discovery_endpoint"]?.string.flatMap { URL(string: $0) }
        clouds = object["metadata"]?.array?.compactMap(Self.cloud) ?? []
        guard endpoint?.isSecureEndpoint == true || !clouds.isEmpty else { throw .unusable }
    }

    package func cloud(of environment: String) -> Cloud? {
        clouds.first { $0.aliases.contains(environment.lowercased()) }
    }

    /// Rejects aliases that aren't hosts, because they become parts of URLs.
    private static func cloud(_ value: JSONValue) -> Cloud? {
        guard let network = environment(value["preferred_network"]), let cache = environment(value["preferred_cache"]),
            let aliases = value["aliases"]?.array
        else { return nil }
        return Cloud(preferredNetwork: network, preferredCache: cache, aliases: aliases.compactMap(environment))
    }

    private static func environment(_ value: JSONValue?) -> String? {
        guard let text = value?.string?.lowercased(), let url = URL(string: "https://\(text)"),
            url.isSecureEndpoint, url.path().isEmpty, url.query() == nil, url.fragment() == nil
        else { return nil }
        return url.hostAndPort
    }
}
