import Foundation
import KeyturnCrypto
import OAuthCore

/// An authority with everything that had to be asked: its endpoints, its issuer, its names.
struct ResolvedAuthority: Sendable {
    var authority: Authority
    var configuration: OpenIDConfiguration
    var environments: Environments
    /// Its discovery document was kept: the authority may have another by now.
    var isKept: Bool

    /// The names under which an authority's credentials are cached (instance discovery).
    struct Environments: Sendable, Equatable {
        /// What new credentials are written under.
        var preferredCache: String
        /// Where requests go.
        var preferredNetwork: String
        /// What credentials are looked for under, most likely first.
        var all: [String]

        /// ``all``, and the hosts without their ports: the schema that other programs share has no ports (docs/decisions/0010).
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

    var tokenHost: String { Authority.environment(of: configuration.tokenEndpoint) }

    /// Whether the token endpoint is under one of the authority's own names. Authorities without such names are free to
    /// have their endpoints elsewhere.
    private var sendsTokensToItsOwnCloud: Bool { authority.tenant == nil || environments.all.contains(tokenHost) }

    /// Throws when a refresh token would leave the cloud that issued it.
    func requireOwnCloud() throws {
        guard sendsTokensToItsOwnCloud else {
            throw AuthenticationFailure.user(.interactionRequired(.anotherCloud(host: tokenHost)))
        }
    }

    /// Stands for the tenant where there are none: the path of the issuer, so that two issuers of one host stay apart.
    var realm: String {
        configuration.issuer.text.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2)
            .joined(separator: "/")
    }

    /// Makes a subject unique among issuers. Short, because it becomes part of an identifier people may log.
    var issuerFingerprint: String { Self.fingerprint(of: issuer) }

    static func fingerprint(of issuer: IssuerTemplate) -> String {
        String(Base64URL.encode(SHA2.sha256(Array(issuer.text.utf8))).prefix(22))
    }
}
