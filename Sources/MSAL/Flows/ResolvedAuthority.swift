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
        var preferredCache: String
        var preferredNetwork: String
        /// The aliases to search, most likely first.
        var all: [String]

        /// ``all``, also without port numbers, because the schema that other programs share has none
        /// (docs/decisions/0010).
        var inCache: [String] {
            all + all.map { UnifiedEnvironment($0).withoutPort }.filter { !all.contains($0) }
        }

        /// Without a cloud, an authority has only its own name.
        init(_ cloud: InstanceDiscovery.Cloud? = nil, own: String) {
            preferredCache = cloud?.preferredCache ?? own
            preferredNetwork = cloud?.preferredNetwork ?? own
            all = cloud?.cacheNames(own: own) ?? [own]
        }
    }

    var issuer: IssuerTemplate { configuration.issuer }

    var speaksEntra: Bool { authority.speaksEntra }

    var tokenHost: String { configuration.tokenEndpoint.hostAndPort }

    /// Throws when a refresh token would be sent to another cloud than the one that issued it. An authority without aliases
    /// may use other hosts.
    func requireOwnCloud() throws {
        guard authority.tenant == nil || environments.all.contains(tokenHost) else {
            throw AuthenticationFailure.needsSignIn(.anotherCloud(host: tokenHost))
        }
    }

    /// The issuer's path instead of a tenant, to keep several issuers on one host apart.
    var realm: String {
        issuer.text.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2).joined(separator: "/")
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
