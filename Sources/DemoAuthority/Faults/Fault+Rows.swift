import Foundation
import KeyturnCrypto
import OAuthCore

/// Most come from the OpenID Foundation's conformance plans for relying parties. The others simulate a hostile authority.
extension Fault {
    /// A row's change of members, of which `null` removes one: in claims, a header, an assertion, an authorization response, or the
    /// JSON of an endpoint.
    static func effect(on part: String, _ changes: [String: JSONValue]) -> Effect? {
        let change = { @Sendable (members: inout [String: JSONValue]) in
            for (name, value) in changes { members[name] = value == .null ? nil : value }
        }
        switch part {
        case "claims": return .claims(change)
        case "header": return .header(change)
        case "assertion": return .assertion(change)
        case "authorization":
            return .authorization { parameters in
                for (name, value) in changes.sorted(by: { $0.key < $1.key }) { parameters[name] = value.string }
            }
        default: return Route.Endpoint(rawValue: part).map { changing($0, change) }
        }
    }

    /// The changes that need code, by the names of the rows.
    static let coded: [String: [Effect]] = [
        // ID tokens
        "wrong-authorized-party": [
            .claims {
                $0["aud"] = .array([$0["aud"] ?? .null, "another-client"])
                $0["azp"] = "another-client"
            }
        ],
        "expired": [shifting(["iat", "nbf", "exp", "auth_time"], by: -86400)],
        "not-yet-valid": [shifting(["nbf"], by: 86400)],
        "wrong-access-token-hash": [
            .claims { $0["at_hash"] = .string(IssuedContent.accessTokenHash("another-token")) }
        ],
        "signed-with-es256": [.setting { $0.signatureAlgorithm = .es256 }],
        "signed-with-ps256": [.setting { $0.signatureAlgorithm = .ps256 }],
        "unsigned": [.signature { "\($0.header).\($0.claims)." }],
        "wrong-signature": [damagedSignature],
        "wrong-es256-signature": [.setting { $0.signatureAlgorithm = .es256 }, damagedSignature],
        // As long as an HMAC-SHA256. There's no shared secret, so any value will do.
        "shared-secret-signature": [
            .signature { "\($0.header).\($0.claims).\(Base64URL.encode(SHA2.sha256($0.signature)))" }
        ],
        "malformed-token": [.signature { _ in "neither header nor claims" }],
        // Keys and metadata
        "missing-key-id-several-keys": [.setting { $0.publishesAllKeys = true }],
        "extra-unusable-keys": [
            changing(.keys) { members in
                let strangers: [JSONValue] = [
                    ["kty": "OKP", "crv": "Ed448", "x": "AA"], ["kty": "RSA", "use": "enc", "n": "AQAB", "e": "AQAB"],
                    ["kty": "of the future"], [:],
                ]
                members["keys"] = .array(strangers + (members["keys"]?.array ?? []))
            }
        ],
        "key-rotation": [.setting { $0.rotatesKeys = true }],
        "discovery-not-json": [.response(.openIDConfiguration, showHotelPage)],
        // Pushed requests
        "pushed-request": [requiringPushes],
        "pushed-request-failed": [
            .setting { $0.pushedRequests = .offered }, failing(.pushedRequest, ["error": "server_error"], 500),
        ],
        "pushed-request-rejected": [requiringPushes, failing(.pushedRequest, ["error": "invalid_request"], 400)],
        "pushed-request-without-uri": [requiringPushes],
        "request-uri-expired": [requiringPushes, .setting { $0.lifetimes.pushedRequest = 0 }],
        "request-uri-reused": [requiringPushes, .setting { $0.opensPushedRequestsFirst = true }],
        // Responses
        "repeated-code": [.authorization { $0.append("code", "another-code") }],
        "revoked-early": [
            .setting {
                $0.statesRefreshLifetime = true
                $0.policies.revocation = .passwordChanged
            }
        ],
        "repeated-members": [
            .response(.token) { $0.body = Array(#"{"access_token":"another","#.utf8) + $0.body.dropFirst() }
        ],
        "truncated": [.response(.token) { $0.body.removeLast($0.body.count / 2) }],
        "huge-body": [.response(.token) { $0.body += Array(repeating: UInt8(ascii: " "), count: 8 << 20) }],
        "deep-body": [.response(.token) { $0.body = Array(repeating: UInt8(ascii: "["), count: 100_000) }],
        // The response takes longer than any client waits, although bytes keep arriving.
        "slow-drip": [.response(.token) { $0.secondsPerByte = 0.5 }],
        "page": [.response(.token, showHotelPage)],
        "redirected": [.response(.token) { $0 = .redirect(to: "https://elsewhere.example/token") }],
        "control-characters-in-error": [
            failing(.token, error("server_error", "\u{1B}]0;owned\u{7}It\u{202E} failed.\r\n"), 400)
        ],
        "revocation-failed": [failing(.revocation, ["error": "server_error"], 503)],
        // Resources and their authorities
        "resource-sibling": [changing(.apiMetadata) { $0["resource"] = path("/ap", of: $0) }],
        "resource-parent": [
            changing(.apiMetadata) { $0["resource"] = path("/api", of: $0) },
            // The identifier isn't one of the authority's.
            .setting { $0.acceptsAnyResource = true },
        ],
        "resource-without-metadata": [.response(.apiMetadata) { $0 = HTTPResponse(status: 404) }],
        "resource-unsafe-metadata": [
            challenging { _ in #"Bearer resource_metadata="http://elsewhere.example/metadata""# }
        ],
        "resource-endless-challenge": [
            .response(.api) { $0.status = 401 }, challenging { $0 ?? #"Bearer error="invalid_token""# },
        ],
        "resource-huge-challenge": [
            challenging { _ in "Bearer " + (0..<100).map { "p\($0)=\"v\"" }.joined(separator: ", ") }
        ],
        "registration-refused": [failing(.registration, error("invalid_client_metadata", "Not \u{1B}[2Jhere."), 400)],
        "assertion-refused": [.assertion { _ throws(AuthorityError) in throw AuthorityError(.blockedByPolicy) }],
        "assertion-expired": [.assertion { $0["exp"] = $0["iat"] }],
        "assertion-of-another-type": [
            .assertion { _ in },
            changing(.token) {
                guard $0["issued_token_type"] != nil else { return }
                $0["issued_token_type"] = "urn:ietf:params:oauth:token-type:access_token"
            },
        ],
    ]

    private static let requiringPushes = Effect.setting { $0.pushedRequests = .required }

    private static let damagedSignature = Effect.signature {
        var signature = $0.signature
        signature[signature.count / 2] ^= 1
        return "\($0.header).\($0.claims).\(Base64URL.encode(signature))"
    }

    @Sendable private static func showHotelPage(_ response: inout HTTPResponse) {
        response.headers["Content-Type"] = "text/html"
        response.body = Array("<html>Sign in to the hotel's network</html>".utf8)
    }

    private static func failing(_ endpoint: Route.Endpoint, _ body: JSONValue, _ status: Int) -> Effect {
        .response(endpoint) { $0 = .json(body, status: status) }
    }

    private static func error(_ code: String, _ description: String) -> JSONValue {
        ["error": .string(code), "error_description": .string(description)]
    }

    private static func challenging(_ challenge: @escaping @Sendable (String?) -> String) -> Effect {
        .response(.api) { $0.headers["WWW-Authenticate"] = challenge($0.headers["WWW-Authenticate"]) }
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

    private static func changing(
        _ endpoint: Route.Endpoint, _ change: @escaping @Sendable (inout [String: JSONValue]) -> Void
    ) -> Effect {
        .response(endpoint) { response in
            guard var members = (try? JSONValue(parsing: response.body))?.object else { return }
            change(&members)
            response.body = Array(JSONValue.object(members).serialized.utf8)
        }
    }
}
