import Foundation
import OAuthCore

/// Finds out what has to be known of an authority before tokens can be asked of it (docs/upstream-behaviour.md §2.1).
struct AuthorityResolver: Sendable {
    let metadata: MetadataSource
    /// Of the request that asks: what it sends may be inspected.
    let transport: any HTTPTransport
    let reporter: FlowReporter
    /// Authorities the developer vouches for: they answer for themselves.
    var knownAuthorities: Set<Authority> = []
    /// Nothing is taken from what is kept; what is fetched replaces it.
    var asksAnew = false

    /// Endpoints and issuer. Asks the network for what is not kept.
    func resolve(_ authority: Authority) async throws -> ResolvedAuthority {
        reporter.started(.findAuthority, "Finding \(authority.url.absoluteString)")
        do {
            guard answersForItself(authority) else {
                throw AuthenticationFailure.caller(.authorityNotKnown(authority.url))
            }
            let environments = try await environments(of: authority)
            let configuration = try await configuration(of: authority, environments)
            reporter.succeeded(.findAuthority, "Found the issuer \(configuration.value.issuer.text)")
            return ResolvedAuthority(
                authority: authority, configuration: configuration.value, environments: environments,
                isKept: configuration.isKept)
        } catch {
            reporter.failed(.findAuthority, "\(authority.url.host() ?? "The authority") could not be used")
            throw error
        }
    }

    /// The authority as its discovery document describes it now; `nil` when it is known as that already.
    func renewed(_ authority: ResolvedAuthority) async throws -> ResolvedAuthority? {
        guard authority.isKept else { return nil }
        reporter.noted(.findAuthority, "Asking \(authority.authority.url.absoluteString) again: it may have changed")
        var renewed = authority
        renewed.configuration = try await askingAnew.configuration(of: authority.authority, authority.environments)
            .value
        renewed.isKept = false
        return renewed
    }

    private var askingAnew: AuthorityResolver {
        var resolver = self
        resolver.asksAnew = true
        return resolver
    }

    private func document<Value>(
        _ url: URL, isAgeless: Bool = false, parse: ([UInt8]) throws -> Value
    ) async throws -> MetadataSource.Found<Value> {
        guard asksAnew else {
            return try await metadata.document(url, isAgeless: isAgeless, by: transport, parse: parse)
        }
        return .init(value: try await metadata.fetched(url, by: transport, parse: parse), isKept: false)
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
            let discovery = keptInstances(at: url)
        else { return false }
        return discovery.cloud(of: environment) != nil
    }

    /// The names of an authority. Kept ones serve at any age, so that a cached token needs no network.
    ///
    /// An authority that the developer vouches for is used as it is when it does not answer that question.
    func environments(of authority: Authority) async throws -> ResolvedAuthority.Environments {
        let isKnown = knownAuthorities.contains(authority)
        do {
            return try await metadata.environments(of: authority, anew: asksAnew) {
                guard let url = authority.instanceDiscoveryURL(isDeveloperKnown: isKnown) else {
                    return .init(only: authority.environment)
                }
                return try await discoveredEnvironments(of: authority, at: url)
            }
        } catch AuthenticationFailure.authority(.metadata) where isKnown, AuthenticationFailure.authority(.response)
            where isKnown
        {
            return .init(only: authority.environment)
        }
    }

    /// The discovery document as it is kept, of any age; `nil` when none is. Sends no request.
    func keptConfiguration(of authority: Authority) -> OpenIDConfiguration? {
        metadata.keptDocument(
            authority.metadataURL(networkEnvironment: keptEnvironments(of: authority).preferredNetwork),
            parse: OpenIDConfiguration.init(parsing:))
    }

    /// The names of an authority by the documents that are kept. Sends no request.
    func keptEnvironments(of authority: Authority) -> ResolvedAuthority.Environments {
        let url = authority.instanceDiscoveryURL(isDeveloperKnown: knownAuthorities.contains(authority))
        let cloud = url.flatMap(keptInstances)?.cloud(of: authority.environment)
        return cloud.map { ResolvedAuthority.Environments($0, own: authority.environment) }
            ?? .init(only: authority.environment)
    }

    private func keptInstances(at url: URL) -> InstanceDiscovery? {
        metadata.keptDocument(url) { try InstanceDiscovery(parsing: HTTPResponse(status: 200, body: $0)) }
    }

