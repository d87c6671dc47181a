import Foundation
import OAuthCore

/// A failure in words, codes and keys: the one place where facts become prose (msal-behaviours §6).
struct FailureDescription {
    var code: MSALError
    /// An ``MSALInternalError``, or one of the ``MSALError`` codes that upstream reports in its place (-50006, -50007).
    var internalCode: Int?
    /// What happened and why. It may hold text of a server as it came; ``MSALAuthenticationError`` takes out what controls
    /// a terminal.
    var explanation: String
    /// What to do about it.
    var nextStep: String
    var keys: [String: Any] = [:]
    var underlying: NSError?

    init(_ code: MSALError, _ explanation: String, next nextStep: String) {
        self.code = code
        self.explanation = explanation
        self.nextStep = nextStep
    }

    init(_ internalCode: MSALInternalError, _ explanation: String, next nextStep: String) {
        self.init(.internal, explanation, next: nextStep)
        self.internalCode = internalCode.rawValue
    }

    init(_ failure: AuthenticationFailure) {
        switch failure {
        case .invalidParameter, .clientIDMissing, .redirect, .brokerSchemesNotListed, .authority, .reservedScopes,
            .accountMissing,
            .accountNotFound, .severalAccounts, .sessionAlreadyRunning, .authorityKindMismatch:
            self = .caller(failure)
        case .canceled, .interactionRequired, .mismatchedAccount, .declinedScopes, .deviceCodeExpired, .pasted,
            .nobodyWaits:
            self = .person(failure)
        case .throttled(let earlier):
            self = FailureDescription(earlier)
            keys[MSALThrottlingCacheHitKey] = 1
        case .network, .metadata, .refused, .protectionPolicyRequired, .badCallback, .unexpectedStatus,
            .malformedResponse, .idTokenRejected, .idTokenMalformed, .clientInfoMissing, .endSessionEndpointMissing,
            .authorityNotKnown, .deviceCodeNotOffered:
            self = .authority(failure)
        case .receiver(let failure):
            self = FailureDescription(
                .internalErrorUnexpected, "The answer of the browser cannot be received: \(failure.reason)",
                next: "Free the port, or configure another redirect URI that the authority knows.")
        case .noBrowser(let reason):
            self = FailureDescription(
                .internalErrorNoViewController, "No browser can be opened here. \(reason)",
                next:
                    "Sign in with a device code (MSALDeviceCodeParameters), or show the address that flowEventHandler "
                    + "or openURLHandler gets and pass what the user pastes to handlePastedResponse.")
        case .brokerNotAvailable, .brokerFailed, .brokerAnswerMalformed, .broker:
            self = .broker(failure)
        case .deviceNotRegistered:
            self = FailureDescription(
                .workplaceJoinRequired,
                "This device is not registered with an organisation, so it has no token of its own.",
                next: "Sign in as a person instead.")
        case .store(let failure):
            self = .store(failure)
        case .externalAccounts(let error):
            self = FailureDescription(
                .internalErrorUnexpected,
                "Another account store could not take the account away: \(error.localizedDescription)",
                next: "The tokens here were removed. Remove the account there as well.")
            underlying = error
        case .proofKey(let failure):
            self = FailureDescription(
                .internalErrorUnexpected, failure.reason, next: "Use bearer tokens, or make the key's place usable.")
        case .unexpected(let type):
            self = .unexpected(type)
        }
    }
}
