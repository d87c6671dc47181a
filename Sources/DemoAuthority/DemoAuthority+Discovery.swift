import Foundation
import OAuthCore

extension DemoAuthority {
    /// OpenID Connect Discovery §3. For a multi-tenant authority, the issuer is a template, as in Entra.
    func openIDConfiguration(for selector: TenantSelector) -> HTTPResponse {
        let base = "\(origin)/\(selector.segment)"
        var members: [String: JSONValue] = [
            "issuer": .string(issuer(ofTenant: selector.issuerSegment)),
            "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize"),
            "token_endpoint": .string("\(base)/oauth2/v2.0/token"),
            "device_authorization_endpoint": .string("\(base)/oauth2/v2.0/devicecode"),
            "jwks_uri": .string("\(base)/discovery/v2.0/keys"),
            "userinfo_endpoint": .string("\(origin)/oidc/userinfo"),
            "end_session_endpoint": .string("\(base)/oauth2/v2.0/logout"),
            "revocation_endpoint": .string("\(base)/oauth2/v2.0/revoke"),
            "revocation_endpoint_auth_methods_supported": ["none"],
            "response_types_supported": ["code"],
            "response_modes_supported": .array(ResponseMode.allCases.map { .string($0.rawValue) }),
            "grant_types_supported": [
                "authorization_code", "refresh_token", .string(DeviceSignIn.grantType),
                .string(IdentityAssertion.exchangeGrant), .string(IdentityAssertion.grant),
            ],
            "authorization_grant_profiles_supported": ["urn:ietf:params:oauth:grant-profile:id-jag"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": .array(DemoKeys.algorithms.map { .string($0.rawValue) }),
            "token_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "claims_supported": .array(IssuedContent.claimNames.map { .string($0) }),
            "prompt_values_supported": .array(Prompt.allCases.map { .string($0.rawValue) }),
            "claims_parameter_supported": true,
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
            "authorization_response_iss_parameter_supported": true,
        ]
        if settings.statesRefreshLifetime {
            members["refresh_token_expiration_types_supported"] = ["token_timeout"]
        }
        if settings.pushedRequests != .notOffered {
            members["pushed_authorization_request_endpoint"] = .string("\(base)/oauth2/v2.0/par")
            members["require_pushed_authorization_requests"] = .bool(settings.pushedRequests == .required)
        }
        return .document(.object(members))
    }

    /// The key set (RFC 7517 §5), with the keys' issuer, as in Entra.
    func keySet(for selector: TenantSelector) -> HTTPResponse {
        let rotations = settings.publishesAllKeys ? DemoKeys.algorithms.count : keyRotations
        let issuer = issuer(ofTenant: selector.issuerSegment)
        let published = keys.published(from: settings.signatureAlgorithm, rotations: rotations)
        return .document(JWKSet(keys: published.map { $0.publicKey(of: issuer) }).json)
    }

    /// Entra's instance discovery: the host names of the same cloud.
    func instanceDiscovery(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        guard let text = received.query.value("authorization_endpoint") else {
            throw .missing("authorization_endpoint")
        }
        guard let url = URL(string: text), environments.contains(url.hostAndPort) else {
            throw AuthorityError(.unknownInstance, detail: "Authorization endpoint: \(quoted(text)).")
        }
        let segments = url.path().split(separator: "/").map(String.init)
        let segment = segments.first == "tfp" ? segments.prefix(3).joined(separator: "/") : segments.first ?? "common"
        let selector = try selector(segment)
        let own = JSONValue.string(environments[0])
        return .document([
            "api-version": "1.1",
            "tenant_discovery_endpoint": .string("\(origin)/\(selector.segment)/v2.0/.well-known/openid-configuration"),
            "metadata": [["preferred_network": own, "preferred_cache": own, "aliases": JSONValue(environments)]],
        ])
    }

    /// The hosts with port, the preferred one first. All loopback names are the same server.
    private var environments: [String] {
        guard let url = URL(string: origin) else { return [origin] }
        let own = url.hostAndPort
        // A default port is no part of it.
        let port = url.port.map { ":\($0)" }.flatMap { own.hasSuffix($0) ? $0 : nil } ?? ""
        let loopback = Loopback.usualHosts.map { "\($0)\(port)" }
        return loopback.contains(own) ? [own] + loopback.filter { $0 != own } : [own]
    }

    /// The page that `error_uri` links to, which explains an error code.
    func errorExplanation(_ received: ReceivedRequest) -> HTTPResponse {
        guard let number = received.query["code"].flatMap({ Int($0) }), let code = AuthorityErrorCode(rawValue: number)
        else { return PlainRejection.notFound }
        let content: HTML = "<p>\(code.summary)</p><p>OAuth error: <code>\(code.oauthError)</code>.</p>"
        return .page(Page(title: "AADSTS\(number)", content: content))
    }
}
