/// The internal error codes: the values of ``MSALInternalErrorCodeKey`` (MSAL for iOS and macOS, `MSALInternalError`).
public enum MSALInternalError: Int, Sendable, CaseIterable {
    /// A parameter of the call, or the configuration, is wrong.
    case internalErrorInvalidParameter = -42000
    /// The application doesn't register the scheme of the redirect URI.
    case internalErrorRedirectSchemeNotRegistered = -42001
    /// The request is invalid (`invalid_request`).
    case internalErrorInvalidRequest = -42002
    /// The authority doesn't know the client or couldn't authenticate it (`invalid_client`).
    case internalErrorInvalidClient = -42003
    /// The authorization code or the refresh token is invalid or has expired (`invalid_grant`).
    case internalErrorInvalidGrant = -42004
    /// A scope is unknown or not allowed (`invalid_scope`).
    case internalErrorInvalidScope = -42005
    /// The client isn't allowed to make this request (`unauthorized_client`).
    case internalErrorUnauthorizedClient = -42006
    /// The HTTP status is unexpected.
    case internalErrorUnhandledResponse = -42007
    /// An unexpected failure.
    case internalErrorUnexpected = -42008
    /// The underlying error of an unhandled HTTP status 403 or 404.
    case internalErrorUnexpectedHttpResponse = -42009
    /// The authority is unknown, its documents can't be loaded, or its issuer doesn't match.
    case internalErrorFailedAuthorityValidation = -42010
    /// The redirect URI is invalid.
    case internalErrorInvalidRedirectURI = -42011
    /// Another user signed in than the one requested.
    case internalErrorMismatchedUser = -42101
    /// Several accounts match where one is expected.
    case internalErrorAmbiguousAccount = -42102
    /// The authority rejected the request for another reason.
    case internalErrorAuthorizationFailed = -42104
    /// The account is missing or unknown.
    case internalErrorAccountRequired = -42106
    /// The session was cancelled. Not used on Linux, which reports ``MSALError/userCanceled``.
    case internalErrorSessionCanceled = -42401
    /// Another sign-in of this program is waiting.
    case internalErrorInteractiveSessionAlreadyRunning = -42402
    /// There is no view controller, or no browser that could open the page.
    case internalErrorNoViewController = -42403
    /// An application extension tried to open a URL. Not used on Linux.
    case internalErrorAttemptToOpenURLFromExtension = -42404
    /// An application extension tried to show a page. Not used on Linux.
    case internalErrorUINotSupportedInExtension = -42405
    /// The response belongs to another sign-in.
    case internalErrorInvalidState = -42501
    /// The authority's response doesn't follow the protocol, or its ID token was rejected.
    case internalErrorInvalidResponse = -42600
    /// A redirect doesn't use https. Not used on Linux, where the browser follows redirects.
    case internalErrorNonHttpsRedirect = -42602
    /// The identity broker didn't respond in time or exited.
    case internalErrorBrokerResponseNotReceived = -42700
    /// The broker's resume state is missing. Not used on Linux.
    case internalErrorBrokerNoResumeStateFound = -42701
    /// The broker's resume state is invalid. Not used on Linux.
    case internalErrorBrokerBadResumeStateFound = -42702
    /// The broker's resume state doesn't match. Not used on Linux.
    case internalErrorBrokerMismatchedResumeState = -42703
    /// The hash of the broker's response is missing. Not used on Linux.
    case internalErrorBrokerResponseHashMissing = -42704
    /// The identity broker's response doesn't follow the protocol.
    case internalErrorBrokerCorruptedResponse = -42705
    /// The broker's response couldn't be decrypted. Not used on Linux.
    case internalErrorBrokerResponseDecryptionFailed = -42706
    /// The hash of the broker's response doesn't match. Not used on Linux.
    case internalErrorBrokerResponseHashMismatch = -42707
    /// The broker key couldn't be created. Not used on Linux.
    case internalErrorBrokerKeyFailedToCreate = -42708
    /// The broker key wasn't found. Not used on Linux.
    case internalErrorBrokerKeyNotFound = -42709
    /// The identity broker failed for an unknown reason.
    case internalErrorBrokerUnknown = -42711
    /// The broker's application token couldn't be written. Not used on Linux.
    case internalErrorBrokerApplicationTokenWriteFailed = -42712
    /// The broker's application token couldn't be read. Not used on Linux.
    case internalErrorBrokerApplicationTokenReadFailed = -42713
    /// No identity broker is available to the application.
    case internalBrokerNotAvailable = -42714
    /// An error of Apple's device registration. Not used on Linux.
    case internalErrorJITLinkServerConfirmationError = -42715
    /// An error of Apple's device registration. Not used on Linux.
    case internalErrorJITLinkAcquireTokenError = -42716
    /// An error of Apple's device registration. Not used on Linux.
    case internalErrorJITLinkTokenAcquiredWrongTenant = -42717
    /// An error of Apple's device registration. Not used on Linux.
    case internalErrorJITLinkError = -42718
    /// An error of Apple's device registration. Not used on Linux.
    case internalErrorJITComplianceCheckResultNotCompliant = -42719
    /// An error of Apple's device registration. Not used on Linux.
    case internalErrorJITComplianceCheckResultTimeout = -42720
    /// An error of Apple's device registration. Not used on Linux.
    case internalErrorJITComplianceCheckResultUnknown = -42721
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITComplianceCheckInvalidLinkPayload = -42722
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITComplianceCheckCreateController = -42723
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITLinkConfigNotFound = -42724
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITInvalidLinkTokenConfig = -42725
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITWPJDeviceRegistrationFailed = -42726
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITWPJAccountIdentifierNil = -42727
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITWPJAcquireTokenError = -42728
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITRetryRequired = -42729
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITUnknownStatusWebCP = -42730
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITTroubleshootingCreateController = -42731
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITTroubleshootingAcquireToken = -42732
    /// An error of Apple's device registration. Not used on Linux.
    case internalErrorJITLinkServerConfirmationTimeout = -42733
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITTroubleshootingRequired = -42734
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITTroubleshootingResultUnknown = -42735
    /// An error of Apple's device registration. Not used on Linux.
    case errorDeviceNotPSSORegistered = -42736
    /// An error of Apple's device registration. Not used on Linux.
    case errorPSSOKeyIdMismatch = -42737
    /// An error of Apple's device registration. Not used on Linux.
    case errorJITErrorHandlingConfigNotFound = -42738
    /// An error of Apple's device registration. Not used on Linux.
    case errorPSSOBiometricPolicyMismatch = -42739
    /// An error of Apple's device registration. Not used on Linux.
    case errorPSSOInvalidPasskeyExtension = -42740
    /// An error of Apple's device registration. Not used on Linux.
    case errorPSSOSaveLoginConfigFailure = -42741
    /// An error of Apple's device registration. Not used on Linux.
    case errorPSSOPasskeyLAError = -42742
    /// An error of Apple's device registration. Not used on Linux.
    case errorPSSOBiometricsNotAvailable = -42743
    /// An error of Apple's device registration. Not used on Linux.
    case errorPSSOBiometricsNotEnrolled = -42744
    /// An invalid URL of Apple's web session. Not used on Linux.
    case internalErrorInvalidASWebAuthenticationURL = -42745
}
