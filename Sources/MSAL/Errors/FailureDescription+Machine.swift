import Foundation
import KeyturnSystem
import OAuthCore

/// Texts for failures on this machine, with one error per broker status (docs/upstream-behaviour.md §13).
extension FailureDescription {
    static func described(_ failure: MachineFailure) -> FailureDescription {
        switch failure {
        case .brokerNotAvailable:
            FailureDescription(
                .internalBrokerNotAvailable, "This application can't use an identity broker.",
                headline: "This application can't use an identity broker.",
                next: "Sign in with the browser.")
        case .brokerFailed(let failure): .broker(failure)
        case .brokerResponseMalformed(let fact):
            FailureDescription(
                .internalErrorBrokerCorruptedResponse,
                "The identity broker's response is invalid: \(fact.explanation).",
                headline: "The identity broker's response is invalid.", next: elsewhere)
        case .broker(let rejection): .broker(rejection)
        case .deviceNotRegistered:
            FailureDescription(
                .workplaceJoinRequired,
                "This device isn't registered with an organisation.",
                next: "Sign in as a user instead.")
        case .refreshHeldUp(let holder, let seconds): refreshHeldUp(by: holder, seconds)
        case .receiver(let failure): .receiver(failure)
        case .noBrowser(let reason):
            FailureDescription(
                .internalErrorNoViewController, "No browser is available. \(reason)",
                headline: "No browser is available.",
                next:
                    "Sign in with a device code (MSALDeviceCodeParameters), or show the URL from flowEventHandler "
                    + "or openURLHandler, and pass the pasted text to handlePastedResponse.")
        case .proofKey(let failure):
            FailureDescription(
                .internalErrorUnexpected, failure.reason, headline: "The token can't be bound to a key.",
                next: failure.remedy ?? "Use bearer tokens.")
        case .externalAccounts(let error): .externalAccounts(error)
        }
    }

    private static func receiver(_ failure: RedirectReceiverFailure) -> FailureDescription {
        if let sibling = failure.sibling {
            return FailureDescription(
                .internalErrorUnexpected, "Another sign-in still uses the port. \(failure.reason)",
                headline: "Another sign-in still uses the port.",
                next: "Finish the sign-in of \(sibling) or end it, then try again.")
        }
        return FailureDescription(
            .internalErrorUnexpected, "Can't receive the authorization response: \(failure.reason)",
            headline: "Can't receive the authorization response.",
            next: failure.takenURI != nil
                ? "End that program, or use another port (--listen) or another registered redirect URI."
                : "Use another address (--listen) or another registered redirect URI.")
    }

    private static func refreshHeldUp(by holder: TurnHolder?, _ seconds: Int) -> FailureDescription {
        let name = holder?.name ?? "Another program"
        let explanation =
            holder?.isStopped == true
            ? "\(name) is suspended while it refreshes this account's tokens."
            : "\(name) has been refreshing this account's tokens for \(seconds) seconds."
        return FailureDescription(
            .internalErrorUnexpected, explanation, headline: "Another program is refreshing the tokens.",
            next: TurnHolder.remedy(holder))
    }

    private static func externalAccounts(_ error: NSError) -> FailureDescription {
        var description = FailureDescription(
            .internalErrorUnexpected,
            "An external account store didn't remove the account: \(error.localizedDescription)",
            headline: "The account wasn't removed everywhere.",
            next: "The tokens here were removed. Remove the account there as well.")
        description.underlying = error
        return description
    }

    static let elsewhere =
        "Restart or update the broker (microsoft-identity-broker), or sign in with the browser."

    static func broker(_ failure: BrokerFailure) -> FailureDescription {
        switch failure.kind {
        case .absent:
            FailureDescription(
                .internalBrokerNotAvailable, failure.reason, headline: "No identity broker is available.",
                next: "Sign in with the browser.")
        case .unanswered, .stopped:
            FailureDescription(
                .internalErrorBrokerResponseNotReceived, "The identity broker didn't respond. \(failure.reason)",
                headline: "The identity broker didn't respond.", next: elsewhere)
        case .failed:
            FailureDescription(
                .internalErrorBrokerUnknown, "The identity broker failed. \(failure.reason)",
                headline: "The identity broker failed.", next: elsewhere)
        case .cancelled: FailureDescription(.user(.canceled))
        }
    }

