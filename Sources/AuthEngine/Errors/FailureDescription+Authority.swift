import Foundation
import OAuthCore

/// What the network or the authority did.
extension FailureDescription {
    static func authority(_ failure: AuthenticationFailure) -> FailureDescription {
        switch failure {
        case .network(let failure, let host): .network(failure, host: host)
        case .metadata(let url, let problem): .metadata(url, problem)
        case .refused(let response): .refused(response)
        case .protectionPolicyRequired(let response, let homeAccountID, let username):
            .protectionPolicy(response, homeAccountID: homeAccountID, username: username)
        case .badCallback(let failure): .badCallback(failure)
        case .unexpectedStatus(let status, let headers, let host): .unexpectedStatus(status, headers, host: host)
        case .malformedResponse(let fact, let status): .malformedResponse(fact, status: status)
        case .idTokenRejected(let verdicts):
            FailureDescription(
                .internalErrorInvalidResponse,
                "The ID token was refused. " + verdicts.map(\.explanation).joined(separator: " "),
                next: "Nothing was saved. Ask whoever runs the authority; do not trust this sign-in.")
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
        case .deviceCodeNotOffered(let url):
            FailureDescription(
                .internalErrorInvalidRequest,
                "\(url.absoluteString) offers no sign-in with a code: its discovery document names no "
                    + "device_authorization_endpoint.",
                next: "Sign in with a browser, or by pasting the address that a browser on another machine ends on.")
        default:
            unexpected("authority")
        }
    }

    private static func network(_ failure: TransportFailure, host: String) -> FailureDescription {
        var description = FailureDescription(
            .internalErrorUnexpected, "\(host) cannot be reached: \(failure.detail.endingSentence)",
            next: failure.nextStep)
        description.underlying = NSError(domain: NSURLErrorDomain, code: failure.urlErrorCode)
        return description
    }

    private static func metadata(
        _ url: URL, _ problem: AuthenticationFailure.MetadataProblem
    ) -> FailureDescription {
        var description = explained(problem, at: url)
        description.keys[MSALHTTPResponseCodeKey] = problem.status.map(String.init)
        return description
    }

    private static func explained(
        _ problem: AuthenticationFailure.MetadataProblem, at url: URL
    ) -> FailureDescription {
        let next = "Check the authority's address. A discovery document is expected at \(url.absoluteString)."
        switch problem {
        case .status(let status):
            return FailureDescription(
                .internalErrorFailedAuthorityValidation,
                "The authority answered \(status) when asked for its endpoints.",
                next: next)
        case .notDiscovery(let why):
            return FailureDescription(
                .internalErrorFailedAuthorityValidation,
                "What the authority answered is no discovery document: \(why).",
                next: next)
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
        case .endpointMissing(let name):
            return FailureDescription(
                .internalErrorFailedAuthorityValidation, "The authority's discovery document has no \(name).",
                next: next)
        }
    }

    private static func refused(_ response: OAuthErrorResponse) -> FailureDescription {
        var description = FailureDescription(
            .internal, "The authority refused: \(response.sentence)", next: response.nextStep)
        let classified = response.classification
        description.code = classified.code
        description.internalCode = classified.internalCode
        description.keys = response.keys
        return description
    }

    private static func protectionPolicy(
        _ response: OAuthErrorResponse, homeAccountID: String, username: String?
    ) -> FailureDescription {
        var description = refused(response)
        description.nextStep = "Bring the device under the organisation's protection policy, then ask again."
        description.keys[MSALHomeAccountIdKey] = homeAccountID
        description.keys[MSALDisplayableUserIdKey] = username
        return description
    }

    private static func malformedResponse(_ fact: TokenResponseFailure.Fact, status: Int) -> FailureDescription {
        // Neither token there is an error of its own upstream.
        let code: MSALInternalError = fact == .noTokens ? .internalErrorUnexpected : .internalErrorInvalidResponse
        var description = FailureDescription(
            code, "The authority's answer is not a token response: \(fact.explanation).",
            next: "Check that the authority's address is right, and ask whoever runs it.")
        description.keys[MSALHTTPResponseCodeKey] = String(status)
        return description
    }

    /// Only an answer with tokens, hence with this status, is looked at for whose they are.
    private static var clientInfoMissing: FailureDescription {
        var description = FailureDescription(
            .internalErrorUnexpected, "The authority sent no client_info, so the account cannot be told from others.",
            next: "For an OpenID provider that is not Entra, configure the authority type oidc.")
        description.keys[MSALHTTPResponseCodeKey] = "200"
        return description
    }

    private static func badCallback(_ failure: AuthorizationResponse.Failure) -> FailureDescription {
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

    private static func unexpectedStatus(_ status: Int, _ headers: HTTPHeaders, host: String) -> FailureDescription {
        var description = FailureDescription(
            .internalErrorUnhandledResponse, "\(host) answered with the status \(status).",
            next: status >= 500 ? "The authority is in trouble: try again later." : "Check the authority's address.")
        if [403, 404].contains(status) {
            description.underlying = NSError(
                domain: MSALErrorDomain, code: MSALError.internal.rawValue,
                userInfo: [MSALInternalErrorCodeKey: MSALInternalError.internalErrorUnexpectedHttpResponse.rawValue])
        }
        description.keys = [
            MSALHTTPResponseCodeKey: String(status),
            MSALHTTPHeadersKey: Dictionary(
                headers.fields.filter { $0.name.lowercased() != "set-cookie" }.map { ($0.name, $0.value) },
                uniquingKeysWith: { first, _ in first }),
        ]
        return description
    }
}

extension AuthenticationFailure.MetadataProblem {
    /// The HTTP status of the document; `nil` when it is not what was wrong or right about it.
    fileprivate var status: Int? {
        switch self {
        case .status(let status): status
        case .notDiscovery, .issuerMismatch, .notKeys, .endpointMissing: 200
        case .unknownInstance: nil
        }
    }
}

extension String {
    /// With a full stop, unless it has an end of its own.
    fileprivate var endingSentence: String { hasSuffix(".") || hasSuffix("!") || hasSuffix("?") ? self : self + "." }
}
