/// The `code` of errors in ``MSALErrorDomain`` (MSAL for iOS and macOS, `MSALError`).
public enum MSALError: Int, Sendable {
    /// See ``MSALInternalErrorCodeKey`` for which.
    case `internal` = -50000
    /// The device has to be registered with the organisation first.
    case workplaceJoinRequired = -50001
    /// The person has to sign in: ask interactively.
    case interactionRequired = -50002
    /// Some scopes were not granted; ``MSALInvalidResultKey`` has the token for the others.
    case serverDeclinedScopes = -50003
    /// Only an application that a protection policy covers gets a token.
    case serverProtectionPoliciesRequired = -50004
    /// The person, or the program, ended the sign-in.
    case userCanceled = -50005
    /// The authority is in trouble. In ``MSALInternalErrorCodeKey`` only.
    case serverError = -50006
    /// The device is not trusted enough. In ``MSALInternalErrorCodeKey`` only.
    case insufficientDeviceStrength = -50007
    /// The device was enrolled meanwhile. Never here.
    case mdmEnrollmentCompletedNeedsRetry = -50008
    /// The person has to change the password first.
    case serverInvalidRequestResetPasswordRequired = -50142
}
