/// Which internal error it was: the value of ``MSALInternalErrorCodeKey`` (MSAL for iOS and macOS,
/// `MSALInternalError`).
public enum MSALInternalError: Int, Sendable, CaseIterable {
    /// A parameter of the call, or the configuration, is wrong.
    case internalErrorInvalidParameter = -42000
    /// The scheme of the redirect URI is not registered for the application.
    case internalErrorRedirectSchemeNotRegistered = -42001
    /// `invalid_request`: the authority cannot make sense of the request.
    case internalErrorInvalidRequest = -42002
    /// `invalid_client`: the authority does not know the application, or does not believe it.
    case internalErrorInvalidClient = -42003
    /// `invalid_grant`: the code or the refresh token is no longer good.
    case internalErrorInvalidGrant = -42004
    /// `invalid_scope`: a scope is unknown or not allowed.
    case internalErrorInvalidScope = -42005
    /// `unauthorized_client`: the application may not do this.
    case internalErrorUnauthorizedClient = -42006
    /// The authority answered with a status that means nothing to the protocol.
    case internalErrorUnhandledResponse = -42007
    /// None of the others.
    case internalErrorUnexpected = -42008
    /// The cause of an unhandled 403 or 404.
    case internalErrorUnexpectedHttpResponse = -42009
    /// The authority cannot be used: unknown, unreachable documents, or not who it says.
    case internalErrorFailedAuthorityValidation = -42010
    /// The redirect URI has a form that cannot be used.
    case internalErrorInvalidRedirectURI = -42011
    /// Somebody else signed in than was asked for.
    case internalErrorMismatchedUser = -42101
    /// Several accounts, where one was meant.
    case internalErrorAmbiguousAccount = -42102
    /// The authority refused for a reason of its own.
    case internalErrorAuthorizationFailed = -42104
    /// No account was given, or it is not known.
    case internalErrorAccountRequired = -42106
    /// Never here: a cancelled session is ``MSALError/userCanceled``.
    case internalErrorSessionCanceled = -42401
    /// Another sign-in of this program waits.
    case internalErrorInteractiveSessionAlreadyRunning = -42402
    /// Never here: a terminal has no view controllers.
    case internalErrorNoViewController = -42403
    /// Never here: there are no application extensions.
    case internalErrorAttemptToOpenURLFromExtension = -42404
    /// Never here: there are no application extensions.
    case internalErrorUINotSupportedInExtension = -42405
    /// What came back answers another sign-in.
    case internalErrorInvalidState = -42501
    /// The authority's answer does not follow the protocol, or its ID token was refused.
    case internalErrorInvalidResponse = -42600
    /// Never here: the browser follows redirects itself.
    case internalErrorNonHttpsRedirect = -42602
    /// The identity broker gave no answer in time, or went away before it.
    case internalErrorBrokerResponseNotReceived = -42700
    /// Never here: the broker of Linux is called, not opened like an application.
    case internalErrorBrokerNoResumeStateFound = -42701
    /// Never here: the broker of Linux is called, not opened like an application.
    case internalErrorBrokerBadResumeStateFound = -42702
    /// Never here: the broker of Linux is called, not opened like an application.
    case internalErrorBrokerMismatchedResumeState = -42703
    /// Never here: the broker of Linux is called, not opened like an application.
    case internalErrorBrokerResponseHashMissing = -42704
    /// The identity broker's answer does not follow the protocol.
    case internalErrorBrokerCorruptedResponse = -42705
    /// Never here: the broker of Linux is called, not opened like an application.
    case internalErrorBrokerResponseDecryptionFailed = -42706
    /// Never here: the broker of Linux is called, not opened like an application.
    case internalErrorBrokerResponseHashMismatch = -42707
    /// Never here: the broker of Linux is called, not opened like an application.
    case internalErrorBrokerKeyFailedToCreate = -42708
    /// Never here: the broker of Linux is called, not opened like an application.
    case internalErrorBrokerKeyNotFound = -42709
    /// The identity broker failed for a reason of its own.
    case internalErrorBrokerUnknown = -42711
    /// Never here: the broker of Linux is called, not opened like an application.
    case internalErrorBrokerApplicationTokenWriteFailed = -42712
    /// Never here: the broker of Linux is called, not opened like an application.
    case internalErrorBrokerApplicationTokenReadFailed = -42713
    /// No identity broker can be used.
    case internalBrokerNotAvailable = -42714
    /// Never here: part of Apple's device registration.
    case internalErrorJITLinkServerConfirmationError = -42715
    /// Never here: part of Apple's device registration.
    case internalErrorJITLinkAcquireTokenError = -42716
    /// Never here: part of Apple's device registration.
    case internalErrorJITLinkTokenAcquiredWrongTenant = -42717
    /// Never here: part of Apple's device registration.
    case internalErrorJITLinkError = -42718
    /// Never here: part of Apple's device registration.
    case internalErrorJITComplianceCheckResultNotCompliant = -42719
    /// Never here: part of Apple's device registration.
    case internalErrorJITComplianceCheckResultTimeout = -42720
    /// Never here: part of Apple's device registration.
    case internalErrorJITComplianceCheckResultUnknown = -42721
    /// Never here: part of Apple's device registration.
    case errorJITComplianceCheckInvalidLinkPayload = -42722
    /// Never here: part of Apple's device registration.
    case errorJITComplianceCheckCreateController = -42723
    /// Never here: part of Apple's device registration.
    case errorJITLinkConfigNotFound = -42724
    /// Never here: part of Apple's device registration.
    case errorJITInvalidLinkTokenConfig = -42725
    /// Never here: part of Apple's device registration.
    case errorJITWPJDeviceRegistrationFailed = -42726
    /// Never here: part of Apple's device registration.
    case errorJITWPJAccountIdentifierNil = -42727
    /// Never here: part of Apple's device registration.
    case errorJITWPJAcquireTokenError = -42728
    /// Never here: part of Apple's device registration.
    case errorJITRetryRequired = -42729
    /// Never here: part of Apple's device registration.
    case errorJITUnknownStatusWebCP = -42730
    /// Never here: part of Apple's device registration.
    case errorJITTroubleshootingCreateController = -42731
    /// Never here: part of Apple's device registration.
    case errorJITTroubleshootingAcquireToken = -42732
    /// Never here: part of Apple's device registration.
    case internalErrorJITLinkServerConfirmationTimeout = -42733
    /// Never here: part of Apple's device registration.
    case errorJITTroubleshootingRequired = -42734
    /// Never here: part of Apple's device registration.
    case errorJITTroubleshootingResultUnknown = -42735
    /// Never here: part of Apple's device registration.
    case errorDeviceNotPSSORegistered = -42736
    /// Never here: part of Apple's device registration.
    case errorPSSOKeyIdMismatch = -42737
    /// Never here: part of Apple's device registration.
    case errorJITErrorHandlingConfigNotFound = -42738
    /// Never here: part of Apple's device registration.
    case errorPSSOBiometricPolicyMismatch = -42739
    /// Never here: part of Apple's device registration.
    case errorPSSOInvalidPasskeyExtension = -42740
    /// Never here: part of Apple's device registration.
    case errorPSSOSaveLoginConfigFailure = -42741
    /// Never here: part of Apple's device registration.
    case errorPSSOPasskeyLAError = -42742
    /// Never here: part of Apple's device registration.
    case errorPSSOBiometricsNotAvailable = -42743
    /// Never here: part of Apple's device registration.
    case errorPSSOBiometricsNotEnrolled = -42744
    /// Never here: Apple's web session.
    case internalErrorInvalidASWebAuthenticationURL = -42745
}
