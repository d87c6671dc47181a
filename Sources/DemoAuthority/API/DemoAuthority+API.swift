import Foundation
import OAuthCore

/// The authority's own API, which challenges for a token, scopes, MFA and freshness (RFC 6750 §3, RFC 9470 §3).
enum DemoAPI: String, Sendable, CaseIterable {
    case me, mail, admin
    /// Has an authority of its own, Fabrikam's, which trusts the other tenants' assertions.
    case team

    var scope: String { self == .mail ? "Mail.Read" : "User.Read" }

    var path: String { "/api/\(rawValue)" }

    var tenant: String? { self == .team ? Directory.fabrikam : nil }

    static let context = "c1"
}

extension DemoAuthority {
    func api(_ api: DemoAPI, _ received: ReceivedRequest) -> HTTPResponse {
        guard let token = bearerToken(of: received) else { return challenge([], to: api) }
        guard let access = accessTokens.value(for: digest(token), at: received.now),
            let user = directory.user(withID: access.grant.userID),
            api.tenant ?? access.grant.tenantID == access.grant.tenantID
        else { return challenge([("error", "invalid_token")], to: api) }
        let isHeld = access.scopes.contains { if case .api(_, api.scope) = $0.kind { true } else { false } }
        guard isHeld else { return challenge([("error", "insufficient_scope")], to: api, status: 403) }
        if api == .admin, let lacking = lacking(in: access.grant, received) { return challenge(lacking, to: api) }
        return .json([
            "api": .string(api.rawValue), "name": .string(user.name), "username": .string(user.username),
            "method": .string(received.request.method.rawValue), "bytes": .integer(Int64(received.request.body.count)),
        ])
    }

    /// Clients that declare CP1 get a claims challenge for MFA, as from Microsoft's APIs.
    private func lacking(in grant: Grant, _ received: ReceivedRequest) -> [(String, String)]? {
        let stepUp = ("error", "insufficient_user_authentication")
        if !grant.methods.contains("mfa") {
            guard grant.claims.capabilities.contains(where: { $0.lowercased() == "cp1" }) else {
                return [stepUp, ("acr_values", DemoAPI.context)]
            }
            let claims: JSONValue = ["access_token": ["acrs": ["essential": true, "value": .string(DemoAPI.context)]]]
            return [("error", "insufficient_claims"), ("claims", Data(claims.serialized.utf8).base64EncodedString())]
        }
        let age = received.now.timeIntervalSince(grant.authenticatedAt)
        return age > settings.freshness
            ? [stepUp, ("acr_values", DemoAPI.context), ("max_age", "\(Int(settings.freshness))")] : nil
    }

    private func challenge(_ parameters: [(String, String)], to api: DemoAPI, status: Int = 401) -> HTTPResponse {
        let metadata = "\(origin)/.well-known/oauth-protected-resource\(api.path)"
        let all = parameters + [("scope", api.scope), ("resource_metadata", metadata)]
        var response = HTTPResponse.json(["error": .string(parameters.first?.1 ?? "unauthorized")], status: status)
        response.headers["WWW-Authenticate"] = "Bearer " + all.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ", ")
        return response
    }

    func apiMetadata(_ api: DemoAPI) -> HTTPResponse {
        .document([
            "resource": .string(origin + api.path),
            "authorization_servers": [.string(issuer(ofTenant: api.tenant ?? directory.tenants.first?.id ?? "common"))],
            "scopes_supported": [.string(api.scope)], "bearer_methods_supported": ["header"],
        ])
    }

    /// The metadata for clients that aren't OpenID clients (RFC 8414 §2), with registration.
    func authorizationServer(for selector: TenantSelector) -> HTTPResponse {
        var response = openIDConfiguration(for: selector)
        guard var members = (try? JSONValue(parsing: response.body))?.object else { return response }
        members["registration_endpoint"] = .string("\(origin)/\(selector.segment)/oauth2/v2.0/register")
        response.body = Array(JSONValue.object(members).serialized.utf8)
        return response
    }

    /// Registers a native public client (RFC 7591 §3.1).
    mutating func registerClient(_ received: ReceivedRequest) -> HTTPResponse {
        // A page of another site can send it no other way without this server's consent.
        guard received.request.headers["Content-Type"]?.lowercased().hasPrefix("application/json") == true else {
            return Self.registrationError("invalid_client_metadata", "Send the metadata as application/json.")
        }
        guard directory.clients.count < 1000 else {
            return Self.registrationError("invalid_client_metadata", "No more clients can register before a restart.")
        }
        var members = (try? JSONValue(parsing: received.request.body))?.object ?? [:]
        let uris = members["redirect_uris"]?.array?.compactMap(\.string) ?? []
        guard !uris.isEmpty, uris.count <= 10, uris.allSatisfy(Self.isNative) else {
            return Self.registrationError("invalid_redirect_uri", "Only loopback redirect URIs can register here.")
        }
        guard members["token_endpoint_auth_method"] == "none" else {
            return Self.registrationError("invalid_client_metadata", "Only public clients can register here.")
        }
        let id = identifier()
        for uri in uris { register(clientID: id, redirectURI: uri) }
        members["client_id"] = .string(id)
        members["client_id_issued_at"] = .integer(Int64(received.now.timeIntervalSince1970))
        return .json(.object(members), status: 201)
    }

    private static func isNative(_ uri: String) -> Bool {
        guard let url = URL(string: uri) else { return false }
        return url.lowercasedScheme == "http" && url.isLoopback && url.fragment() == nil && uri.utf8.count <= 2048
    }

    private static func registrationError(_ error: String, _ description: String) -> HTTPResponse {
        .json(["error": .string(error), "error_description": .string(description)], status: 400)
    }

    /// Throws for a resource that isn't one of the API's (RFC 8707 §2).
    func checkTarget(_ parameters: Parameters) throws(AuthorityError) {
        guard let resource = parameters.value("resource"), !settings.acceptsAnyResource else { return }
        guard api(at: resource) != nil else {
            throw AuthorityError(.invalidTarget, detail: "Resource: \(quoted(resource)).")
        }
    }

    func api(at resource: String) -> DemoAPI? { DemoAPI.allCases.first { origin + $0.path == resource } }
}

/// The userinfo endpoint (OpenID Connect Core §5.3).
extension DemoAuthority {
    func userInfo(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        guard let token = bearerToken(of: received),
            let access = accessTokens.value(for: digest(token), at: received.now),
            let user = directory.user(withID: access.grant.userID)
        else { throw AuthorityError(.invalidAccessToken) }
        let scopes = Set(access.scopes.map(\.text))
        guard scopes.contains("openid") else { throw AuthorityError(.insufficientScope) }
        let content = IssuedContent(
            grant: access.grant, user: user, scopes: access.scopes, issuer: issuer(of: access.grant),
            issuedAt: received.now)
        var names = access.grant.claims.userInfo
        if scopes.contains("profile") { names.formUnion(["name", "given_name", "family_name", "preferred_username"]) }
        if scopes.contains("email") { names.insert("email") }
        var members = content.personal(names)
        members["sub"] = .string(content.subject)
        return .json(.object(members))
    }

    /// The access token from the header or the POST form (RFC 6750 §2.1 and §2.2).
    func bearerToken(of received: ReceivedRequest) -> String? {
        guard let field = received.request.headers["Authorization"] else {
            return received.request.method == .post ? received.form?.value("access_token") : nil
        }
        let words = field.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1])
    }
}

struct IssuedAccess: Sendable, Equatable {
    var grant: Grant
    var scopes: [RequestedScope]
}
