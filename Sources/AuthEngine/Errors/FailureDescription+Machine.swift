import Foundation
import OAuthCore

/// Texts for failures on this machine, with one error per broker status (docs/upstream-behaviour.md §13).
extension FailureDescription {
    static func described(_ failure: MachineFailure) -> FailureDescription {
        switch failure {
        case .brokerNotAvailable:
            FailureDescription(
                .internalBrokerNotAvailable, "No identity broker can be used by this application.",
                next: "Go on without it: sign in with the browser.")
        case .brokerFailed(let failure): .broker(failure)
        case .brokerAnswerMalformed(let fact):
            FailureDescription(
                .internalErrorBrokerCorruptedResponse,
                "The identity broker's answer cannot be used: \(fact.explanation).", next: elsewhere)
        case .broker(let refusal): .broker(refusal)
        case .deviceNotRegistered:
            FailureDescription(
                .workplaceJoinRequired,
                "This device is not registered with an organisation, so it has no token of its own.",
                next: "Sign in as a person instead.")
        case .receiver(let failure):
            FailureDescription(
                .internalErrorUnexpected, "The answer of the browser cannot be received: \(failure.reason)",
                next: "Free the port, or configure another redirect URI that the authority knows.")
        case .noBrowser(let reason):
            FailureDescription(
                .internalErrorNoViewController, "No browser can be opened here. \(reason)",
                next:
                    "Sign in with a device code (MSALDeviceCodeParameters), or show the address that flowEventHandler "
                    + "or openURLHandler gets and pass what the user pastes to handlePastedResponse.")
        case .proofKey(let failure):
            FailureDescription(
                .internalErrorUnexpected, failure.reason, next: "Use bearer tokens, or make the key's place usable.")
        case .externalAccounts(let error): .externalAccounts(error)
        }
    }

    private static func externalAccounts(_ error: NSError) -> FailureDescription {
        var description = FailureDescription(
            .internalErrorUnexpected,
            "Another account store could not take the account away: \(error.localizedDescription)",
            next: "The tokens here were removed. Remove the account there as well.")
        description.underlying = error
        return description
    }

    static let elsewhere =
        "Restart or update the broker (microsoft-identity-broker), or sign in without it, with the browser."

    static func broker(_ failure: BrokerFailure) -> FailureDescription {
        switch failure.kind {
        case .absent:
            FailureDescription(.internalBrokerNotAvailable, failure.reason, next: "Sign in with the browser.")
        case .unanswered, .stopped:
            FailureDescription(
                .internalErrorBrokerResponseNotReceived, "The identity broker gave no answer. \(failure.reason)",
                next: elsewhere)
        case .failed:
            FailureDescription(
                .internalErrorBrokerUnknown, "The identity broker failed. \(failure.reason)", next: elsewhere)
        case .cancelled: FailureDescription(.user(.canceled))
        }
    }

    static func broker(_ refusal: BrokerRefusal) -> FailureDescription {
        var description = described(refusal)
        if let context = refusal.context { description.explanation += " It says: \(context)" }
        description.keys[MSALOAuthErrorKey] = refusal.oauthError
        description.keys[MSALOAuthSubErrorKey] = refusal.oauthSuberror
        description.keys[MSALOAuthSubErrorDescriptionKey] = refusal.context
        if !refusal.codes.isEmpty { description.keys[MSALSTSErrorCodesKey] = refusal.codes }
        description.keys[MSALBrokerVersionKey] = refusal.brokerVersion
        return description
    }

    static func described(_ refusal: BrokerRefusal) -> FailureDescription {
        switch refusal.status {
        case .unexpected, .reserved, .insufficientBuffer:
            FailureDescription(
                .internalErrorBrokerUnknown, "The identity broker failed and gave no token.", next: elsewhere)
        case .interactionRequired:
            FailureDescription(
                .interactionRequired, "The identity broker wants to see the person.", next: "Sign in interactively.")
        case .accountUnusable:
            FailureDescription(
                .interactionRequired, "The identity broker cannot use the account any more.",
                next: "Sign in interactively.")
        case .noNetwork: outage("There is no network for the identity broker.", NSURLErrorNotConnectedToInternet)
        case .networkTemporarilyUnavailable:
            outage("The identity broker cannot reach the network at the moment.", NSURLErrorNetworkConnectionLost)
        case .serverTemporarilyUnavailable: serverDown
        case .apiContractViolation:
            FailureDescription(
                .internalErrorInvalidRequest, "The identity broker cannot make sense of the request.",
                next: "Check the scopes and the claims of the request.")
        case .userCanceled, .applicationCanceled: FailureDescription(.user(.canceled))
        case .incorrectConfiguration:
            FailureDescription(
                .internalErrorUnauthorizedClient,
                "The identity broker cannot serve the application as it is registered.",
                next: "Register the redirect URI \(BrokerRequest.redirectURI) for the client ID.")
        case .authorityUntrusted:
            FailureDescription(
                .internalErrorFailedAuthorityValidation, "The identity broker does not trust the authority.",
                next: "Check the authority's address, or sign in without the broker, with the browser.")
        case .userSwitch:
            FailureDescription(
                .internalErrorMismatchedUser, "Somebody else signed in at the identity broker than was asked for.",
                next: "Sign in again as the account that was asked for, or start without an account.")
        }
    }

    static func outage(_ what: String, _ code: Int) -> FailureDescription {
        var description = FailureDescription(.internalErrorUnexpected, what, next: "Check the network and try again.")
        description.underlying = NSError(domain: NSURLErrorDomain, code: code)
        return description
    }

    static var serverDown: FailureDescription {
        var description = FailureDescription(
            .internal, "The authority is in trouble, says the identity broker.", next: "Try again later.")
        description.internalCode = MSALError.serverError.rawValue
        return description
    }
}

extension AuthenticationFailure {
    /// Whether the broker failed, and not the authority or the user.
    var isOfBroker: Bool {
        guard case .machine(let failure) = self else { return false }
        return switch failure {
        case .brokerFailed, .brokerAnswerMalformed, .broker: true
        case .brokerNotAvailable, .deviceNotRegistered, .receiver, .noBrowser, .proofKey, .externalAccounts: false
        }
    }
}
