import Foundation
import KeyturnCrypto
import OAuthCore

/// Most come from the OpenID Foundation's conformance plans for relying parties. The others simulate a hostile
/// authority or intermediary.
extension Fault {
    package static let allCases =
        ofClaims + ofSignatures + ofKeys + ofDiscovery + ofPushedRequests + ofAuthorizations + ofRefreshes + ofUserInfo
        + ofTokenResponses + ofRevocations + ofResources + ofAssertions

    private static let ofClaims = [
        Fault("wrong-issuer", "invalid-iss", .reject, .claims { $0["iss"] = "https://elsewhere.example" }),
        Fault("missing-subject", "missing-sub", .reject, .claims { $0["sub"] = nil }),
        Fault("wrong-audience", "invalid-aud", .reject, .claims { $0["aud"] = "another-client" }),
        Fault("missing-audience", "missing-aud", .reject, .claims { $0["aud"] = nil }),
        Fault(
            "wrong-authorized-party", "OpenID Connect Core §3.1.3.7", .reject,
            .claims {
                $0["aud"] = .array([$0["aud"] ?? .null, "another-client"])
                $0["azp"] = "another-client"
            }),
        Fault("missing-issued-at", "missing-iat", .reject, .claims { $0["iat"] = nil }),
        Fault(
            "expired", "OpenID Connect Core §3.1.3.7", .reject,
            shifting(["iat", "nbf", "exp", "auth_time"], by: -86400)),
        Fault("not-yet-valid", "RFC 7519 §4.1.5", .reject, shifting(["nbf"], by: 86400)),
        Fault("wrong-nonce", "nonce-invalid", .reject, .claims { $0["nonce"] = "another-nonce" }),
        Fault("missing-nonce", "nonce-invalid", .reject, .claims { $0["nonce"] = nil }),
        Fault(
            "wrong-access-token-hash", "invalid-athash", .reject,
            .claims { $0["at_hash"] = .string(IssuedContent.accessTokenHash("another-token")) }),
        Fault("missing-access-token-hash", "missing-athash", .accept, .claims { $0["at_hash"] = nil }),
        Fault(
            "control-characters-in-name", nil, .accept,
            .claims { $0["name"] = "Ann\u{1B}[2J\u{7}\u{202E} Archer" }),
    ]

    private static let ofSignatures = [
        Fault("signed-with-es256", "idtoken-sig-es256", .accept, .setting { $0.signatureAlgorithm = .es256 }),
        Fault("signed-with-ps256", "idtoken-sig-ps256", .accept, .setting { $0.signatureAlgorithm = .ps256 }),
        Fault(
            "unsigned", "idtoken-sig-none", .reject, .header { $0["alg"] = "none" },
            .signature { "\($0.header).\($0.claims)." }),
        Fault("wrong-signature", "invalid-sig-rs256", .reject, damagedSignature),
        Fault(
            "wrong-es256-signature", "invalid-sig-es256", .reject, .setting { $0.signatureAlgorithm = .es256 },
            damagedSignature),
        Fault(
            "shared-secret-signature", "invalid-sig-hs256", .reject, .header { $0["alg"] = "HS256" },
            // As long as an HMAC-SHA256. There's no shared secret, so any value will do.
            .signature { "\($0.header).\($0.claims).\(Base64URL.encode(SHA2.sha256($0.signature)))" }),
        Fault("malformed-token", nil, .reject, .signature { _ in "neither header nor claims" }),
    ]

    private static let ofKeys = [
        Fault("missing-key-id-one-key", "kid-absent-single-jwks", .accept, .header { $0["kid"] = nil }),
        Fault(
            "missing-key-id-several-keys", "kid-absent-multiple-jwks", .accept, .header { $0["kid"] = nil },
            .setting { $0.publishesAllKeys = true }),
        Fault(
            "unknown-key-id", "discovery-jwks-uri-keys", .reject, .header { $0["kid"] = "an-unpublished-key" }),
        Fault("no-keys", "discovery-jwks-uri-keys", .reject, changing(.keys) { $0["keys"] = [] }),
        Fault(
            "extra-unusable-keys", "discovery-jwks-uri-keys", .accept,
            changing(.keys) { members in
                let strangers: [JSONValue] = [
                    ["kty": "OKP", "crv": "Ed448", "x": "AA"], ["kty": "RSA", "use": "enc", "n": "AQAB", "e": "AQAB"],
                    ["kty": "of the future"], [:],
                ]
                members["keys"] = .array(strangers + (members["keys"]?.array ?? []))
            }),
        Fault(
            "key-rotation", "signing-key-rotation", .accept, isOfRefreshes: true, .setting { $0.rotatesKeys = true }),
    ]

