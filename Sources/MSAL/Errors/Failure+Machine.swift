import Foundation
import KeyturnSystem
import OAuthCore

/// Texts for failures on this machine, with one error per broker status (docs/upstream-behaviour.md §13).
extension Failure {
    static func described(_ failure: MachineFailure) -> Failure {
        switch failure {
        case .brokerNotAvailable:
            Failure(
                .internalBrokerNotAvailable, "This application can't use an identity broker.",
                headline: "This application can't use an identity broker.", next: "Sign in with the browser.")
        case .brokerFailed(let failure): .broker(failure)
        case .brokerResponseMalformed(let fact):
            Failure(
                .internalErrorBrokerCorruptedResponse,
                "The identity broker's response is invalid: \(fact.explanation).",
                headline: "The identity broker's response is invalid.", next: elsewhere)
        case .broker(let rejection): .broker(rejection)
        case .deviceNotRegistered:
            Failure(
                .workplaceJoinRequired, "This device isn't registered with an organisation.",
                next: "Sign in as a user instead.")
        case .refreshHeldUp(let holder, let seconds): refreshHeldUp(by: holder, seconds)
        case .receiver(let failure): .receiver(failure)
        case .noBrowser(let reason):
            Failure(
                .internalErrorNoViewController, "No browser is available. \(reason)",
                headline: "No browser is available.",
                next: "Sign in with a device code (MSALDeviceCodeParameters), or show the URL from flowEventHandler "
                    + "or openURLHandler, and pass the pasted text to handlePastedResponse.")
        case .proofKey(let failure):
            Failure(
                .internalErrorUnexpected, failure.reason, headline: "The token can't be bound to a key.",
                next: failure.remedy ?? "Use bearer tokens.")
        case .externalAccounts(let error):
            Failure(
                .internalErrorUnexpected,
                "An external account store didn't remove the account: \(error.localizedDescription)",
                headline: "The account wasn't removed everywhere.",
                next: "The tokens here were removed. Remove the account there as well.")
        }
    }

    private static func receiver(_ failure: RedirectReceiverFailure) -> Failure {
        if let sibling = failure.sibling {
            return Failure(
                .internalErrorUnexpected, kind: .unavailable, "Another sign-in still uses the port. \(failure.reason)",
                headline: "Another sign-in still uses the port.",
                next: "Finish the sign-in of \(sibling) or end it, then try again.")
        }
        return Failure(
            .internalErrorUnexpected, "Can't receive the authorization response: \(failure.reason)",
            headline: "Can't receive the authorization response.",
            next: failure.remedy
                ?? (failure.takenURI != nil
                    ? "End that program, or use another port (--listen) or another registered redirect URI."
                    : "Use another address (--listen) or another registered redirect URI."))
    }

    private static func refreshHeldUp(by holder: TurnHolder?, _ seconds: Int) -> Failure {
        let name = holder?.name ?? "Another program"
        let explanation =
            holder?.isStopped == true
            ? "\(name) is suspended while it refreshes this account's tokens."
            : "\(name) has been refreshing this account's tokens for \(seconds) seconds."
        return Failure(
            .internalErrorUnexpected, kind: .unavailable, explanation,
            headline: "Another program is refreshing the tokens.", next: TurnHolder.remedy(holder))
    }

    static let elsewhere = "Restart or update the broker (microsoft-identity-broker), or sign in with the browser."

    static func broker(_ failure: BrokerFailure) -> Failure {
        switch failure.kind {
        case .absent:
            Failure(
                .internalBrokerNotAvailable, failure.reason, headline: "No identity broker is available.",
                next: "Sign in with the browser.")
        case .unanswered, .stopped:
            Failure(
                .internalErrorBrokerResponseNotReceived, "The identity broker didn't respond. \(failure.reason)",
                headline: "The identity broker didn't respond.", next: elsewhere)
        case .failed:
            Failure(
                .internalErrorBrokerUnknown, "The identity broker failed. \(failure.reason)",
                headline: "The identity broker failed.", next: elsewhere)
        case .cancelled: described(.user(.canceled))
        }
    }

    static func broker(_ rejection: BrokerRejection) -> Failure {
        var failure = described(rejection)
        if let message = rejection.message { failure.reason += " Its message: \(message)" }
        failure.oauthError = rejection.oauthError
        failure.oauthSubError = rejection.oauthSuberror
        failure.serviceCodes = rejection.codes
        return failure
    }

    static func described(_ rejection: BrokerRejection) -> Failure {
        switch rejection.status {
        case .unexpected, .reserved, .insufficientBuffer:
            Failure(
                .internalErrorBrokerUnknown, "The identity broker failed.", headline: "The identity broker failed.",
                next: elsewhere)
        case .interactionRequired: Failure(signInRequired: "The identity broker requires a sign-in.")
        case .accountUnusable: Failure(signInRequired: "The identity broker can no longer use the account.")
        case .noNetwork: outage("The identity broker has no network.")
        case .networkTemporarilyUnavailable: outage("The identity broker temporarily can't reach the network.")
        case .serverTemporarilyUnavailable:
            Failure(
                .internal, internal: MSALError.serverError.rawValue, kind: .unavailable,
                "The identity broker reports that the authority is unavailable.",
                headline: "The authority is unavailable.", next: "Try again later.")
        case .apiContractViolation:
            Failure(
                .internalErrorInvalidRequest, kind: .rejected, "The identity broker rejected the request as invalid.",
                headline: "The identity broker rejected the request.",
                next: "Check the scopes and the claims of the request.")
        case .userCanceled, .applicationCanceled: described(.user(.canceled))
        case .incorrectConfiguration:
            Failure(
                .internalErrorUnauthorizedClient, "The application isn't registered for the identity broker.",
                headline: "The identity broker rejected this application.",
                next: "Register the redirect URI \(BrokerRequest.redirectURI) for the client ID.")
        case .authorityUntrusted:
            Failure(
                .internalErrorFailedAuthorityValidation, "The identity broker doesn't trust the authority.",
                headline: "The identity broker doesn't trust the authority.",
                next: "Check the authority's URL, or sign in with the browser.")
        case .userSwitch:
            Failure(
                .internalErrorMismatchedUser, "Another user signed in at the identity broker.",
                next: "Sign in as the requested account, or start without an account.")
        }
    }

    private static func outage(_ what: String) -> Failure {
        Failure(
            .internalErrorUnexpected, kind: .unavailable, what,
            headline: "The identity broker can't reach the authority.", next: "Check the network and try again.")
    }
}

extension BrokerRejection {
    var message: String? { context.map { Privacy().shown($0) } }
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
