import Foundation
import Locks
import OAuthCore

/// Asks an authority what a sign-in would ask before it opens a page, by the same code, with nothing taken from what is
/// kept: instance discovery, the discovery document, its issuer, its keys. What comes replaces what is kept.
struct AuthorityProbing: Sendable {
    let authority: Authority
    let knownAuthorities: Set<Authority>
    let dependencies: Dependencies
    let metadata: MetadataSource
    let log: EngineLog

    func run() async -> MSALAuthorityProbe {
        let start = dependencies.time.now()
        let transport = DatedTransport(dependencies.transport, time: dependencies.time)
        var found: (authority: ResolvedAuthority, keys: Int)?
        var failure: MSALAuthenticationError?
        do {
            found = try await ask(by: transport)
        } catch {
            failure = MSALAuthenticationError(translating: error, correlationID: nil)
        }
        let configuration = found?.authority.configuration
        return MSALAuthorityProbe(
            url: authority.url, issuer: configuration?.issuer.text, signingKeyCount: found?.keys,
            offersDeviceCode: configuration?.deviceAuthorizationEndpoint != nil,
            offersSignOut: configuration?.endSessionEndpoint != nil,
            codeChallengeMethods: configuration?.codeChallengeMethods,
            unusableEndpoints: configuration?.unusableEndpoints.keys.sorted() ?? [],
            authorityDate: transport.last?.authorityDate,
            localDate: transport.last?.localDate ?? dependencies.time.now(),
            duration: dependencies.time.now().timeIntervalSince(start), failure: failure)
    }

    private func ask(by transport: any HTTPTransport) async throws -> (authority: ResolvedAuthority, keys: Int) {
        let resolver = AuthorityResolver(
            metadata: metadata, transport: transport,
            reporter: FlowReporter(time: dependencies.time, handler: nil, log: log), knownAuthorities: knownAuthorities,
            asksAnew: true)
        var resolved = try await resolver.resolve(authority)
        let keys = try await resolver.keys(of: &resolved)
        return (resolved, keys.value.keys.count)
    }
}

/// Keeps nothing between runs.
struct NoDocuments: DocumentCache {
    func load(_ url: URL) -> CachedDocument? { nil }
    func save(_ document: CachedDocument?, for url: URL) {}
}

/// Notes both clocks when an answer comes.
private final class DatedTransport: HTTPTransport {
    struct Moment {
        var authorityDate: Date?
        var localDate: Date
    }

    private let transport: any HTTPTransport
    private let time: any TimeSource
    private let noted = Locked<Moment?>(nil)

    init(_ transport: any HTTPTransport, time: any TimeSource) {
        self.transport = transport
        self.time = time
    }

    var last: Moment? { noted.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let response = try await transport.send(request)
        let moment = Moment(authorityDate: response.headers["Date"].flatMap(HTTPDate.parse), localDate: time.now())
        noted.withLock { $0 = moment }
        return response
    }
}