    static func broker(_ rejection: BrokerRejection) -> FailureDescription {
        var description = described(rejection)
        let context = rejection.context.map { Redaction().shown($0) }
        if let context { description.explanation += " Its message: \(context)" }
        description.keys[MSALOAuthErrorKey] = rejection.oauthError
        description.keys[MSALOAuthSubErrorKey] = rejection.oauthSuberror
        description.keys[MSALOAuthSubErrorDescriptionKey] = context
        if !rejection.codes.isEmpty { description.keys[MSALSTSErrorCodesKey] = rejection.codes }
        description.keys[MSALBrokerVersionKey] = rejection.brokerVersion
        return description
    }

    static func described(_ rejection: BrokerRejection) -> FailureDescription {
        switch rejection.status {
        case .unexpected, .reserved, .insufficientBuffer:
            FailureDescription(
                .internalErrorBrokerUnknown, "The identity broker failed.", headline: "The identity broker failed.",
                next: elsewhere)
        case .interactionRequired:
            FailureDescription(
                .interactionRequired, "The identity broker requires a sign-in.", next: "Sign in interactively.")
        case .accountUnusable:
            FailureDescription(
                .interactionRequired, "The identity broker can no longer use the account.",
                next: "Sign in interactively.")
        case .noNetwork: outage("The identity broker has no network.", NSURLErrorNotConnectedToInternet)
        case .networkTemporarilyUnavailable:
            outage("The identity broker temporarily can't reach the network.", NSURLErrorNetworkConnectionLost)
        case .serverTemporarilyUnavailable: serverDown
        case .apiContractViolation:
            FailureDescription(
                .internalErrorInvalidRequest, "The identity broker rejected the request as invalid.",
                headline: "The identity broker rejected the request.",
                next: "Check the scopes and the claims of the request.")
        case .userCanceled, .applicationCanceled: FailureDescription(.user(.canceled))
        case .incorrectConfiguration:
            FailureDescription(
                .internalErrorUnauthorizedClient,
                "The application isn't registered for the identity broker.",
                headline: "The identity broker rejected this application.",
                next: "Register the redirect URI \(BrokerRequest.redirectURI) for the client ID.")
        case .authorityUntrusted:
            FailureDescription(
                .internalErrorFailedAuthorityValidation, "The identity broker doesn't trust the authority.",
                headline: "The identity broker doesn't trust the authority.",
                next: "Check the authority's URL, or sign in with the browser.")
        case .userSwitch:
            FailureDescription(
                .internalErrorMismatchedUser, "Another user signed in at the identity broker.",
                next: "Sign in as the requested account, or start without an account.")
        }
    }

    static func outage(_ what: String, _ code: Int) -> FailureDescription {
        var description = FailureDescription(
            .internalErrorUnexpected, what, headline: "The identity broker can't reach the authority.",
            next: "Check the network and try again.")
        description.underlying = NSError(domain: NSURLErrorDomain, code: code)
        return description
    }

    static var serverDown: FailureDescription {
        var description = FailureDescription(
            .internal, "The identity broker reports that the authority is unavailable.", next: "Try again later.")
        description.internalCode = MSALError.serverError.rawValue
        description.keys[MSALHeadlineKey] = "The authority is unavailable."
        return description
    }
}

extension AuthenticationFailure {
    /// Whether the broker failed, and not the authority or the user.
    var isOfBroker: Bool {
        guard case .machine(let failure) = self else { return false }
        return switch failure {
        case .brokerFailed, .brokerResponseMalformed, .broker: true
        case .brokerNotAvailable, .deviceNotRegistered, .refreshHeldUp, .receiver, .noBrowser, .proofKey,
            .externalAccounts:
            false
        }
    }
}
