import CResources
import OAuthCore

/// An error of the authority, sent as JSON, as redirect parameters or as a page.
package struct AuthorityError: Error, Sendable, Equatable {
    package var code: AuthorityErrorCode
    /// A second sentence about this request. It can quote the request, but never a code, token or password.
    package var detail: String?
    /// Entra's subcode, which clients branch on.
    package var suberror: String?
    /// The OAuth error. Differs from the code's own where RFCs name one situation differently.
    package var oauthError: String
    /// A claims challenge: the claims that the client must request, as JSON.
    package var claims: String?

    init(_ code: AuthorityErrorCode, detail: String? = nil, suberror: String? = nil, oauthError: String? = nil) {
        (self.code, self.detail, self.suberror) = (code, detail, suberror)
        self.oauthError = oauthError ?? code.oauthError
    }

    static func missing(_ parameter: String) -> AuthorityError {
        AuthorityError(.missingParameter, detail: "Add \(parameter).")
    }

    static func malformed(_ parameter: String, _ why: String) -> AuthorityError {
        AuthorityError(.malformedParameter, detail: "\(parameter): \(why)")
    }

    package var message: String { "AADSTS\(code.rawValue): \(code.summary)\(detail.map { " \($0)" } ?? "")" }

    package var status: Int { Self.statuses[code] ?? 400 }

    private static let statuses: [AuthorityErrorCode: Int] = [
        .clientIsPublic: 401, .invalidAccessToken: 401, .insufficientScope: 403, .methodNotAllowed: 405,
        .tooManyWrongCodes: 429, .internalFailure: 500,
    ]

    /// The scheme that the client used (RFC 6749 §5.2), or the error of the access token (RFC 6750 §3).
    var challenge: String? {
        let realm = "realm=\"Keyturn authority\""
        if code == .clientIsPublic { return "Basic \(realm)" }
        return [.invalidAccessToken, .insufficientScope].contains(code)
            ? "Bearer \(realm), error=\"\(oauthError)\"" : nil
    }

    /// In seconds.
    var retryAfter: Int? { code == .tooManyWrongCodes ? 60 : nil }

    /// The `error_description`, with the identifiers for support.
    func description(in received: ReceivedRequest) -> String {
        "\(message) Trace ID: \(received.traceID) Correlation ID: \(received.correlationID) "
            + "Timestamp: \(received.timestamp)"
    }

    /// The error response (RFC 6749 §5.2) with Entra's members.
    func json(in received: ReceivedRequest, origin: String) -> JSONValue {
        JSONValue(members: [
            "error": .string(oauthError), "error_description": .string(description(in: received)),
            "error_codes": [JSONValue(code.rawValue)], "timestamp": .string(received.timestamp),
            "trace_id": .string(received.traceID), "correlation_id": .string(received.correlationID),
            "error_uri": .string("\(origin)/error?code=\(code.rawValue)"),
            "suberror": suberror.map(JSONValue.string), "claims": claims.map(JSONValue.string),
        ])
    }
}

/// A client's text, shortened and limited to the characters that RFC 6749 §5.2 allows in a description.
func quoted(_ text: some StringProtocol) -> String {
    let plain = text.unicodeScalars.map { scalar -> Character in
        (" "..."~").contains(scalar) && scalar != "\"" && scalar != "\\" ? Character(scalar) : "?"
    }
    return "'\(String(plain.prefix(80)))\(plain.count > 80 ? "..." : "")'"
}

/// The numbered errors of this authority. Most numbers are Microsoft Entra's for the same situation; some, such as 81010,
/// have another meaning there. The texts are ours, in `Resources/authority/errors.json`.
package enum AuthorityErrorCode: Int, Sendable, CaseIterable {
    case severalAccounts = 16000
    case severalResources = 28000
    case internalFailure = 50000
    case redirectURIMismatch = 50011
    case notInTenant = 50020
    case unknownInstance = 50049
    case invalidAssertion = 50013
    case blockedByPolicy = 53003
    case tooManyWrongCodes = 50196
    case loginRequired = 50058
    case secondFactorRequired = 50076
    case wrongPassword = 50126
    case passwordChanged = 50173
    case malformedCodeChallenge = 50147
    case missingCodeVerifier = 50148
    case protectionPolicyRequired = 53005
    case codeAlreadyUsed = 54005
    case consentRequired = 65001
    case declined = 65004
    case invalidGrant = 70000
    case clientOutsideFamily = 70002
    case unsupportedGrantType = 70003
    case codeExpired = 70008
    case unknownScope = 70011
    case authorizationPending = 70016
    case deviceCodeExpired = 70019
    case invalidAccessToken = 81010
    case insufficientScope = 81011
    case unknownTenant = 90002
    case polledTooOften = 90055
    case malformedParameter = 90023
    case stalePage = 165000
    case codeVerifierMismatch = 501481
    case unsupportedChallengeMethod = 501491
    case deviceCodeBlocked = 530033
    case codeOfOtherTenant = 700005
    case unknownClient = 700016
    case clientIsPublic = 700025
    case unsupportedResponseType = 700051
    case refreshTokenExpired = 700082
    case missingParameter = 900144
    case methodNotAllowed = 900561
    case repeatedParameter = 9_000_411
    case codeChallengeRequired = 9_002_325
    case invalidTarget = 9_010_010

    /// The `error` value (RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6, RFC 8628 §3.5).
    package var oauthError: String { text("error") ?? "server_error" }

    package var summary: String { text("summary") ?? "" }

    private func text(_ member: String) -> String? { Self.texts["\(rawValue)"]?[member]?.string }

    private static let texts = JSONValue(resource: keyturn_resource_authority_errors())
}