    private func discoveredEnvironments(
        of authority: Authority, at url: URL
    ) async throws -> ResolvedAuthority.Environments {
        do {
            let discovery = try await document(url, isAgeless: true) {
                try InstanceDiscovery(parsing: HTTPResponse(status: 200, body: $0))
            }.value
            guard let cloud = discovery.cloud(of: authority.environment) else {
                return .init(only: authority.environment)
            }
            return .init(cloud, own: authority.environment)
        } catch let status as MetadataStatus {
            if case .invalidInstance? = refusal(in: status.response) {
                throw AuthenticationFailure.authority(.metadata(authority.url, .unknownInstance))
            }
            throw status.failure(of: .instanceDiscovery, at: url)
        } catch is InstanceDiscovery.Failure {
            throw AuthenticationFailure.authority(.metadata(authority.url, .unknownInstance))
        }
    }

    private func refusal(in response: HTTPResponse) -> InstanceDiscovery.Failure? {
        do throws(InstanceDiscovery.Failure) {
            _ = try InstanceDiscovery(parsing: response)
            return nil
        } catch {
            return error
        }
    }

    private func configuration(
        of authority: Authority, _ environments: ResolvedAuthority.Environments
    ) async throws -> MetadataSource.Found<OpenIDConfiguration> {
        let url = authority.metadataURL(networkEnvironment: environments.preferredNetwork)
        do {
            // Judged where it is parsed: one that fails is not kept, so that a mended authority is asked again.
            return try await document(url) { bytes in
                let configuration = try OpenIDConfiguration(parsing: bytes)
                switch configuration.judgeIssuer(for: authority, aliases: Set(environments.all)) {
                case .accepted: return configuration
                case .mismatch(let expected, let found):
                    throw AuthenticationFailure.authority(
                        .metadata(url, .issuerMismatch(expected: expected, found: found)))
                }
            }
        } catch let status as MetadataStatus {
            throw status.failure(of: .discovery, at: url)
        } catch let malformed as OpenIDConfiguration.Malformed {
            throw AuthenticationFailure.authority(.metadata(url, .notDiscovery(malformed.explanation)))
        }
    }

    /// The signing keys. Where they are gone from the address that is kept, from the one that discovery names now.
    func keys(of authority: inout ResolvedAuthority) async throws -> MetadataSource.Found<JWKSet> {
        do {
            return try await published(at: authority.configuration.jwksURI)
        } catch let failure as AuthenticationFailure {
            let address = authority.configuration.jwksURI
            guard failure.saysEndpointIsGone, let renewed = try await renewed(authority) else { throw failure }
            authority = renewed
            guard renewed.configuration.jwksURI != address else { throw failure }
            return try await published(at: renewed.configuration.jwksURI)
        }
    }

    /// The signing keys as they are now, for a token that `keys` do not verify (OpenID Connect Core §10.1.1): keys
    /// rotate, and move. `nil`: they are already.
    func renewedKeys(
        _ keys: MetadataSource.Found<JWKSet>, of authority: inout ResolvedAuthority
    ) async throws -> MetadataSource.Found<JWKSet>? {
        let renewed = try await renewed(authority)
        guard renewed != nil || keys.isKept else { return nil }
        if let renewed { authority = renewed }
        return try await askingAnew.published(at: authority.configuration.jwksURI)
    }

    private func published(at url: URL) async throws -> MetadataSource.Found<JWKSet> {
        do {
            return try await document(url) { try JWKSet(parsing: $0) }
        } catch let status as MetadataStatus {
            throw status.failure(of: .keys, at: url)
        } catch is JWKSet.Malformed {
            throw AuthenticationFailure.authority(.metadata(url, .notKeys))
        }
    }
}

extension AuthenticationFailure {
    /// Nothing is at the address that was asked: it does not resolve, or its server knows nothing there.
    fileprivate var saysEndpointIsGone: Bool {
        if case .network(let failure, _) = self { return failure.saysEndpointIsGone }
        return response?.isMissingEndpoint ?? false
    }
}

extension TransportFailure {
    var saysEndpointIsGone: Bool { kind == .couldNotResolveHost }
}

extension HTTPResponse {
    /// Not found, method not allowed, gone (RFC 9110 §15.5): no endpoint is there, so nothing was spent.
    var saysEndpointIsGone: Bool { [404, 405, 410].contains(status) }
}

extension MetadataStatus {
    fileprivate func failure(of endpoint: ResponseFailure.Endpoint, at url: URL) -> AuthenticationFailure {
        let refusal = (try? JSONValue(parsing: response.body)).flatMap {
            OAuthErrorResponse($0, status: response.status)
        }
        return .authority(
            .response(
                ResponseFailure(
                    endpoint, response, to: HTTPRequest(.get, url),
                    refusal.map(TokenResponseFailure.refused) ?? .unexplained,
                    at: receivedAt)))
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
