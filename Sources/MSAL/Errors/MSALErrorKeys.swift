/// The domain of every error that this library throws.
public let MSALErrorDomain: String! = "MSALErrorDomain"

/// The key of the outcome in under 60 characters, for a headline, a `String`. Not in MSAL for iOS and macOS.
public let MSALHeadlineKey: String! = "MSALHeadlineKey"

/// The key of the authority's OAuth `error` (RFC 6749 §5.2), a `String`.
public let MSALOAuthErrorKey: String! = "MSALOAuthErrorKey"
/// The key of the authority's `suberror`, a `String`.
public let MSALOAuthSubErrorKey: String! = "MSALOAuthSubErrorKey"
/// The key of the authority's `error_description`, a `String`.
public let MSALOAuthSubErrorDescriptionKey: String! = "MSALOAuthSubErrorDescriptionKey"
/// The key of the error's description for developers, a `String`. It may contain text from the authority.
public let MSALErrorDescriptionKey: String! = "MSALErrorDescriptionKey"
/// The key of the error numbers of Microsoft Entra ID, such as 50058 for AADSTS50058, an `[Int]`.
public let MSALSTSErrorCodesKey: String! = "MSALSTSErrorCodesKey"
/// The key of the ``MSALInternalError`` raw value of an ``MSALError/internal`` error, an `Int`.
public let MSALInternalErrorCodeKey: String! = "MSALInternalErrorCodeKey"
/// The key of the response headers, a `[String: String]`.
public let MSALHTTPHeadersKey: String! = "MSALHTTPHeadersKey"
/// The key of the request's correlation ID, a `String`.
public let MSALCorrelationIDKey: String! = "MSALCorrelationIDKey"
/// The key of the HTTP status, a `String`.
public let MSALHTTPResponseCodeKey: String! = "MSALHTTPResponseCodeKey"
/// The key of the declined scopes, a `[String]`.
public let MSALDeclinedScopesKey: String! = "MSALDeclinedScopesKey"
/// The key of the granted scopes, a `[String]`.
public let MSALGrantedScopesKey: String! = "MSALGrantedScopesKey"
/// The key of the affected account's username, a `String`.
public let MSALDisplayableUserIdKey: String! = "MSALDisplayableUserIdKey"
/// The key of the affected account's identifier, a `String`.
public let MSALHomeAccountIdKey: String! = "MSALHomeAccountIdKey"
/// The key of the usable ``MSALResult`` of an ``MSALError/serverDeclinedScopes`` error.
public let MSALInvalidResultKey: String! = "MSALInvalidResultKey"
/// The key of the version of the identity broker that failed, a `String`.
public let MSALBrokerVersionKey: String! = "MSALBrokerVersionKey"
/// The key of the `Int` 1 in an error that repeats an earlier failure without a new request.
public let MSALThrottlingCacheHitKey: String! = "MSALThrottlingCacheHitKey"
/// The key of the raw value of an ``MSALFailureKind``, a `String`. Not in MSAL for iOS and macOS.
public let MSALFailureKindKey: String! = "MSALFailureKindKey"
/// The key of the seconds to wait before the next request (`Retry-After`), a `Double`. Not in MSAL for iOS and macOS.
public let MSALRetryAfterKey: String! = "MSALRetryAfterKey"
/// The key of the failed rules of an ID token, such as "Signature", a `[String]`. Not in MSAL for iOS and macOS.
public let MSALFailedChecksKey: String! = "MSALFailedChecksKey"
/// The key of the ``MSALTokenAgreement`` that a request needs, to ask the user for it. Not in MSAL for iOS and macOS.
public let MSALTokenAgreementKey: String! = "MSALTokenAgreementKey"
/// The key of the server that doesn't get a token because nobody decided that it may, a `URL`. Not in MSAL for iOS and macOS.
public let MSALDestinationKey: String! = "MSALDestinationKey"
