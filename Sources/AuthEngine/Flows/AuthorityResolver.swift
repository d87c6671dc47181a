import Foundation
import OAuthCore

/// Finds out what has to be known of an authority before tokens can be asked of it (msal-behaviours §2.1).
struct AuthorityResolver: Sendable {
    let metadata: MetadataSource
    /// Of the request that asks: what it sends may be inspected.
    let transport: any HTTPTransport
    let reporter: FlowReporter
    /// Authorities the developer vouches for: they answer for themselves.
    var knownAuthorities: Set<Authority> = []

    /// Endpoints and issuer. Asks the network for what is not kept.
    func resolve(_ authority: Authority) async throws -> ResolvedAuthority {
        reporter.started(.findAuthority, "Finding \(authority.url.absoluteString)")
        do {
            guard answersForItself(authority) else { throw AuthenticationFailure.authorityNotKnown(authority.url) }
            let environments = try await environments(of: authority)
            let configuration = try await configuration(of: authority, environments)
            reporter.succeeded(.findAuthority, "Found the issuer \(configuration.issuer.text)")
            return ResolvedAuthority(authority: authority, configuration: configuration, environments: environments)
        } catch {
            reporter.failed(.findAuthority, "\(authority.url.host() ?? "The authority") could not be used")
            throw error
        }
    }

    /// Nothing vouches for a B2C host that is neither Microsoft's nor known to the developer. The other kinds are asked
    /// for at the cloud (Entra), held to their own issuer (OpenID) or never validated (CIAM).
    private func answersForItself(_ authority: Authority) -> Bool {
        guard case .b2c = authority.kind else { return true }
        return authority.url.isLoopback || knownAuthorities.contains(authority)
            || MicrosoftHosts.signIn.contains(authority.environment)
    }

    /// Whether another cloud, of which a response tells, may be asked for tokens: one of Microsoft's, or one that
    /// instance discovery named.
    func trusts(cloud environment: String, besides authority: Authority) -> Bool {
        if MicrosoftHosts.signIn.contains(environment.lowercased()) { return true }
        guard
            let url = authority.instanceDiscoveryURL(isDeveloperKnown: knownAuthorities.contains(authority)),
            let discovery = metadata.keptDocument(
                url, parse: { try InstanceDiscovery(parsing: HTTPResponse(status: 200, body: $0)) })
        else { return false }
        return discovery.cloud(of: environment) != nil
    }

    /// The names of an authority. Kept ones serve at any age, so that a cached token needs no network.
    ///
    /// An authority that the developer vouches for is used as it is when it does not answer that question.
    func environments(of authority: Authority) async throws -> ResolvedAuthority.Environments {
        let isKnown = knownAuthorities.contains(authority)
        do {
            return try await metadata.environments(of: authority) {
                guard let url = authority.instanceDiscoveryURL(isDeveloperKnown: isKnown) else {
                    return .init(only: authority.environment)
                }
                return try await discoveredEnvironments(of: authority, at: url)
            }
        } catch AuthenticationFailure.metadata where isKnown {
            return .init(only: authority.environment)
        }
    }

    private func discoveredEnvironments(
        of authority: Authority, at url: URL
    ) async throws -> ResolvedAuthority.Environments {
        do {
            let discovery = try await metadata.document(url, maximumAge: .infinity, by: transport) {
                try InstanceDiscovery(parsing: HTTPResponse(status: 200, body: $0))
            }
            guard let cloud = discovery.cloud(of: authority.environment) else {
                return .init(only: authority.environment)
            }
            return .init(cloud, own: authority.environment)
        } catch let status as MetadataStatus {
            throw AuthenticationFailure.metadata(authority.url, problem(with: status.response))
        } catch is InstanceDiscovery.Failure {
            throw AuthenticationFailure.metadata(authority.url, .unknownInstance)
        }
    }

    private func problem(with response: HTTPResponse) -> AuthenticationFailure.MetadataProblem {
        do throws(InstanceDiscovery.Failure) {
            _ = try InstanceDiscovery(parsing: response)
        } catch .invalidInstance {
            return .unknownInstance
        } catch {}
        return .status(response.status)
    }

    private func configuration(
        of authority: Authority, _ environments: ResolvedAuthority.Environments
    ) async throws -> OpenIDConfiguration {
        let url = authority.metadataURL(networkEnvironment: environments.preferredNetwork)
        do {
            // Judged where it is parsed: one that fails is not kept, so that a mended authority is asked again.
            return try await metadata.document(url, by: transport) { bytes in
                let configuration = try OpenIDConfiguration(parsing: bytes)
                switch configuration.judgeIssuer(for: authority, aliases: Set(environments.all)) {
                case .accepted: return configuration
                case .mismatch(let expected, let found):
                    throw AuthenticationFailure.metadata(url, .issuerMismatch(expected: expected, found: found))
                }
            }
        } catch let status as MetadataStatus {
            throw AuthenticationFailure.metadata(url, .status(status.response.status))
        } catch let malformed as OpenIDConfiguration.Malformed {
            throw AuthenticationFailure.metadata(url, .notDiscovery(malformed.explanation))
        }
    }

    /// The signing keys, fetched anew when they lack the token's: keys rotate (OpenID Connect Core §10.1.1).
    func keys(for token: JWT, of authority: ResolvedAuthority) async throws -> JWKSet {
        try await keys(of: authority) { $0.hasKey(for: token) }
    }

    /// The signing keys, fetched anew when those that are kept do not suffice.
    func keys(
        of authority: ResolvedAuthority, suffice: (JWKSet) -> Bool = { _ in true }
    ) async throws -> JWKSet {
        let url = authority.configuration.jwksURI
        do {
            let keys = try await metadata.document(url, by: transport) { try JWKSet(parsing: $0) }
            if suffice(keys) { return keys }
            return try await metadata.fetched(url, by: transport) { try JWKSet(parsing: $0) }
        } catch let status as MetadataStatus {
            throw AuthenticationFailure.metadata(url, .status(status.response.status))
        } catch is JWKSet.Malformed {
            throw AuthenticationFailure.metadata(url, .notKeys)
        }
    }
}

extension OpenIDConfiguration.Malformed {
    var explanation: String {
        switch self {
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .notJSONObject: "it is not a JSON object"
        case .missing(let member): "its member \(member) is missing"
        case .wrongType(let member): "its member \(member) is not text"
        case .unusableAddress(let member): "its member \(member) is no address that may be used"
        }
    }
}
