/// The domain of every error this library throws.
public let MSALErrorDomain: String! = "MSALErrorDomain"

/// The authority's OAuth `error` (RFC 6749 §5.2). A `String`.
public let MSALOAuthErrorKey: String! = "MSALOAuthErrorKey"
/// The authority's `suberror`. A `String`.
public let MSALOAuthSubErrorKey: String! = "MSALOAuthSubErrorKey"
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
public let MSALDisplayableUserIdKey: String! = "MSALDisplayableUserIdKey"
public let MSALHomeAccountIdKey: String! = "MSALHomeAccountIdKey"
/// The usable ``MSALResult``, with ``MSALError/serverDeclinedScopes``.
public let MSALInvalidResultKey: String! = "MSALInvalidResultKey"
public let MSALBrokerVersionKey: String! = "MSALBrokerVersionKey"
public let MSALThrottlingCacheHitKey: String! = "MSALThrottlingCacheHitKey"
