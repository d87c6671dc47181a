/// The numbered errors of this authority. Most numbers are Microsoft Entra's for the same situation; some, such as 81010,
/// have another meaning there. The texts are ours.
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
    package var oauthError: String {
        switch self {
        case .severalAccounts: "account_selection_required"
        case .unknownInstance: "invalid_instance"
        case .loginRequired: "login_required"
        case .consentRequired: "consent_required"
        case .secondFactorRequired: "interaction_required"
        case .invalidAccessToken: "invalid_token"
        case .insufficientScope: "insufficient_scope"
        case .declined, .blockedByPolicy: "access_denied"
        case .severalResources, .unknownScope: "invalid_scope"
        case .invalidTarget: "invalid_target"
        case .unsupportedGrantType: "unsupported_grant_type"
        case .authorizationPending: "authorization_pending"
        case .deviceCodeExpired: "expired_token"
        case .polledTooOften: "slow_down"
        case .unsupportedResponseType: "unsupported_response_type"
        case .unknownClient, .protectionPolicyRequired: "unauthorized_client"
        case .clientIsPublic: "invalid_client"
        case .internalFailure: "server_error"
        case .notInTenant, .invalidAssertion, .wrongPassword, .missingCodeVerifier, .codeAlreadyUsed, .invalidGrant,
            .codeExpired,
            .codeVerifierMismatch, .codeOfOtherTenant, .refreshTokenExpired, .passwordChanged,
            .clientOutsideFamily, .deviceCodeBlocked:
            "invalid_grant"
        case .redirectURIMismatch, .malformedCodeChallenge, .unknownTenant, .malformedParameter, .stalePage,
            .unsupportedChallengeMethod, .missingParameter, .methodNotAllowed, .repeatedParameter,
            .codeChallengeRequired, .tooManyWrongCodes:
            "invalid_request"
        }
    }

    /// A sentence for the user.
    package var summary: String {
        switch self {
        case .severalAccounts: "Several accounts are signed in, and a silent request can't choose one."
        case .severalResources: "The scopes name several resources, but an access token is for one."
        case .internalFailure: "The authority failed."
        case .redirectURIMismatch: "The redirect URI isn't registered for this application."
        case .notInTenant: "The account doesn't exist in the requested tenant."
        case .invalidAssertion: "The assertion is invalid."
        case .blockedByPolicy: "A policy of the organisation blocks the access."
        case .deviceCodeBlocked: "A policy of the organisation blocks sign-ins with a device code."
        case .unknownInstance: "The authority's host is unknown."
        case .loginRequired: "No user is signed in, and a silent request can't show the sign-in page."
        case .wrongPassword: "The username or password is wrong."
        case .secondFactorRequired: "MFA needed."
        case .tooManyWrongCodes: "Too many wrong codes. Wait one minute."
        case .clientOutsideFamily: "The refresh token belongs to another client, outside this client's family."
        case .invalidAccessToken: "The access token is missing, expired or from another authority."
        case .insufficientScope: "The access token lacks the scope openid."
        case .passwordChanged: "This sign-in was revoked, for example by a new password. Sign in again."
        case .protectionPolicyRequired:
            "The organisation requires an application that enforces its protection policy."
        case .malformedCodeChallenge: "The code challenge isn't a SHA-256 digest in base64url."
        case .missingCodeVerifier: "The code verifier is missing."
        case .codeAlreadyUsed: "The authorization code was already redeemed. Its tokens are revoked."
        case .consentRequired: "The user hasn't consented to all requested scopes."
        case .declined: "The user declined."
        case .invalidGrant: "The code or refresh token is invalid."
        case .unsupportedGrantType: "The grant type isn't supported."
        case .codeExpired: "The authorization code has expired."
        case .unknownScope: "A requested scope doesn't exist."
        case .authorizationPending: "The user hasn't entered the code yet."
        case .deviceCodeExpired: "The device code has expired."
        case .polledTooOften: "The device polls too often."
        case .unknownTenant: "The tenant doesn't exist."
        case .malformedParameter: "A parameter has an invalid value."
        case .stalePage: "This page is out of date or belongs to another browser. Start the sign-in again."
        case .codeVerifierMismatch: "The code verifier doesn't match the code challenge."
        case .unsupportedChallengeMethod: "The code challenge method must be S256."
        case .codeOfOtherTenant: "The authorization code was issued by another tenant."
        case .unknownClient: "No application with this client ID is registered."
        case .clientIsPublic: "A public client must not send a secret."
        case .unsupportedResponseType: "The response type must be code."
        case .refreshTokenExpired: "The refresh token expired after a long time without use."
        case .missingParameter: "A required parameter is missing."
        case .methodNotAllowed: "The endpoint doesn't support this HTTP method."
        case .repeatedParameter: "A parameter is repeated."
        case .codeChallengeRequired: "PKCE is required: send a code challenge."
        case .invalidTarget: "The resource isn't one of this authority's."
        }
    }
}
