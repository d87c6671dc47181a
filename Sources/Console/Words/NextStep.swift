import AuthEngine
import Foundation

/// What most probably helps after an error, as the screen proposes it.
package enum NextStep: Sendable, Equatable {
    case tryAgain, signIn
    /// Look what is wrong with the set-up.
    case check
    /// Another way, other scopes, another tenant.
    case changeRequest
    /// The client ID, the authority or the redirect URI.
    case changeProfile

    /// After "Enter", in a sentence.
    var words: String {
        switch self {
        case .tryAgain: "try again"
        case .signIn: "sign in"
        case .check: "check the set-up"
        case .changeRequest: "choose the scopes, the tenant or another way to sign in"
        case .changeProfile: "look at the profile: client ID, authority, redirect URI"
        }
    }
}

extension ErrorReport {
    package var nextStep: NextStep {
        switch kind {
        case .signInRequired: .signIn
        // What the profile says; the rest, the redirect URI and its registration, is looked into by a check.
        case .misconfigured: subject == .profile ? .changeProfile : .check
        case .refused, .protocolViolation, .unavailable, .canceled, .declinedScopes, .store, .other:
            subject == .request ? .changeRequest : .tryAgain
        }
    }

    private var subject: MSALInternalError.Subject? { internalCode.flatMap(MSALInternalError.init)?.subject }

    /// The seconds that the server still wants to be left alone for; `nil` when it may be asked.
    func wait(at now: Date?) -> Int? {
        guard let now, let left = retryDate?.timeIntervalSince(now), left > 0, left < 1e9 else { return nil }
        return Int(left.rounded(.up))
    }
}

extension MSALInternalError {
    /// What an error may be about that the user can change.
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
