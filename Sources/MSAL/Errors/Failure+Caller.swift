import Foundation
import OAuthCore

extension Failure {
    static func described(_ failure: CallerFailure) -> Failure {
        switch failure {
        case .invalidParameter(let what):
            Failure(.internalErrorInvalidParameter, what, next: "Correct it and try again.")
        case .notACache(let what):
            Failure(
                .internalErrorInvalidParameter, what, headline: "This file can't be imported.",
                next: "Use another file, or the import for its format.")
        case .clientIDMissing:
            Failure(
                .internalErrorInvalidParameter, "The client ID is empty.", headline: "The client ID is empty.",
                next: "Set the client ID from the application's registration.")
        case .clientSecret(let reason, let next):
            Failure(
                .internalErrorInvalidParameter, kind: .misconfigured, reason,
                headline: "The client secret can't be used.", next: next)
        case .redirect(let rejection): .redirect(rejection)
        case .brokerSchemesNotListed(let schemes): .brokerSchemesNotListed(schemes.joined(separator: " and "))
        case .authority(let url, let rejection): .authority(url, rejection)
        case .reservedScopes(let names):
            Failure(
                .internalErrorInvalidParameter,
                "The scopes \(names.joined(separator: ", ")) are reserved: the library adds them.",
                headline: "Reserved scopes can't be requested.", next: "Leave them out.")
        case .accountMissing:
            Failure(
                .internalErrorAccountRequired, "The account has neither an identifier nor a username.",
                headline: "The account can't be identified.", next: "Pass an account that this application listed.")
        case .accountNotFound(let identifier):
            Failure(
                .internalErrorAccountRequired, "The cache has no account \(identifier).",
                headline: "Account not found.", next: "List the accounts, or sign in.")
        case .accountOfAnotherAuthority(let environment, let host):
            Failure(
                .internalErrorInvalidParameter,
                "The account belongs to \(environment), but this application signs in at \(host). Nothing was changed.",
                headline: "The account belongs to another authority.",
                next: "Use an application or profile for that authority (--profile).")
        case .severalAccounts(let count):
            Failure(
                .internalErrorAmbiguousAccount, "None of the \(count) accounts is the current one.",
                headline: "Several accounts are signed in.",
                next: "Sign out all but one, or choose among all accounts.")
        case .sessionAlreadyRunning(let session, let now):
            Failure(
                .internalErrorInteractiveSessionAlreadyRunning, session.description(at: now),
                headline: "Another sign-in is running.", next: session.nextStep(at: now))
        case .authorityKindMismatch(let url):
            Failure(
                .internalErrorInvalidParameter, "\(url.absoluteString) isn't the application's kind of authority.",
                headline: "The type of the authority doesn't match.",
                next: "Use an authority of the same kind, or create an application for this one.")
        case .authorityNotKnown(let url):
            Failure(
                .internalErrorUnexpected, kind: .misconfigured, "\(url.absoluteString) isn't at a Microsoft host.",
                headline: "The authority isn't trusted.",
                next: "If you trust it, add it to the known authorities (knownAuthorities).")
        }
    }

    private static func authority(_ url: String, _ rejection: AuthorityRejection) -> Failure {
        Failure(
            rejection == .adfsUnsupported ? .internalErrorUnexpected : .internalErrorInvalidParameter,
            rejection == .blank ? rejection.reason : "\(rejection.reason.dropLast()) (\(url)).",
            headline: "The authority can't be used.", next: rejection.nextStep)
    }

    private static func brokerSchemesNotListed(_ schemes: String) -> Failure {
        Failure(
            .internalErrorRedirectSchemeNotRegistered,
            "The redirect URI is for a broker, but Info.plist doesn't list \(schemes).",
            headline: "The redirect URI can't be used.",
            next: "Add \(schemes) to Info.plist under LSApplicationQueriesSchemes, or set "
                + "MSALGlobalConfig.brokerAvailability to none.")
    }

    static func redirect(_ rejection: RedirectURIRejection) -> Failure {
        Failure(
            MSALInternalError(rawValue: rejection.internalErrorCode) ?? .internalErrorUnexpected, kind: .misconfigured,
            rejection.explanation, headline: "The redirect URI can't be used.", next: rejection.nextStep)
    }
}

/// A sign-in or sign-out that waits for the user, as the error of a second one describes it.
package struct RunningSession: Sendable, Equatable {
    /// Where the user completes it.
    package enum Place: String, Sendable {
        case browser = "the browser"
        case paste = "the final URL"
        case broker = "the identity broker"
    }

    /// "sign-in" or "sign-out".
    package var purpose: String
    package var place: Place
    package var clientID: String
    package var host: String
    package var start: Date
    /// The longest time to wait, in seconds. `nil` without limit.
    package var limit: Double?

    package init(purpose: String, place: Place, clientID: String, host: String, start: Date, limit: Double?) {
        (self.purpose, self.place, self.clientID, self.host) = (purpose, place, clientID, host)
        (self.start, self.limit) = (start, limit)
    }

    var end: Date? { limit.map { start.addingTimeInterval($0) } }

    func description(at now: Date) -> String {
        "The \(purpose) of client \(clientID) at \(host) has been waiting for \(place.rawValue) for "
            + "\(WaitText.short(waited(at: now)))."
    }

    func nextStep(at now: Date) -> String {
        let end = limit.map { " It times out in \(WaitText.short($0 - waited(at: now)))." } ?? ""
        return "Complete it, or cancel it (cancelCurrentWebAuthSession).\(end)"
    }

    private func waited(at now: Date) -> Double { now.timeIntervalSince(start) }
}

/// The length of a wait in words, rounded down.
enum WaitText {
    /// "45 s" or "15 min".
    static func short(_ seconds: Double) -> String {
        isInMinutes(seconds) ? "\(Int(seconds / 60)) min" : "\(Int(max(seconds, 0))) s"
    }

    /// "45 seconds" or "15 minutes".
    static func long(_ seconds: Double) -> String {
        if isInMinutes(seconds) { return "\(Int(seconds / 60)) minutes" }
        return seconds == 1 ? "1 second" : "\(Int(seconds)) seconds"
    }

    private static func isInMinutes(_ seconds: Double) -> Bool { seconds >= 120 }
}
