import Foundation
import MSAL

/// The next step to suggest after an error.
package enum NextStep: Sendable, Equatable {
    case tryAgain, signIn
    /// Check the set-up.
    case check
    /// Change the sign-in method, scopes or tenant.
    case changeRequest
    /// Change the client ID, authority or redirect URI.
    case changeProfile
    /// Use another profile.
    case chooseProfile

    /// The phrase after "Enter to".
    var words: String {
        switch self {
        case .tryAgain: "try again"
        case .signIn: "sign in"
        case .check: "check the set-up"
        case .changeRequest: "change the scopes, tenant or sign-in method"
        case .changeProfile: "edit the profile: client ID, authority, redirect URI"
        case .chooseProfile: "choose another profile"
        }
    }
}

extension ErrorReport {
    package var nextStep: NextStep {
        if belongsToAnotherProfile { return .chooseProfile }
        return switch kind {
        case .signInRequired: .signIn
        // The check also covers the redirect URI and its registration.
        case .misconfigured: subject == .profile ? .changeProfile : .check
        case .rejected, .protocolViolation, .unavailable, .canceled, .declinedScopes, .store, .other:
            subject == .request ? .changeRequest : .tryAgain
        }
    }

    private var subject: MSALInternalError.Subject? { internalCode.flatMap(MSALInternalError.init)?.subject }

    /// The seconds until the server accepts requests again; nil if it does now.
    func wait(at now: Date?) -> Int? {
        guard let now, let left = retryDate?.timeIntervalSince(now), left > 0, left < 1e9 else { return nil }
        return Int(left.rounded(.up))
    }
}

extension MSALInternalError {
    /// What the user can change to fix an error.
    fileprivate enum Subject { case profile, request }

    fileprivate var subject: Subject? {
        switch self {
        case .internalErrorInvalidClient, .internalErrorUnauthorizedClient, .internalErrorFailedAuthorityValidation,
            .internalErrorUnhandledResponse:
            .profile
        case .internalErrorInvalidScope, .internalErrorInvalidParameter, .internalErrorMismatchedUser: .request
        case .internalErrorRedirectSchemeNotRegistered, .internalErrorInvalidRequest, .internalErrorInvalidGrant,
            .internalErrorUnexpected, .internalErrorUnexpectedHttpResponse,
            .internalErrorInvalidRedirectURI, .internalErrorAmbiguousAccount,
            .internalErrorAuthorizationFailed, .internalErrorAccountRequired,
            .internalErrorSessionCanceled, .internalErrorInteractiveSessionAlreadyRunning,
            .internalErrorNoViewController, .internalErrorAttemptToOpenURLFromExtension,
            .internalErrorUINotSupportedInExtension, .internalErrorInvalidState,
            .internalErrorInvalidResponse, .internalErrorNonHttpsRedirect,
            .internalErrorBrokerResponseNotReceived, .internalErrorBrokerNoResumeStateFound,
            .internalErrorBrokerBadResumeStateFound, .internalErrorBrokerMismatchedResumeState,
            .internalErrorBrokerResponseHashMissing, .internalErrorBrokerCorruptedResponse,
            .internalErrorBrokerResponseDecryptionFailed, .internalErrorBrokerResponseHashMismatch,
            .internalErrorBrokerKeyFailedToCreate, .internalErrorBrokerKeyNotFound,
            .internalErrorBrokerUnknown, .internalErrorBrokerApplicationTokenWriteFailed,
            .internalErrorBrokerApplicationTokenReadFailed, .internalBrokerNotAvailable,
            .internalErrorJITLinkServerConfirmationError, .internalErrorJITLinkAcquireTokenError,
            .internalErrorJITLinkTokenAcquiredWrongTenant, .internalErrorJITLinkError,
            .internalErrorJITComplianceCheckResultNotCompliant,
            .internalErrorJITComplianceCheckResultTimeout,
            .internalErrorJITComplianceCheckResultUnknown, .errorJITComplianceCheckInvalidLinkPayload,
            .errorJITComplianceCheckCreateController, .errorJITLinkConfigNotFound,
            .errorJITInvalidLinkTokenConfig, .errorJITWPJDeviceRegistrationFailed,
            .errorJITWPJAccountIdentifierNil, .errorJITWPJAcquireTokenError, .errorJITRetryRequired,
            .errorJITUnknownStatusWebCP, .errorJITTroubleshootingCreateController,
            .errorJITTroubleshootingAcquireToken, .internalErrorJITLinkServerConfirmationTimeout,
            .errorJITTroubleshootingRequired, .errorJITTroubleshootingResultUnknown,
            .errorDeviceNotPSSORegistered, .errorPSSOKeyIdMismatch,
            .errorJITErrorHandlingConfigNotFound, .errorPSSOBiometricPolicyMismatch,
            .errorPSSOInvalidPasskeyExtension, .errorPSSOSaveLoginConfigFailure,
            .errorPSSOPasskeyLAError, .errorPSSOBiometricsNotAvailable, .errorPSSOBiometricsNotEnrolled,
            .internalErrorInvalidASWebAuthenticationURL:
            nil
        }
    }
}
