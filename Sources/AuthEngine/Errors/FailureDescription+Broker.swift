import Foundation
import OAuthCore

/// What the identity broker did (docs/upstream-behaviour.md §13): every status has the error that says the same.
extension FailureDescription {
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
        case .cancelled: FailureDescription(.canceled)
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
        case .userCanceled, .applicationCanceled: FailureDescription(.canceled)
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
    /// It is the broker's, not the authority's or the person's.
    var isOfBroker: Bool {
        switch self {
        case .brokerFailed, .brokerAnswerMalformed, .broker: true
        case .invalidParameter, .clientIDMissing, .redirect, .brokerSchemesNotListed, .authority, .reservedScopes,
            .accountMissing, .accountNotFound, .severalAccounts, .sessionAlreadyRunning,
            .authorityKindMismatch, .canceled, .interactionRequired, .pasted, .nobodyWaits,
            .deviceCodeExpired, .mismatchedAccount, .network, .metadata, .response,
            .protectionPolicyRequired, .throttled, .badCallback, .malformedResponse, .idTokenRejected,
            .idTokenMalformed, .clientInfoMissing, .authorityNotKnown, .endSessionEndpointMissing,
            .signOutUnconfirmed, .deviceCodeNotOffered, .declinedScopes, .brokerNotAvailable,
            .deviceNotRegistered, .receiver, .noBrowser, .store, .proofKey, .externalAccounts,
            .unexpected:
            false
        }
    }
}
