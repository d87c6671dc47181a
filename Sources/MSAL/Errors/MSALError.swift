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
