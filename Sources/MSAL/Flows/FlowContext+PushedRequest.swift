import Foundation
import OAuthCore

/// The page to open for an authorization request (RFC 9126).
extension FlowContext {
    /// Leaves the request with the authority if it offers that, so that the URL is short and the browser can't change it.
    ///
    /// Throws what the authority rejects only if it takes no request from the browser. Others offer this to some of their
    /// clients, so the browser gets the whole request then.
    func page(
        for request: AuthorizationRequest, at authority: ResolvedAuthority
    ) async throws -> BrowserVisit.Page {
        let metadata = authority.configuration
        let isRequired = metadata.requiresPushedAuthorization
        guard let endpoint = metadata.pushedAuthorizationEndpoint else {
            guard isRequired else { return .init(url: request.url) }
            let member = "pushed_authorization_request_endpoint"
            throw AuthenticationFailure.authority(
                .metadata(
                    authority.authority.url,
                    .notDiscovery(metadata.unusableEndpoints[member] ?? .missing(member: member))))
        }
        reporter.started(.pushRequest, "Sending the request to \(endpoint.hostAndPort)")
        do {
            let held = try await push(request, at: authority, endpoint)
            reporter.succeeded(
                .pushRequest,
                "\(endpoint.hostAndPort) has the request"
                    + (held.expiresIn.map { ". Open the URL within \(WaitText.short(Double($0)))" } ?? ""))
            return .init(url: request.url(of: held), lifetime: held.expiresIn)
        } catch {
            reporter.failed(.pushRequest, "The request was not accepted")
            guard !isRequired, !Task.isCancelled else { throw error }
            reporter.noted(
                .pushRequest, "\(endpoint.hostAndPort) didn't take the request. The browser brings it instead")
            return .init(url: request.url)
        }
    }

    private func push(
        _ request: AuthorizationRequest, at authority: ResolvedAuthority, _ endpoint: URL
    ) async throws -> PushedAuthorizationResponse {
        var authority = authority
        let sent = try await send(to: &authority, .pushedAuthorization) { authority in
            request.pushed(
                to: authority.configuration.pushedAuthorizationEndpoint ?? endpoint,
                by: clientSecret(at: authority))
        }
        return try translating(sent, from: .pushedAuthorization, PushedAuthorizationResponse.init(parsing:))
    }
}
