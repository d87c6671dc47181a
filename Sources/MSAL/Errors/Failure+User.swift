import Foundation
import OAuthCore

extension Failure {
    static func described(_ failure: UserFailure) -> Failure {
        switch failure {
        case .canceled: Failure(.userCanceled, "Sign-in cancelled.", next: "Start it again when you are ready.")
        case .canceledAfterSaving:
            Failure(
                .userCanceled, "Cancelled after the authority had issued the tokens. They are cached.",
                headline: "Cancelled, but the tokens are cached.", next: "Request the token again: it is cached.")
        case .canceledWithoutResponse:
            Failure(
                .userCanceled,
                "Cancelled before the authority's response arrived, so tokens that it has issued are lost.",
                headline: "Cancelled before the response arrived.",
                next: "Try again. If the authority has replaced the refresh token, the user must sign in.")
        case .requestChanged:
            Failure(
                .userCanceled, "A request of this flow was changed, so its tokens are not used or cached.",
                headline: headlineOfChange, next: "For a token, start again without a change.")
        case .interactionRequired(let reason): interactionRequired(reason)
        case .pasted(let reason, let redirectURI):
            Failure(
                .internalErrorInvalidParameter, reason.explanation(redirectURI.absoluteString),
                headline: "The pasted text can't be used.", next: reason.nextStep(redirectURI.absoluteString))
        case .noWaitingSignIn:
            Failure(
                .internalErrorInvalidParameter, "No sign-in is waiting for a response.",
                headline: "No sign-in is waiting for a response.", next: "Start one first.")
        case .deviceCodeExpired: .deviceCodeExpired
        case .mismatchedAccount(let expected, let found):
            Failure(
                .internalErrorMismatchedUser, "\(found) signed in instead of \(expected). Nothing was saved.",
                next:
                    "Sign in as \(expected). If the browser uses another session, sign out there first. If both are the same "
                    + "user, use the account \(found).")
        case .signInUnanswered(let host, let seconds):
            Failure(
                .userCanceled, "The sign-in at \(host) was not completed within \(WaitText.long(seconds)).",
                headline: "The sign-in timed out.", next: "Start it again, and complete it in time.")
        case .signOutUnconfirmed(let host):
            Failure(
                .internalErrorUnexpected,
                "The sign-out was not confirmed by \(host) within \(WaitText.long(UserFailure.signOutPatience)).",
                headline: "The sign-out was not confirmed.",
                next:
                    "If the browser shows that you are signed out, you are done. For a confirmation here, register the "
                    + "redirect URI for sign-out (post_logout_redirect_uri) at the authority.")
        }
    }

    /// The headline after a changed request that everybody accepted.
    package static let headlineOfChange = "Nothing is kept of a changed request."

    private static func interactionRequired(_ reason: UserFailure.InteractionReason) -> Failure {
        switch reason {
        case .noAccount: Failure(signInRequired: "No account was given.")
        case .signedOut: Failure(signInRequired: "The account was removed from this application.")
        case .noIDToken:
            Failure(
                signInRequired: "The organisation's authority returned no ID token, which the server's token needs.")
        case .noRefreshToken: Failure(signInRequired: "The cache has no refresh token.")
        case .noAccessToken: Failure(signInRequired: "The cache has no access token with these scopes.")
        case .scopesNotGranted(let names):
            Failure(
                signInRequired: "The account's tokens don't cover \(names.joined(separator: ", ")).",
                also: names.count == 1
                    ? "If the authority declined it before, continue without it."
                    : "If the authority declined them before, continue without them.")
        case .notRegistered(let url, let issuer):
            Failure(
                signInRequired: "No account for \(url.absoluteString): this client isn't registered at \(issuer) yet.",
                also: "That registers the client too.")
        case .stepUp: Failure(signInRequired: "The resource requires a newer or stronger sign-in.")
        case .notAgreed(let agreement, let isNamed): notAgreed(agreement, isNamed: isNamed)
        case .anotherCloud(let host): Failure(signInRequired: "The account's tokens aren't for the cloud of \(host).")
        }
    }

    private static func notAgreed(_ agreement: MSALTokenAgreement, isNamed: Bool) -> Failure {
        let address = agreement.url.absoluteString.withoutControls
        var failure = Failure(
            .interactionRequired,
            "\(address) asks for \(agreement.demand), and you haven't allowed that. " + agreement.sent,
            headline: "You haven't allowed this server a token.",
            next: isNamed
                ? "If you trust the server, name these scopes with --scope, or run the command in a terminal, which asks."
                : "If you trust the server, run 'keyturn sign-in' for it in a terminal, which asks. Or add "
                    + "its origin to the profile's key \"resources\".")
        failure.nextStep = .signInAsAdvised
        failure.agreement = agreement
        return failure
    }

    private static var deviceCodeExpired: Failure {
        var failure = Failure(
            .internalErrorAuthorizationFailed, "The device code expired before it was entered.",
            headline: "The device code expired.", next: "Start again, and enter the new code before it expires.")
        failure.oauthError = "expired_token"
        return failure
    }
}

extension MSALTokenAgreement {
    /// "a token of https://login.example with api://mail/read, as ann@contoso.example".
    public var demand: String {
        let scopes = scopes.isEmpty ? "without scopes" : "with \(scopes.joined(separator: ", "))"
        let user = username.map { ", as \($0)" } ?? (accountIdentifier == nil ? ", as the user who signs in" : "")
        return "a token of \(authority.absoluteString) \(scopes)\(user)".withoutControls
    }

    package var sent: String { allowedScopes.asSent }
}

extension [String] {
    /// What a server got that may have only these scopes.
    var asSent: String {
        isEmpty
            ? "Nothing was sent to it."
            : "It still gets only tokens with \(joined(separator: ", ")), which you allowed.".withoutControls
    }
}

extension PastedResponse.Reason {
    fileprivate func explanation(_ redirectURI: String) -> String {
        switch self {
        case .nothing: "Nothing was pasted."
        case .tooLong(let limit): "The pasted text is longer than \(limit) bytes."
        case .authorizationRequest: "This is the URL of the sign-in page itself."
        case .anotherAddress: "Wrong URL: the URL to paste begins with \(redirectURI)."
        case .withoutResponse: "This URL has neither a code nor an error."
        case .token: "This is a token, not a sign-in response. Anyone who has it can act as its user."
        case .text: "This is neither a URL nor a code."
        case .withoutState(let error?):
            "The URL contains the error \"\(error.withoutControls.beginning(100))\", but not the state of this sign-in."
        case .withoutState(nil): "This URL has no state, so it can't be matched to this sign-in."
        case .otherSignIn: "This is the response to another sign-in."
        }
    }

    fileprivate func nextStep(_ redirectURI: String) -> String {
        let instruction = "Paste the final URL; it begins with \(redirectURI)."
        return switch self {
        case .authorizationRequest: "Open it in a browser and sign in. \(instruction)"
        case .anotherAddress: "Finish the sign-in, then paste the URL of the last page, even if it fails to load."
        case .token: "Keep it secret. \(instruction)"
        case .otherSignIn: "Open the current URL, not an earlier one."
        case .withoutState(.some): "Cancel, and sign in again. If it happens again, ask the authority's operator."
        case .nothing, .tooLong, .withoutResponse, .withoutState(nil), .text: instruction
        }
    }
}
