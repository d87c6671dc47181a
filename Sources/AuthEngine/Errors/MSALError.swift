/// The `code` of errors in ``MSALErrorDomain`` (MSAL for iOS and macOS, `MSALError`).
public enum MSALError: Int, Sendable {
    /// See ``MSALInternalErrorCodeKey`` for which.
    case `internal` = -50000
    case workplaceJoinRequired = -50001
    case interactionRequired = -50002
    case serverDeclinedScopes = -50003
    case serverProtectionPoliciesRequired = -50004
    case userCanceled = -50005
    case serverError = -50006
    case insufficientDeviceStrength = -50007
    case mdmEnrollmentCompletedNeedsRetry = -50008
    case serverInvalidRequestResetPasswordRequired = -50142
}
