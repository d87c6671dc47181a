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

/// The `code` of errors in ``MSALErrorDomain`` (MSAL for iOS and macOS, `MSALError`).
public enum MSALError: Int, Sendable {
    /// An internal error; ``MSALInternalErrorCodeKey`` has its code.
    case `internal` = -50000
    /// The device must first be registered with the organisation.
    case workplaceJoinRequired = -50001
    /// The user has to sign in. Make an interactive request.
    case interactionRequired = -50002
    /// The authority declined some scopes; ``MSALInvalidResultKey`` has the token for the others.
    case serverDeclinedScopes = -50003
    /// The account's tokens are restricted to applications with an app protection policy.
    case serverProtectionPoliciesRequired = -50004
    /// The user or the program cancelled the call. If it had already received tokens, they are cached, and
    /// ``MSALInvalidResultKey`` has the result.
    case userCanceled = -50005
    /// The authority failed temporarily. Used only in ``MSALInternalErrorCodeKey``.
    case serverError = -50006
    /// The device doesn't meet the required strength. Used only in ``MSALInternalErrorCodeKey``.
    case insufficientDeviceStrength = -50007
    /// The device was enrolled during the request. Not used on Linux.
    case mdmEnrollmentCompletedNeedsRetry = -50008
    /// The user must first change the password.
    case serverInvalidRequestResetPasswordRequired = -50142
}

/// The kind of a failure, which determines the remedy. The value of ``MSALFailureKindKey``. Not in MSAL for iOS and
/// macOS.
///
/// docs/details.md lists the responses of an authority by kind.
public enum MSALFailureKind: String, Sendable, CaseIterable {
    /// The user must sign in, consent or complete MFA.
    case signInRequired
    /// The authority or the network is busy or down. Try again later, after ``MSALRetryAfterKey`` seconds if set.
    case unavailable
    /// The client ID, the redirect URI, the authority's address or the registration is wrong.
    case misconfigured
    /// The server's response doesn't follow the protocol.
    case protocolViolation
    /// The authority rejected the request for another reason.
    case rejected = "refused"
    /// The user or the program cancelled the sign-in.
    case canceled
    /// The authority granted only some of the scopes. The tokens for them are stored.
    case declinedScopes
    /// The token store failed.
    case store
    /// Any other failure.
    case other
}

extension NSError {
    /// The kind of the error, or ``MSALFailureKind/other`` for errors of other libraries.
    public var failureKind: MSALFailureKind {
        (userInfo[MSALFailureKindKey] as? String).flatMap(MSALFailureKind.init) ?? .other
    }
}
