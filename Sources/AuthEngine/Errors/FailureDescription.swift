import Foundation
import OAuthCore

/// A failure in words, codes and keys: the one place where facts become prose (docs/upstream-behaviour.md §6).
struct FailureDescription {
    var code: MSALError
    /// An ``MSALInternalError``, or one of the ``MSALError`` codes that upstream reports in its place (-50006, -50007).
    var internalCode: Int?
    /// What happened and why. It may hold text of a server as it came; ``MSALAuthenticationError`` takes out what
    /// controls a terminal.
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
        self = Self.described(failure)
        if case .throttled = failure { keys[MSALThrottlingCacheHitKey] = 1 }
    }

    private static func described(_ failure: AuthenticationFailure) -> FailureDescription {
        switch failure {
        // The caller's side.
        case .invalidParameter(let what):
            FailureDescription(.internalErrorInvalidParameter, what, next: "Correct the call and try again.")
        case .clientIDMissing:
            FailureDescription(
                .internalErrorInvalidParameter, "The client ID is empty, so no authority would know who asks.",
                next: "Set the client ID that the application is registered under.")
        case .redirect(let rejection):
            .redirect(rejection)
        case .brokerSchemesNotListed(let schemes):
            FailureDescription(
                .internalErrorRedirectSchemeNotRegistered,
                "The redirect URI is one that a broker answers to, but \(schemes.joined(separator: " and ")) cannot be "
                    + "looked for.",
                next:
                    "Add \(schemes.joined(separator: " and ")) to Info.plist under LSApplicationQueriesSchemes, or set "
                    + "MSALGlobalConfig.brokerAvailability to none.")
        case .authority(let url, let rejection):
            FailureDescription(
                rejection == .adfsUnsupported ? .internalErrorUnexpected : .internalErrorInvalidParameter,
                "\(url) cannot be used. \(rejection.reason)", next: rejection.nextStep)
        case .reservedScopes(let names):
            FailureDescription(
                .internalErrorInvalidParameter,
                "The scopes \(names.joined(separator: ", ")) are added by the library and must not be asked for.",
                next: "Leave them out.")
        case .accountMissing:
            FailureDescription(
                .internalErrorAccountRequired, "No account was given that has an identifier or a user name.",
                next: "Pass an account that this application listed.")
        case .accountNotFound(let identifier):
            FailureDescription(
                .internalErrorAccountRequired, "No account in the cache answers to \(identifier).",
                next: "List the accounts, or sign in.")
        case .severalAccounts(let count):
            FailureDescription(
                .internalErrorAmbiguousAccount, "\(count) accounts are signed in, so none of them is the current one.",
                next: "Sign out all but one, or choose among all accounts.")
        case .sessionAlreadyRunning:
            FailureDescription(
                .internalErrorInteractiveSessionAlreadyRunning, "Another sign-in of this program is waiting.",
                next: "Finish or cancel it first.")
        case .authorityKindMismatch(let url):
            FailureDescription(
                .internalErrorInvalidParameter,
                "\(url.absoluteString) is another kind of authority than the application's.",
                next: "Ask an authority of the same kind, or make an application for this one.")
        // The person.
        case .canceled:
            FailureDescription(.userCanceled, "The sign-in was cancelled.", next: "Start it again when you like.")
        case .interactionRequired(let reason):
            interactionRequired(reason)
        case .mismatchedAccount(let expected, let found):
            FailureDescription(
                .internalErrorMismatchedUser,
                "\(found ?? "Another user") signed in instead of \(expected ?? "the requested user"). "
                    + "Nothing was saved.",
                next: "Sign in as \(expected ?? "the requested user"). If the browser goes on with another session, "
                    + "sign out there first.")
        case .declinedScopes(let granted, let declined):
            declinedScopes(granted: granted, declined: declined)
        case .deviceCodeExpired:
            .deviceCodeExpired
        case .pasted(let reason, let redirectURI):
            .pasted(reason, redirectURI)
        case .nobodyWaits:
            FailureDescription(
                .internalErrorInvalidParameter, "No sign-in is waiting for an answer.", next: "Start one first.")
        // The network and the authority.
        case .response(let failure): .response(failure)
        case .throttled(let earlier): FailureDescription(earlier)
        case .network(let failure, let host): .network(failure, host: host)
        case .metadata(let url, let problem): .metadata(url, problem)
        case .protectionPolicyRequired(let response, let homeAccountID, let username):
            .protectionPolicy(response, homeAccountID: homeAccountID, username: username)
        case .badCallback(let failure): .badCallback(failure)
        case .malformedResponse(let fact, let status): .malformedResponse(fact, status: status)
        case .idTokenRejected(let verdicts): .idTokenRejected(verdicts)
        case .idTokenMalformed:
            FailureDescription(
                .internalErrorInvalidResponse, "The authority's ID token cannot be read.",
                next: "Ask whoever runs the authority.")
        case .clientInfoMissing: .clientInfoMissing
        case .authorityNotKnown(let url):
            FailureDescription(
                .internalErrorUnexpected,
                "\(url.absoluteString) is not one of Microsoft's own hosts, so nothing says that it may be trusted.",
                next: "If you trust it, list it among the known authorities of the configuration (knownAuthorities).")
        case .endSessionEndpointMissing(let host):
            FailureDescription(
                .internalErrorUnexpected,
                "\(host) names no page that signs out of the browser. The tokens here were removed all the same.",
                next: "Sign out on the authority's own pages, or close the browser's session.")
        case .signOutUnconfirmed(let host):
            FailureDescription(
                .internalErrorUnexpected,
                "The browser did not come back from the sign-out page of \(host) within "
                    + "\(Int(EndSessionFlow.patience / 60)) minutes. The tokens here are removed.",
                next:
                    "Look at the browser: if its page says that you are signed out, nothing is left to do. To have it come "
                    + "back, register the redirect URI for signing out (post_logout_redirect_uri) at the authority.")
        case .deviceCodeNotOffered(let url):
            FailureDescription(
                .internalErrorInvalidRequest,
                "\(url.absoluteString) offers no sign-in with a code: its discovery document names no "
                    + "device_authorization_endpoint.",
                next:
                    "Sign in with a browser ('keyturn sign-in --way browser'), or paste the address that a browser on another "
                    + "machine ends on ('keyturn sign-in --way paste').")
        // This machine.
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
        case .deviceNotRegistered:
            FailureDescription(
                .workplaceJoinRequired,
                "This device is not registered with an organisation, so it has no token of its own.",
                next: "Sign in as a person instead.")
        case .store(let failure): .store(failure)
        case .externalAccounts(let error): .externalAccounts(error)
        case .proofKey(let failure):
            FailureDescription(
                .internalErrorUnexpected, failure.reason, next: "Use bearer tokens, or make the key's place usable.")
        case .unexpected(let type): .unexpected(type)
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
}