    private static let ofDiscovery = [
        Fault(
            "discovery-wrong-issuer", "discovery-issuer-mismatch", .reject,
            changing(.discovery) { $0["issuer"] = "http://localhost:1/{tenantid}/v2.0" }),
        Fault(
            "discovery-missing-endpoint", "discovery-openid-config", .reject,
            changing(.discovery) { $0["token_endpoint"] = nil }),
        Fault("discovery-not-json", "discovery-openid-config", .reject, .response(.discovery, showHotelPage)),
    ]

    private static let requiringPushes = Effect.setting { $0.pushedRequests = .required }

    private static let ofPushedRequests = [
        Fault("pushed-request", "RFC 9126 §5", .accept, requiringPushes),
        Fault(
            "pushed-request-failed", "RFC 9126 §2.3", .accept, .setting { $0.pushedRequests = .offered },
            .response(.pushedRequest) { $0 = .json(["error": "server_error"], status: 500) }),
        Fault(
            "pushed-request-rejected", "RFC 9126 §2.3", .reject, requiringPushes,
            .response(.pushedRequest) { $0 = .json(["error": "invalid_request"], status: 400) }),
        Fault(
            "pushed-request-without-uri", "RFC 9126 §2.2", .reject, requiringPushes,
            changing(.pushedRequest) { $0["request_uri"] = nil }),
        Fault(
            "request-uri-expired", "RFC 9126 §2.2", .reject, requiringPushes,
            .setting { $0.lifetimes.pushedRequest = 0 }, changing(.pushedRequest) { $0["expires_in"] = 60 }),
        Fault(
            "request-uri-reused", "RFC 9126 §4", .reject, requiringPushes,
            .setting { $0.opensPushedRequestsFirst = true }),
    ]

    private static let ofAuthorizations = [
        Fault("wrong-state", "RFC 6749 §4.1.2", .ignore, .authorization { $0["state"] = "another-state" }),
        Fault("missing-state", "RFC 6749 §4.1.2", .ignore, .authorization { $0["state"] = nil }),
        Fault(
            "wrong-response-issuer", "RFC 9207 §2.4", .reject,
            .authorization { $0["iss"] = "https://elsewhere.example" }),
        Fault("missing-response-issuer", "RFC 9207 §2.4", .reject, .authorization { $0["iss"] = nil }),
        Fault("repeated-code", "RFC 6749 §3.1", .reject, .authorization { $0.append("code", "another-code") }),
        Fault("missing-code", "RFC 6749 §4.1.2", .reject, .authorization { $0["code"] = nil }),
        Fault(
            "error-response", "form-post-error", .reject,
            .authorization {
                $0["code"] = nil
                $0["error"] = "server_error"
                $0["error_description"] = "The server has an internal error."
            }),
    ]

    private static let ofRefreshes = [
        Fault(
            "refreshed-wrong-issuer", "refresh-token-invalid-issuer", .reject, isOfRefreshes: true,
            .claims { $0["iss"] = "https://elsewhere.example" }),
        Fault(
            "refreshed-wrong-subject", "refresh-token-invalid-sub", .reject, isOfRefreshes: true,
            .claims { $0["sub"] = "another-user" }),
        Fault(
            "refreshed-wrong-nonce", "OpenID Connect Core §12.2", .reject, isOfRefreshes: true,
            .claims { $0["nonce"] = "another-nonce" }),
        Fault(
            "refreshed-without-id-token", "refresh-token", .accept, isOfRefreshes: true,
            changing(.tokens) { $0["id_token"] = nil }),
        Fault(
            "refreshed-without-refresh-token", "refresh-token", .accept, isOfRefreshes: true,
            changing(.tokens) { $0["refresh_token"] = nil }),
        Fault(
            "revoked-early", "RFC 6749 §5.2", .reject, isOfRefreshes: true,
            .setting {
                $0.statesRefreshLifetime = true
                $0.policies.revocation = .passwordChanged
            }),
    ]

