import OAuthCore

/// The recipient of an authorization response. It's created only after the client and redirect URI were validated, so
/// that responses are never sent anywhere else (RFC 6749 §4.1.2.1).
struct ReplyAddress: Sendable, Equatable {
    let client: RegisteredClient
    let redirectURI: String
    let mode: ResponseMode
    let state: String?
    /// The client's correlation ID, which all pages of the sign-in use.
    let correlationID: String?

    init(_ parameters: Parameters, directory: Directory) throws(AuthorityError) {
        for name in ["client_id", "redirect_uri"] where parameters.count(of: name) > 1 {
            throw AuthorityError(.repeatedParameter, detail: "Parameter: \(name).")
        }
        guard let clientID = parameters.value("client_id") else { throw .missing("client_id") }
        guard let client = directory.client(withID: clientID) else {
            throw AuthorityError(.unknownClient, detail: "Client ID: \(quoted(clientID)).")
        }
        guard let uri = parameters.value("redirect_uri") else { throw .missing("redirect_uri") }
        guard RedirectURIMatch.isRegistered(uri, for: client.redirectURIs) else {
            throw AuthorityError(.redirectURIMismatch, detail: "Redirect URI: \(quoted(uri)).")
        }
        self.client = client
        redirectURI = uri
        // An unknown mode is rejected later, with a query response, which every client can read.
        mode = parameters.value("response_mode").flatMap(ResponseMode.init) ?? .query
        state = parameters.value("state")
        correlationID = ReceivedRequest.correlationID(parameters.value("client-request-id"))
    }

    /// Sends the response parameters with `state` and `iss` (RFC 9207 §2).
    func reply(_ response: Parameters, issuer: String, faults: [Fault] = []) -> HTTPResponse {
        var response = response
        if let state { response["state"] = state }
        response["iss"] = issuer
        for fault in faults { fault.spoil(authorization: &response) }
        let target = RedirectURIMatch.withPath(redirectURI)
        switch mode {
        case .query:
            return .redirect(to: "\(target)\(target.contains("?") ? "&" : "?")\(response.formEncoded)")
        case .fragment:
            return .redirect(to: "\(target)#\(response.formEncoded)")
        case .formPost:
            return .page(
                .formPost(response, to: target, of: client.name),
                formTargets: [RedirectURIMatch.policySource(of: redirectURI)])
        }
    }

    func reject(_ error: AuthorityError, in received: ReceivedRequest, issuer: String) -> HTTPResponse {
        var response: Parameters = [:]
        response["error"] = error.oauthError
        response["error_description"] = error.description(in: received.belonging(to: correlationID))
        response["error_subcode"] = error.suberror
        return reply(response, issuer: issuer)
    }
}
