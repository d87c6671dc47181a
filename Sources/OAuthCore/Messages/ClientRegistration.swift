import Foundation

/// The registration of a native client at an authorization server (RFC 7591).
package struct ClientRegistration: Sendable, Equatable {
    package var clientID: String
    package var redirectURI: String
    /// Whether the server registered the signature of ID tokens (OpenID Connect Registration §2). One that didn't may fail if
    /// the client requests `openid`.
    package var getsIDTokens: Bool
    package var secret: ClientSecret?
    /// `nil` for a secret that doesn't expire.
    package var secretExpiry: Date?

    package init(
        clientID: String, redirectURI: String, getsIDTokens: Bool, secret: ClientSecret? = nil,
        secretExpiry: Date? = nil
    ) {
        (self.secretExpiry, self.clientID, self.redirectURI) = (secretExpiry, clientID, redirectURI)
        (self.getsIDTokens, self.secret) = (getsIDTokens, secret)
    }

    /// Also the content of a client ID metadata document, with `client_id`.
    package static func metadata(
        name: String, redirectURIs: [String], clientID: URL? = nil, scopes: Scopes = [], getsDeviceCodes: Bool = false
    ) -> JSONValue {
        let deviceGrant = getsDeviceCodes ? ["urn:ietf:params:oauth:grant-type:device_code"] : []
        return JSONValue(members: [
            "client_name": .string(name), "redirect_uris": JSONValue(redirectURIs),
            "grant_types": JSONValue(["authorization_code", "refresh_token"] + deviceGrant), "response_types": ["code"],
            "token_endpoint_auth_method": "none", "application_type": "native", "id_token_signed_response_alg": "RS256",
            // Some servers grant only scopes that the client registered.
            "scope": scopes.isEmpty ? nil : .string(scopes.text),
            "client_id": clientID.map { .string($0.absoluteString) },
        ])
    }

    /// The address of this project's own metadata document, once it hosts one. A client without an ID then uses it before it
    /// registers itself.
    package static let hostedDocument: URL? = nil

    package static func request(
        _ endpoint: URL, name: String, redirectURI: String, scopes: Scopes = [], getsDeviceCodes: Bool = false
    ) -> HTTPRequest {
        let metadata = metadata(
            name: name, redirectURIs: [redirectURI], scopes: scopes, getsDeviceCodes: getsDeviceCodes)
        return HTTPRequest(
            .post, endpoint, headers: ["Content-Type": "application/json", "Accept": "application/json"],
            body: Array(metadata.serialized.utf8))
    }

    package enum Malformed: Error, Sendable, Equatable {
        case rejected(OAuthErrorResponse)
        case status(Int)
        case noClientID
        /// Programs could read different values.
        case repeatedMembers
        /// The server hasn't issued one.
        case needsSecret
        case needsOtherAuthentication
        case otherRedirectURI

        package var reason: String {
            switch self {
            case .rejected(let error):
                (error.description.map { "\($0) (\(error.error))" } ?? error.error).withoutControls
            case .status(let status): "the status is \(status)"
            case .noClientID: "the response has no valid client_id"
            case .repeatedMembers: "the response has a duplicate member"
            case .needsSecret: "the server requires a client secret, but issued none"
            case .needsOtherAuthentication: "the server requires another authentication than a client secret"
            case .otherRedirectURI: "the server changed the redirect URI"
            }
        }

        /// Whether the server rejected a member whose name contains the word, so that the client can try without it.
        package func isAbout(_ word: String) -> Bool {
            guard case .rejected(let error) = self else { return false }
            return error.error.contains(word) || error.description?.lowercased().contains(word) == true
        }
    }

    package static let maximumIDLength = 1024

    /// Whether a client ID is one that later commands accept and that is harmless in a command line: stricter than RFC 6749
    /// appendix A.1, because the server is untrusted and the ID is kept.
    private static func isUsable(_ id: String) -> Bool {
        (1...maximumIDLength).contains(id.utf8.count)
            && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"'\\$`;&|<>(){}*?!#".utf8.contains($0) }
            && !id.hasPrefix("-")
    }

    /// A secret in the response is dropped if the client is public.
    /// - Parameter methods: those that the server lists for its token endpoint.
    package init(parsing response: HTTPResponse, redirectURI: String, methods: [String] = []) throws(Malformed) {
        let read = try? JSONValue.read(response.body)
        guard [200, 201].contains(response.status), let read, let object = read.value.object else {
            throw read.flatMap { OAuthErrorResponse($0.value, status: response.status) }.map { .rejected($0) }
                ?? .status(response.status)
        }
        guard !read.hasRepeatedMembers else { throw .repeatedMembers }
        guard let id = object["client_id"]?.string, Self.isUsable(id) else { throw .noClientID }
        secret = try Self.secret(in: object, methods)
        if let uris = object["redirect_uris"]?.array, !uris.contains(.string(redirectURI)) { throw .otherRedirectURI }
        clientID = id
        self.redirectURI = redirectURI
        // RFC 7591 §3.2.1: 0 for a secret that doesn't expire.
        let expiry = object["client_secret_expires_at"]?.double ?? 0
        secretExpiry = secret != nil && expiry > 0 && expiry < 1e12 ? Date(timeIntervalSince1970: expiry) : nil
        getsIDTokens = ![nil, "none"].contains(object["id_token_signed_response_alg"]?.string)
    }

    private static func secret(in members: [String: JSONValue], _ methods: [String]) throws(Malformed) -> ClientSecret?
    {
        let usual = members["client_secret"] == nil ? "none" : (ClientSecret.Method(among: methods) ?? .post).rawValue
        let name = members["token_endpoint_auth_method"]?.string ?? usual
        guard name != "none" else { return nil }
        guard let method = ClientSecret.Method(rawValue: name) else { throw .needsOtherAuthentication }
        guard let text = members["client_secret"]?.string, (1...maximumIDLength).contains(text.utf8.count) else {
            throw .needsSecret
        }
        return ClientSecret(Secret(text), method)
    }
}
