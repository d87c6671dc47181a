import Foundation
import OAuthCore

/// Texts for failures of the network and the authority.
extension FailureDescription {
    static func described(_ failure: AuthorityFailure) -> FailureDescription {
        switch failure {
        case .metadata(let url, let problem): .metadata(url, problem)
        case .response(let failure): .response(failure)
        case .protectionPolicyRequired(let response, let homeAccountID, let username):
            .protectionPolicy(response, homeAccountID: homeAccountID, username: username)
        case .throttled(let earlier): FailureDescription(earlier)
        case .badCallback(let failure): .badCallback(failure)
        case .malformedResponse(let fact, let status): .malformedResponse(fact, status: status)
        case .idTokenRejected(let verdicts): .idTokenRejected(verdicts)
        case .idTokenMalformed:
            FailureDescription(
                .internalErrorInvalidResponse, "The authority's ID token cannot be read.",
                next: "Ask whoever runs the authority.")
        case .clientInfoMissing: .clientInfoMissing
        case .endSessionEndpointMissing(let host):
            FailureDescription(
                .internalErrorUnexpected,
                "\(host) names no page that signs out of the browser. The tokens here were removed all the same.",
                next: "Sign out on the authority's own pages, or close the browser's session.")
        case .deviceCodeNotOffered(let url):
            FailureDescription(
                .internalErrorInvalidRequest,
                "\(url.absoluteString) offers no sign-in with a code: its discovery document names no "
                    + "device_authorization_endpoint.",
                next:
                    "Sign in with a browser ('keyturn sign-in --way browser'), or paste the address that a browser on "
                    + "another machine ends on ('keyturn sign-in --way paste').")
        case .declinedScopes(let granted, let declined):
            declinedScopes(granted: granted, declined: declined)
        }
    }

    static func network(_ failure: TransportFailure, host: String) -> FailureDescription {
        var description = FailureDescription(
            .internalErrorUnexpected,
            (failure.isWholeSentence ? "" : "\(host) cannot be reached: ") + failure.detail.endingSentence,
            next: failure.nextStep)
        description.underlying = NSError(domain: NSURLErrorDomain, code: failure.urlErrorCode)
        return description
    }

    static func idTokenRejected(_ verdicts: [Verdict]) -> FailureDescription {
        var description = FailureDescription(
            .internalErrorInvalidResponse,
            "The ID token was refused. " + verdicts.map(\.explanation).joined(separator: " "),
            next: "Nothing was saved. Ask whoever runs the authority; do not trust this sign-in.")
        description.keys = [MSALFailedChecksKey: verdicts.map(\.rule.rawValue)]
        return description
    }

    static func metadata(
        _ url: URL, _ problem: AuthorityFailure.MetadataProblem
    ) -> FailureDescription {
        var description = explained(problem, at: url)
        // Invalid documents arrive with this status; instance discovery rejects an authority with others.
        if problem != .unknownInstance { description.keys[MSALHTTPResponseCodeKey] = "200" }
        return description
    }

    static func explained(
        _ problem: AuthorityFailure.MetadataProblem, at url: URL
    ) -> FailureDescription {
        switch problem {
        case .notDiscovery(let why):
            return FailureDescription(
                .internalErrorFailedAuthorityValidation,
                "What the authority answered is no discovery document: \(why).",
                next: "Check the authority's address. A discovery document is expected at \(url.absoluteString).")
        case .issuerMismatch(let expected, let found):
            return FailureDescription(
                .internalErrorFailedAuthorityValidation,
                "The discovery document names the issuer \(found), but \(expected) was asked.",
                next: "Configure the issuer's own address as the authority.")
        case .notKeys:
            return FailureDescription(
                .internalErrorFailedAuthorityValidation, "The authority's signing keys cannot be read.",
                next: "Ask whoever runs the authority; the keys are expected at \(url.absoluteString).")
        case .unknownInstance:
            return FailureDescription(
                .internalErrorFailedAuthorityValidation, "The cloud does not know the authority \(url.absoluteString).",
                next: "Correct its host, or list it among the known authorities.")
        }
    }

    static func protectionPolicy(
        _ response: OAuthErrorResponse, homeAccountID: String, username: String?
    ) -> FailureDescription {
        var description = FailureDescription(
            response.classification.code, "The authority refused: \(response.sentence)", next: response.nextStep)
        description.keys = response.keys
        description.nextStep = "Bring the device under the organisation's protection policy, then ask again."
        description.keys[MSALHomeAccountIdKey] = homeAccountID
        description.keys[MSALDisplayableUserIdKey] = username
        return description
    }

    static func malformedResponse(_ fact: TokenResponseFailure.Fact, status: Int) -> FailureDescription {
        // As in MSAL for iOS and macOS, a response with neither token has its own error code.
        let code: MSALInternalError = fact == .noTokens ? .internalErrorUnexpected : .internalErrorInvalidResponse
        var description = FailureDescription(
            code, "The authority's answer is not a token response: \(fact.explanation).",
            next: "Check that the authority's address is right, and ask whoever runs it.")
        description.keys[MSALHTTPResponseCodeKey] = String(status)
        return description
    }

    /// A response without `client_info`. Only token responses are checked for it, so the status is 200.
    static var clientInfoMissing: FailureDescription {
        var description = FailureDescription(
            .internalErrorUnexpected, "The authority sent no client_info, so the account cannot be told from others.",
            next: "For an OpenID provider that is not Entra, configure the authority type oidc.")
        description.keys[MSALHTTPResponseCodeKey] = "200"
        return description
    }

    static func badCallback(_ failure: AuthorizationResponse.Failure) -> FailureDescription {
        let next =
            "Start the sign-in again. If it happens again, something between the browser and here changes addresses."
        switch failure {
        case .tooLong(let limit):
            return FailureDescription(
                .internalErrorInvalidResponse, "The browser came back with an address of over \(limit) bytes.",
                next: next)
        case .repeatedParameter(let name):
            return FailureDescription(
                .internalErrorInvalidResponse, "The browser came back with \(name) more than once.", next: next)
        case .stateMissing, .stateMismatch:
            return FailureDescription(
                .internalErrorInvalidState, "The browser came back with the answer to another sign-in.", next: next)
        case .issuerMissing:
            return FailureDescription(
                .internalErrorInvalidResponse, "The answer does not say who issued it, though the authority promised.",
                next: next)
        case .issuerMismatch(let expected, let found):
            return FailureDescription(
                .internalErrorInvalidResponse, "The answer came from \(found), not from \(expected).", next: next)
        case .codeMissing:
            return FailureDescription(
                .internalErrorInvalidResponse, "The browser came back with neither a code nor an error.", next: next)
        }
    }
}

extension TransportFailure {
    /// Whether the detail already names the server.
    fileprivate var isWholeSentence: Bool { kind == .bodyTooLarge || kind == .plainHTTP }
}

extension String {
    /// The text, with a full stop unless it already ends with punctuation.
    fileprivate var endingSentence: String { hasSuffix(".") || hasSuffix("!") || hasSuffix("?") ? self : self + "." }
}
