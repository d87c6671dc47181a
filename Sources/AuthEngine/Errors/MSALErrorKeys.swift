/// The domain of every error this library throws.
public let MSALErrorDomain: String! = "MSALErrorDomain"

/// The authority's OAuth `error` (RFC 6749 §5.2). A `String`.
public let MSALOAuthErrorKey: String! = "MSALOAuthErrorKey"
/// The authority's `suberror`. A `String`.
public let MSALOAuthSubErrorKey: String! = "MSALOAuthSubErrorKey"
/// The authority's `error_description`. A `String`.
public let MSALOAuthSubErrorDescriptionKey: String! = "MSALOAuthSubErrorDescriptionKey"
/// What went wrong, for a developer. A `String`; it may hold text of the authority.
public let MSALErrorDescriptionKey: String! = "MSALErrorDescriptionKey"
/// The security token service's numbers, as in AADSTS50058. An `[Int]`.
public let MSALSTSErrorCodesKey: String! = "MSALSTSErrorCodesKey"
/// An ``MSALInternalError`` raw value, with ``MSALError/internal``. An `Int`.
public let MSALInternalErrorCodeKey: String! = "MSALInternalErrorCodeKey"
/// A `[String: String]`.
public let MSALHTTPHeadersKey: String! = "MSALHTTPHeadersKey"
/// The request's correlation ID. A `String`.
public let MSALCorrelationIDKey: String! = "MSALCorrelationIDKey"
/// The HTTP status. A `String`.
public let MSALHTTPResponseCodeKey: String! = "MSALHTTPResponseCodeKey"
/// A `[String]`.
public let MSALDeclinedScopesKey: String! = "MSALDeclinedScopesKey"
/// A `[String]`.
public let MSALGrantedScopesKey: String! = "MSALGrantedScopesKey"
/// The user name of the account it is about. A `String`.
public let MSALDisplayableUserIdKey: String! = "MSALDisplayableUserIdKey"
/// The identifier of the account it is about. A `String`.
public let MSALHomeAccountIdKey: String! = "MSALHomeAccountIdKey"
/// The usable ``MSALResult``, with ``MSALError/serverDeclinedScopes``.
public let MSALInvalidResultKey: String! = "MSALInvalidResultKey"
/// The version of the identity broker that refused. A `String`.
public let MSALBrokerVersionKey: String! = "MSALBrokerVersionKey"
/// 1 when an earlier failure was repeated without asking the authority. An `Int`.
public let MSALThrottlingCacheHitKey: String! = "MSALThrottlingCacheHitKey"
/// The raw value of an ``MSALFailureKind``. A `String`. An addition of this library.
public let MSALFailureKindKey: String! = "MSALFailureKindKey"
/// The seconds for which the server wants no further request (`Retry-After`). A `Double`. An addition of this library.
public let MSALRetryAfterKey: String! = "MSALRetryAfterKey"
/// The rules that an ID token failed, such as "Signature". A `[String]`. An addition of this library.
public let MSALFailedChecksKey: String! = "MSALFailedChecksKey"
