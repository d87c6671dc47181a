import Foundation
import KeyturnSystem
import OAuthCore

/// Examines a resource and its authorization server with the steps of a sign-in's discovery, and then asks every place of
/// their metadata, also those after the one that a sign-in uses. Registers nothing.
struct ResourceProbing: Sendable {
    private let url: URL
    private let discovery: ResourceDiscovery

    init(_ url: URL, _ discovery: ResourceDiscovery) {
        self.url = url
        var discovery = discovery
        let transport = RememberingTransport(discovery.dependencies.transport)
        discovery.dependencies.transport = transport
        discovery.toResource = transport
        discovery.mayRegister = false
        self.discovery = discovery
    }

    func run() async -> MSALResourceProbe {
        let (resource, failure) = await signIn()
        return MSALResourceProbe(
            url: url, responses: url.isResource ? await responses(resource) : [], resource: resource,
            failure: failure.map { MSALAuthenticationError(translating: $0) })
    }

    /// A sign-in, until it registers a client or opens the browser.
    private func signIn() async -> (MSALProtectedResource?, (any Error)?) {
        var resource: MSALProtectedResource?
        do {
            var found = try await discovery.find(url, nil)
            resource = found
            let isKnown = try discovery.useKnownClient(of: &found)
            // The configured authority is found by its own rules, whatever the resource says.
            if found.usesConfiguredAuthority { return (found, nil) }
            let server = try await discovery.server(of: &found)
            resource = found
            if isKnown { return (found, nil) }
            // Only a registration would tell whether there is a server.
            if server.isGuessed { throw discovery.failure(url, .noMetadata) }
            try await discovery.chooseClient(of: &found, at: server)
            return (found, nil)
        } catch AuthenticationFailure.user(.interactionRequired(.notRegistered)) {
            return (resource, nil)
        } catch { return (resource, error) }
    }

    private func responses(_ resource: MSALProtectedResource?) async -> [MSALResourceProbe.Response] {
        let first = await response(.challenge, to: .withoutToken(to: url))
        var responses = [first]
        for place in ResourceMetadata.places(of: url, announced: announced(in: first)) {
            responses.append(await response(.resourceMetadata, to: .metadata(at: place.url)))
        }
        let documents = responses.dropFirst().filter { $0.status == 200 }
            .compactMap { try? ResourceMetadata(reading: Array($0.body)) }
        if documents.isEmpty, let place = ResourceMetadata.appendedPlace(of: url) {
            responses.append(await response(.misplacedMetadata, to: .metadata(at: place)))
        }
        let issuer = resource?.issuer ?? documents.first?.authorizationServers.first
        for place in issuer.map(serverPlaces) ?? [] {
            responses.append(await response(.serverMetadata, to: .metadata(at: place)))
        }
        return responses
    }

    private func announced(in response: MSALResourceProbe.Response) -> [URL] {
        let challenges = (try? Challenge.parse(response.challenges)) ?? []
        return challenges.flatMap(\.resourceMetadata).compactMap { URL(string: $0) }
            .filter { $0.isAllowedEndpoint(of: url) }
    }

    private func serverPlaces(of issuer: String) -> [URL] {
        guard let address = URL(string: issuer), address.isAllowedEndpoint(of: url),
            let authority = try? AuthorityRules.openID(address)
        else { return [] }
        return authority.authorizationServerMetadataURLs
    }

    private func response(_ step: MSALResourceProbe.Step, to request: HTTPRequest) async -> MSALResourceProbe.Response {
        do throws(TransportFailure) {
            let response = try await discovery.toResource.send(request)
            return MSALResourceProbe.Response(
                step: step, url: request.url, status: response.status,
                challenges: response.headers.all("WWW-Authenticate"), mediaType: response.mediaType,
                location: response.redirection, body: Data(response.body))
        } catch { return MSALResourceProbe.Response(step: step, url: request.url, status: nil, problem: error.reason) }
    }
}

/// Sends each request once, so that all steps see the same responses, and no second one to a server that doesn't respond.
private final class RememberingTransport: HTTPTransport {
    private struct Memory {
        var responses: [Question: HTTPResponse] = [:]
        var failures: [String: TransportFailure] = [:]
    }

    /// The response to a request for headers has no body.
    private struct Question: Hashable {
        var url: URL
        var needsOnlyHeaders: Bool
    }

    private let transport: any HTTPTransport
    private let memory = Locked(Memory())

    init(_ transport: any HTTPTransport) { self.transport = transport }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.method == .get else { return try await transport.send(request) }
        let question = Question(url: request.url, needsOnlyHeaders: request.needsOnlyHeaders)
        let origin = request.url.origin
        let (known, failure) = memory.withLock { ($0.responses[question], $0.failures[origin]) }
        if let known { return known }
        if let failure { throw failure }
        do throws(TransportFailure) {
            let response = try await transport.send(request)
            memory.withLock { $0.responses[question] = response }
            return response
        } catch {
            memory.withLock { $0.failures[origin] = error.kind == .bodyTooLarge ? nil : error }
            throw error
        }
    }
}

/// The responses of a protected resource and its authorization server to the requests of a sign-in's discovery, for
/// diagnosis. Not in MSAL for iOS and macOS.
public struct MSALResourceProbe: Sendable {
    /// What a request asked for.
    public enum Step: String, Sendable, Equatable {
        /// The resource itself, without a token (RFC 6750 §3).
        case challenge
        /// The resource's metadata (RFC 9728 §3).
        case resourceMetadata
        /// The resource's metadata where no client looks: after the resource's path.
        case misplacedMetadata
        /// The authorization server's metadata (RFC 8414 §3).
        case serverMetadata
    }

    /// One response.
    public struct Response: Sendable, Equatable {
        /// What the request asked for.
        public let step: Step
        /// The requested URL.
        public let url: URL
        /// The status, or `nil` without a response.
        public let status: Int?
        /// The values of `WWW-Authenticate`.
        public let challenges: [String]
        /// The media type, without parameters and in lower case.
        public let mediaType: String?
        /// The target of a redirect.
        public let location: String?
        /// The document or page. Untrusted.
        public let body: Data
        /// Why there is no response.
        public let problem: String?

        /// Creates a response.
        public init(
            step: Step, url: URL, status: Int?, challenges: [String] = [], mediaType: String? = nil,
            location: String? = nil, body: Data = Data(), problem: String? = nil
        ) {
            (self.step, self.url, self.status, self.challenges) = (step, url, status, challenges)
            (self.mediaType, self.location, self.body, self.problem) = (mediaType, location, body, problem)
        }
    }

    /// The address of the resource.
    public let url: URL
    /// The responses, in the order of a sign-in's requests.
    public let responses: [Response]
    /// What a sign-in finds, with the client that it would use, or `nil` if it fails earlier.
    public let resource: MSALProtectedResource?
    /// The error with which a sign-in would fail, or `nil`. That this client isn't registered yet is none.
    public let failure: MSALAuthenticationError?

    /// Creates a report.
    public init(
        url: URL, responses: [Response] = [], resource: MSALProtectedResource? = nil,
        failure: MSALAuthenticationError? = nil
    ) {
        (self.url, self.responses, self.resource, self.failure) = (url, responses, resource, failure)
    }
}
