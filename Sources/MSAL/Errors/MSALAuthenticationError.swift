import Foundation

/// The error that every call of this library throws: an `NSError` in ``MSALErrorDomain``.
///
/// `localizedDescription` has the outcome and its cause, `localizedRecoverySuggestion` the next step. The keys of
/// `userInfo` are those of MSAL for iOS and macOS (`MSALErrorKeys.swift`).
///
/// A subclass of `NSError`, because on Linux `catch let error as NSError` catches nothing else. `@unchecked Sendable`
/// because Swift requires subclasses to restate it; the class adds no state.
public final class MSALAuthenticationError: NSError, @unchecked Sendable {
    /// The network failure that caused the error, or `nil`. Not in MSAL for iOS and macOS, whose error is this one itself.
    ///
    /// The codes are those of `NSURLErrorDomain`, for example `notConnectedToInternet` if no network interface is up.
    public var urlError: URLError? {
        guard let cause = userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSURLErrorDomain else {
            return nil
        }
        return URLError.Code(rawValue: cause.code).map { URLError($0, userInfo: cause.userInfo) }
    }

    package convenience init(_ cause: AuthenticationFailure, correlationID: UUID? = nil, result: NSObject? = nil) {
        let failure = Failure(cause, correlationID: correlationID)
        var userInfo: [String: Any] = cause.keys.mapValues { ($0 as? String)?.beginning(1024) ?? $0 }
        userInfo[Failure.key] = failure
        userInfo[MSALFailureKindKey] = failure.kind.rawValue
        userInfo[MSALHeadlineKey] = failure.headline
        userInfo[NSLocalizedDescriptionKey] = failure.reason
        // `description` prints this key on Linux, and the key above on Apple's systems.
        userInfo[NSLocalizedFailureReasonErrorKey] = failure.reason
        userInfo[NSLocalizedRecoverySuggestionErrorKey] = failure.told(\.sentence).advice
        userInfo[MSALErrorDescriptionKey] = failure.reason
        userInfo[MSALInternalErrorCodeKey] = failure.internalCode
        userInfo[MSALOAuthErrorKey] = failure.oauthError
        userInfo[MSALOAuthSubErrorKey] = failure.oauthSubError
        if !failure.serviceCodes.isEmpty { userInfo[MSALSTSErrorCodesKey] = failure.serviceCodes }
        userInfo[MSALRetryAfterKey] = failure.retryAfter
        userInfo[MSALCorrelationIDKey] = failure.correlationID
        userInfo[MSALInvalidResultKey] = result
        self.init(domain: failure.domain, code: failure.code, userInfo: userInfo)
    }
}
