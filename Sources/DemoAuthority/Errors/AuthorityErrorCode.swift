/// The numbered refusals of this authority. The numbers are those that Entra uses for the same situation, so that people
/// and programs that know them recognise them; the sentences are ours.
package enum AuthorityErrorCode: Int, Sendable, CaseIterable {
    case severalAccounts = 16000
    case severalResources = 28000
    case internalFailure = 50000
    case redirectURIMismatch = 50011
    case notInTenant = 50020
    case unknownInstance = 50049
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
    case askedTooOften = 90055
    case malformedParameter = 90023
    case stalePage = 165000
    case codeVerifierMismatch = 501481
    case unsupportedChallengeMethod = 501491
    case codeOfOtherTenant = 700005
    case unknownClient = 700016
    case clientIsPublic = 700025
    case unsupportedResponseType = 700051
    case refreshTokenExpired = 700082
    case missingParameter = 900144
    case methodNotAllowed = 900561
    case repeatedParameter = 9_000_411
    case codeChallengeRequired = 9_002_325

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
        case .declined: "access_denied"
        case .severalResources, .unknownScope: "invalid_scope"
        case .unsupportedGrantType: "unsupported_grant_type"
        case .authorizationPending: "authorization_pending"
        case .deviceCodeExpired: "expired_token"
        case .askedTooOften: "slow_down"
        case .unsupportedResponseType: "unsupported_response_type"
        case .unknownClient, .protectionPolicyRequired: "unauthorized_client"
        case .clientIsPublic: "invalid_client"
        case .internalFailure: "server_error"
        case .notInTenant, .wrongPassword, .missingCodeVerifier, .codeAlreadyUsed, .invalidGrant, .codeExpired,
            .codeVerifierMismatch, .codeOfOtherTenant, .refreshTokenExpired, .passwordChanged,
            .clientOutsideFamily:
            "invalid_grant"
        case .redirectURIMismatch, .malformedCodeChallenge, .unknownTenant, .malformedParameter, .stalePage,
            .unsupportedChallengeMethod, .missingParameter, .methodNotAllowed, .repeatedParameter,
            .codeChallengeRequired, .tooManyWrongCodes:
            "invalid_request"
        }
    }

    /// One sentence for a person.
    package var summary: String {
        switch self {
        case .severalAccounts: "Several people are signed in here and no page may be shown to choose one."
        case .severalResources: "One access token is for one resource, but the scopes name more than one."
        case .internalFailure: "The authority could not finish the request."
        case .redirectURIMismatch: "The redirect URI is not registered for this application."
        case .notInTenant: "This account does not exist in the tenant that was asked for."
        case .unknownInstance: "The authority's host is not one that this instance knows."
        case .loginRequired: "Nobody is signed in here and no page may be shown to sign in."
        case .wrongPassword: "The username or the password is wrong."
        case .secondFactorRequired: "What the client asks for needs more than a password."
        case .tooManyWrongCodes: "Too many wrong codes were entered. Wait a minute."
        case .clientOutsideFamily: "The refresh token belongs to another client, which is not of the same family."
        case .invalidAccessToken: "The access token is missing, has ended, or was not given by this authority."
        case .insufficientScope: "The access token is not for signing in: it was given without the scope openid."
        case .passwordChanged: "The password was changed after this sign-in, which is worth nothing any more."
        case .protectionPolicyRequired:
            "The organisation gives tokens only to applications that enforce its protection policy."
        case .malformedCodeChallenge: "The code challenge is not the base64url form of a SHA-256 digest."
        case .missingCodeVerifier: "The code was bound to a code challenge, but no code verifier came with it."
        case .codeAlreadyUsed: "The authorization code was used before. Everything it gave is revoked."
        case .consentRequired: "The person has not agreed to all of these scopes yet."
        case .declined: "The person declined."
        case .invalidGrant: "The code or refresh token is not valid."
        case .unsupportedGrantType: "This grant type is not supported."
        case .codeExpired: "The authorization code has expired."
        case .unknownScope: "A scope in the request does not exist."
        case .authorizationPending: "Nobody has entered the code and signed in yet. Ask again later."
        case .deviceCodeExpired: "The code was not entered in time."
        case .askedTooOften: "The device asks too often."
        case .unknownTenant: "There is no such tenant."
        case .malformedParameter: "A parameter has a value that cannot be understood."
        case .stalePage: "This page is out of date or was opened in another browser. Start the sign-in again."
        case .codeVerifierMismatch: "The code verifier does not belong to the code challenge of this sign-in."
        case .unsupportedChallengeMethod: "The code challenge method must be S256."
        case .codeOfOtherTenant: "The authorization code was issued by another tenant."
        case .unknownClient: "No application with this client identifier is registered."
        case .clientIsPublic: "This application is a public client and must not send a secret."
        case .unsupportedResponseType: "The response type must be code."
        case .refreshTokenExpired: "The refresh token has expired because it was not used for too long."
        case .missingParameter: "A required parameter is missing."
        case .methodNotAllowed: "This endpoint does not accept that HTTP method."
        case .repeatedParameter: "A parameter occurs more than once."
        case .codeChallengeRequired: "Proof Key for Code Exchange is required: send a code challenge."
        }
    }
}
