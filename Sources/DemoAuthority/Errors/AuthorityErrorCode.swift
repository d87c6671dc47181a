import CResources
import OAuthCore

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

    /// A sentence for the user.
    package var summary: String { text("summary") ?? "" }

    private func text(_ member: String) -> String? { Self.texts["\(rawValue)"]?[member]?.string }

    private static let texts = JSONValue(resource: keyturn_resource_authority_errors())
}

extension JSONValue {
    /// The content of a file in `Resources/authority`. Tests validate it; a damaged file is empty.
    init(resource: keyturn_resource) { self = (try? JSONValue(parsing: Array(resource))) ?? .null }
}

extension [UInt8] {
    /// The content of a bundled file.
    init(_ resource: keyturn_resource) {
        self.init(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
    }
}