    private static let ofRevocations = [
        Fault(
            "revocation-failed", "RFC 7009 §2.2.1", .accept,
            .response(.revocation) { $0 = .json(["error": "server_error"], status: 503) })
    ]

    private static let ofUserInfo = [
        Fault(
            "userinfo-wrong-subject", "userinfo-invalid-sub", .accept,
            changing(.userInfo) { $0["sub"] = "another-user" })
    ]

    private static let ofTokenResponses = [
        Fault("missing-id-token", "OpenID Connect Core §3.1.3.3", .reject, changing(.tokens) { $0["id_token"] = nil }),
        Fault("missing-scope", "RFC 6749 §5.1", .accept, changing(.tokens) { $0["scope"] = nil }),
        Fault("wrong-token-type", "RFC 6749 §5.1", .reject, changing(.tokens) { $0["token_type"] = "mac" }),
        Fault("negative-lifetime", nil, .reject, changing(.tokens) { $0["expires_in"] = -3600 }),
        Fault(
            "repeated-members", nil, .reject,
            .response(.tokens) { $0.body = Array(#"{"access_token":"another","#.utf8) + $0.body.dropFirst() }),
        Fault("truncated", nil, .reject, .response(.tokens) { $0.body.removeLast($0.body.count / 2) }),
        Fault(
            "huge-body", nil, .reject,
            .response(.tokens) { $0.body += Array(repeating: UInt8(ascii: " "), count: 8 << 20) }),
        Fault(
            "deep-body", nil, .reject,
            .response(.tokens) { $0.body = Array(repeating: UInt8(ascii: "["), count: 100_000) }),
        // The response takes longer than any client waits, although bytes keep arriving.
        Fault("slow-drip", nil, .reject, .response(.tokens) { $0.secondsPerByte = 0.5 }),
        Fault("page", nil, .reject, .response(.tokens, showHotelPage)),
        Fault(
            "redirected", nil, .reject,
            .response(.tokens) { $0 = .redirect(to: "https://elsewhere.example/token") }),
        Fault(
            "control-characters-in-error", nil, .reject,
            .response(.tokens) {
                $0 = .json(
                    ["error": "server_error", "error_description": "\u{1B}]0;owned\u{7}It\u{202E} failed.\r\n"],
                    status: 400)
            }),
    ]

    private static let ofResources = [
        Fault(
            "resource-other", "RFC 9728 §3.3", .reject,
            changing(.apiMetadata) { $0["resource"] = "https://elsewhere.example/api/me" }),
        Fault(
            "resource-sibling", "RFC 9728 §3.3", .reject,
            changing(.apiMetadata) { $0["resource"] = path("/ap", of: $0) }),
        Fault(
            "resource-parent", "RFC 9728 §3.3", .accept,
            changing(.apiMetadata) { $0["resource"] = path("/api", of: $0) },
            // The identifier isn't one of the authority's.
            .setting { $0.acceptsAnyResource = true }),
        Fault(
            "resource-unsafe-authority", "RFC 9728 §7.7", .reject,
            changing(.apiMetadata) { $0["authorization_servers"] = ["http://169.254.169.254/latest"] }),
        Fault(
            "resource-without-authority", "RFC 9728 §2", .reject,
            changing(.apiMetadata) { $0["authorization_servers"] = nil }),
        Fault(
            "resource-without-metadata", "RFC 9728 §3", .reject,
            .response(.apiMetadata) { $0 = HTTPResponse(status: 404) }),
        Fault(
            "resource-requires-dpop", "RFC 9728 §2", .reject,
            changing(.apiMetadata) { $0["dpop_bound_access_tokens_required"] = true }),
        Fault(
            "resource-unsafe-metadata", "RFC 9728 §7.7", .reject,
            .response(.api) {
                $0.headers["WWW-Authenticate"] = #"Bearer resource_metadata="http://elsewhere.example/metadata""#
            }),
        Fault(
            "resource-endless-challenge", "RFC 6750 §3.1", .accept,
            .response(.api) {
                $0.status = 401
                $0.headers["WWW-Authenticate"] = $0.headers["WWW-Authenticate"] ?? #"Bearer error="invalid_token""#
            }),
        Fault(
            "resource-huge-challenge", nil, .reject,
            .response(.api) {
                let parameters = (0..<100).map { "p\($0)=\"v\"" }.joined(separator: ", ")
                $0.headers["WWW-Authenticate"] = "Bearer \(parameters)"
            }),
        Fault(
            "server-wrong-issuer", "RFC 8414 §3.3", .reject,
            changing(.authorizationServer) { $0["issuer"] = "http://127.0.0.1:1/other" }),
        Fault(
            "server-without-s256", "RFC 7636 §4.2", .reject,
            changing(.authorizationServer) { $0["code_challenge_methods_supported"] = ["plain"] }),
        Fault(
            "server-without-keys", "RFC 8414 §2", .accept, changing(.authorizationServer) { $0["jwks_uri"] = nil }),
        Fault(
            "server-without-registration", "RFC 8414 §2", .reject,
            changing(.authorizationServer) { $0["registration_endpoint"] = nil }),
        Fault(
            "registration-with-secret", "RFC 7591 §3.2.1", .reject,
            changing(.registration) { $0["token_endpoint_auth_method"] = "client_secret_basic" }),
        Fault(
            "registration-other-redirect", "RFC 7591 §3.2.1", .reject,
            changing(.registration) { $0["redirect_uris"] = ["https://elsewhere.example/cb"] }),
        Fault(
            "registration-refused", "RFC 7591 §3.2.2", .reject,
            .response(.registration) {
                $0 = .json(
                    ["error": "invalid_client_metadata", "error_description": "Not \u{1B}[2Jhere."], status: 400)
            }),
    ]

    private static let ofAssertions = [
        Fault(
            "assertion-refused", "RFC 8693 §2.2.2", .reject,
            .assertion { _ throws(AuthorityError) in throw AuthorityError(.blockedByPolicy) }),
        Fault("assertion-for-another", "RFC 7523 §3", .reject, .assertion { $0["aud"] = "https://elsewhere.example" }),
        Fault("assertion-expired", "RFC 7523 §3", .reject, .assertion { $0["exp"] = $0["iat"] }),
        Fault("assertion-of-another-client", "RFC 7523 §3", .reject, .assertion { $0["client_id"] = "another-client" }),
        Fault("assertion-replayed", "RFC 7523 §3", .reject, isOfRefreshes: true, .assertion { $0["jti"] = "the-same" }),
        Fault(
            "assertion-of-another-type", "RFC 8693 §2.2.1", .reject, .assertion { _ in },
            changing(.tokens) {
                guard $0["issued_token_type"] != nil else { return }
                $0["issued_token_type"] = "urn:ietf:params:oauth:token-type:access_token"
            }),
    ]

    @Sendable private static func showHotelPage(_ response: inout HTTPResponse) {
        response.headers["Content-Type"] = "text/html"
        response.body = Array("<html>Sign in to the hotel's network</html>".utf8)
    }

    private static let damagedSignature = Effect.signature {
        var signature = $0.signature
        signature[signature.count / 2] ^= 1
        return "\($0.header).\($0.claims).\(Base64URL.encode(signature))"
    }

    private static func shifting(_ names: [String], by seconds: Double) -> Effect {
        .claims { claims in
            for name in names { claims[name] = claims[name]?.double.map { .integer(Int64($0 + seconds)) } }
        }
    }

    /// Another path at the origin of the metadata's resource.
    private static func path(_ path: String, of metadata: [String: JSONValue]) -> JSONValue? {
        metadata["resource"]?.string.flatMap(URL.init).map { .string($0.origin + path) }
    }

    /// Changes the JSON object in an endpoint's response.
    private static func changing(
        _ document: Document, _ change: @escaping @Sendable (inout [String: JSONValue]) -> Void
    ) -> Effect {
        .response(document) { response in
            guard var members = (try? JSONValue(parsing: response.body))?.object else { return }
            change(&members)
            response.body = Array(JSONValue.object(members).serialized.utf8)
        }
    }
}
