import Foundation
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
        let client = try directory.knownClient(clientID)
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
        case .query: return .redirect(to: RedirectURIMatch.adding(response, to: target))
        case .fragment: return .redirect(to: "\(target)#\(response.formEncoded)")
        case .formPost:
            let page = Page.formPost(response, to: target, of: client.name)
            return .page(page, formTargets: [RedirectURIMatch.policySource(of: redirectURI)])
        }
    }

    func reject(_ error: AuthorityError, in received: ReceivedRequest, issuer: String) -> HTTPResponse {
        let description = error.description(in: received.belonging(to: correlationID))
        var response: Parameters = ["error": error.oauthError, "error_description": description]
        response["error_subcode"] = error.suberror
        return reply(response, issuer: issuer)
    }
}

enum RedirectURIMatch {
    /// Whether the URIs are equal (RFC 9700 §4.1.3); for loopback, the port can differ (RFC 8252 §7.3).
    static func isRegistered(_ uri: String, for registered: [String]) -> Bool {
        guard uri.utf8.count <= 2048, uri.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !uri.contains("#") else {
            return false
        }
        return registered.contains { $0 == uri || isSameLoopback($0, uri) }
    }

    private static func isSameLoopback(_ registered: String, _ uri: String) -> Bool {
        guard let known = URLComponents(string: registered), let requested = URLComponents(string: uri),
            let knownHost = host(of: known), Loopback.contains(knownHost), known.scheme == "http",
            requested.scheme == "http", host(of: requested) == knownHost,
            requested.user == nil, requested.password == nil, requested.percentEncodedQuery == known.percentEncodedQuery
        else { return false }
        return rootIfEmpty(known.percentEncodedPath) == rootIfEmpty(requested.percentEncodedPath)
    }

    private static func rootIfEmpty(_ path: String) -> String { path.isEmpty ? "/" : path }

    /// The host as in the URL, an IPv6 literal in brackets.
    private static func host(of url: URLComponents) -> String? {
        url.percentEncodedHost.map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
    }

    /// The URI with `/` for an empty path, as browsers request it.
    static func withPath(_ uri: String) -> String {
        guard var parts = URLComponents(string: uri), parts.scheme == "http" || parts.scheme == "https",
            parts.percentEncodedPath.isEmpty
        else { return uri }
        parts.percentEncodedPath = "/"
        return parts.string ?? uri
    }

    static func adding(_ parameters: Parameters, to uri: String) -> String {
        "\(uri)\(uri.contains("?") ? "&" : "?")\(parameters.formEncoded)"
    }

    /// A source for a Content-Security-Policy. Custom schemes and IPv6 literals, which that lacks, become their scheme.
    static func policySource(of uri: String) -> String {
        guard let parts = URLComponents(string: uri), let scheme = parts.scheme else { return "'self'" }
        guard scheme == "http" || scheme == "https", let host = host(of: parts), !host.hasPrefix("[") else {
            return "\(scheme):"
        }
        return "\(scheme)://\(host)\(parts.port.map { ":\($0)" } ?? "")"
    }
}
