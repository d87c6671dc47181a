import OAuthCore

/// Texts for errors of the calling program and its configuration.
extension FailureDescription {
    static func described(_ failure: CallerFailure) -> FailureDescription {
        switch failure {
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
        case .accountOfAnotherAuthority(let environment, let host):
            FailureDescription(
                .internalErrorInvalidParameter,
                "The account is signed in at \(environment), and this application signs in at \(host). Nothing was changed.",
                next: "Use an application or profile of that authority (--profile).")
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
        case .authorityNotKnown(let url):
            FailureDescription(
                .internalErrorUnexpected,
                "\(url.absoluteString) is not one of Microsoft's own hosts, so nothing says that it may be trusted.",
                next: "If you trust it, list it among the known authorities of the configuration (knownAuthorities).")
        }
    }

    static func redirect(_ rejection: RedirectURIRejection) -> FailureDescription {
        FailureDescription(
            MSALInternalError(rawValue: rejection.internalErrorCode) ?? .internalErrorUnexpected,
            rejection.explanation, next: rejection.nextStep)
    }

    static func unexpected(_ type: String) -> FailureDescription {
        FailureDescription(
            .internalErrorUnexpected, "An unexpected failure (\(type)).", next: "Report it with its correlation ID.")
    }
}
