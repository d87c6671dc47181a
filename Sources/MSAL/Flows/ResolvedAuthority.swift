import Foundation
import KeyturnCrypto
import OAuthCore

/// An authority with its endpoints, issuer and aliases.
struct ResolvedAuthority: Sendable {
    var authority: Authority
    var configuration: OpenIDConfiguration
    var environments: Environments
    /// Whether the discovery document came from the cache and may be outdated.
    var isCached: Bool
    /// The signing keys, if they were fetched before the user acted.
    var keys: JWKSet?

    /// The aliases of an authority in the cache, from instance discovery.
    struct Environments: Sendable, Equatable {
        /// The alias for new credentials.
        var preferredCache: String
        /// The host for requests.
        var preferredNetwork: String
        /// The aliases to search, most likely first.
        var all: [String]

        /// ``all``, also without port numbers, because the schema that other programs share has none
        /// (docs/decisions/0010).
        var inCache: [String] {
            all + all.map { UnifiedEnvironment($0).withoutPort }.filter { !all.contains($0) }
        }

        init(_ cloud: InstanceDiscovery.Cloud, own: String) {
            preferredCache = cloud.preferredCache
            preferredNetwork = cloud.preferredNetwork
            all = cloud.cacheNames(own: own)
        }

        init(only environment: String) {
            preferredCache = environment
            preferredNetwork = environment
            all = [environment]
        }
    }

    var issuer: IssuerTemplate { configuration.issuer }

    var speaksEntra: Bool { authority.speaksEntra }

    var tokenHost: String { configuration.tokenEndpoint.hostAndPort }

    /// Whether the token endpoint is at one of the authority's aliases. Authorities without aliases may use other
    /// hosts.
    private var sendsTokensToItsOwnCloud: Bool { authority.tenant == nil || environments.all.contains(tokenHost) }

    /// Throws when a refresh token would be sent to another cloud than the one that issued it.
    func requireOwnCloud() throws {
        guard sendsTokensToItsOwnCloud else {
            throw AuthenticationFailure.user(.interactionRequired(.anotherCloud(host: tokenHost)))
        }
    }

    /// The issuer's path instead of a tenant, to keep several issuers on one host apart.
    var realm: String {
        configuration.issuer.text.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2)
            .joined(separator: "/")
    }

    /// A short hash that makes subjects unique across issuers. It becomes part of an identifier that may be logged.
    var issuerFingerprint: String { Self.fingerprint(of: issuer) }

    static func fingerprint(of issuer: IssuerTemplate) -> String {
        String(Base64URL.encode(SHA2.sha256(Array(issuer.text.utf8))).prefix(fingerprintLength))
    }

    /// The fingerprint at the end of an identifier, or `nil` if another program made the identifier.
    static func fingerprint(in homeAccountID: String) -> String? {
        guard let dot = homeAccountID.lastIndex(of: ".") else { return nil }
        let tail = homeAccountID[homeAccountID.index(after: dot)...]
        let isFingerprint =
            tail.utf8.count == fingerprintLength
            && tail.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        return isFingerprint ? String(tail) : nil
    }

    private static let fingerprintLength = 22
}
