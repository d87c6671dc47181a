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
        } catch {
            return (resource, error)
        }
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

    private func response(
        _ step: MSALResourceProbe.Step, to request: HTTPRequest
    ) async -> MSALResourceProbe.Response {
        do throws(TransportFailure) {
            let response = try await discovery.toResource.send(request)
            return MSALResourceProbe.Response(
                step: step, url: request.url, status: response.status,
                challenges: response.headers.all("WWW-Authenticate"), mediaType: response.mediaType,
                location: response.redirection, body: Data(response.body))
        } catch {
            return MSALResourceProbe.Response(step: step, url: request.url, status: nil, problem: error.reason)
        }
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
