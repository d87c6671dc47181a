import Foundation
import OAuthCore

extension Failure {
    static func described(_ failure: AuthorityFailure) -> Failure {
        switch failure {
        case .metadata(let url, let problem): .explained(problem, at: url)
        case .response(let failure): .response(failure)
        case .protectionPolicyRequired(let response, _, _): .protectionPolicy(response)
        case .throttled(let earlier): described(earlier)
        case .refreshLost(let cause): .refreshLost(cause)
        case .badCallback(let failure): .badCallback(failure)
        case .malformedResponse(let fact):
            Failure(
                // As in MSAL for iOS and macOS, a response with neither token has its own error code.
                fact == .noTokens ? .internalErrorUnexpected : .internalErrorInvalidResponse, kind: .protocolViolation,
                "The authority's response is invalid: \(fact.explanation).",
                headline: "The authority's response is invalid.", next: "Ask the authority's operator.")
        case .idTokenRejected(let verdicts): .idTokenRejected(verdicts)
        case .idTokenMalformed(let problem):
            Failure(
                .internalErrorInvalidResponse, "The ID token is malformed. \(problem.sentence)",
                headline: "The ID token is malformed.", next: "Nothing was saved. Ask the authority's operator.")
        case .clientInfoMissing:
            Failure(
                .internalErrorUnexpected, kind: .protocolViolation,
                "The authority sent no client_info, which identifies the account.",
                next: "For an OpenID provider other than Entra, configure the authority type oidc.")
        case .logoutEndpointMissing(let url):
            Failure(
                .internalErrorUnexpected, "\(url.absoluteString) has no sign-out page.",
                headline: "The authority has no sign-out page.",
                next: "Sign out on the authority's website, or end the browser session.")
        case .deviceCodeNotOffered(let url):
            Failure(
                .internalErrorInvalidRequest, kind: .misconfigured,
                "The metadata of \(url.absoluteString) has no device_authorization_endpoint.",
                headline: "The authority doesn't support device codes.",
                next: "Sign in with a browser ('keyturn sign-in --method browser'), or paste the final URL of a "
                    + "browser on another machine ('keyturn sign-in --method paste').")
        case .declinedScopes(_, let declined):
            Failure(
                .serverDeclinedScopes,
                "The authority didn't grant \(declined.joined(separator: ", ")). Tokens for the rest are cached.",
                next: "Continue with the granted scopes, or request fewer.")
        case .resource(let url, let problem): .explained(problem, at: url)
        case .signedOutOnlyHere(let cause, let host, let page): .signedOutOnlyHere(cause, host, page)
        }
    }

    private static func outcome(
        _ problem: AuthorityFailure.ResourceProblem, at url: URL
    ) -> (codes: (MSALInternalError, MSALFailureKind), headline: String) {
        func short(_ url: URL) -> String {
            (url.host() == nil ? url.absoluteString : url.hostAndPort).beginning(24).withoutControls
        }
        let (host, unusable) = (short(url), (MSALInternalError.internalErrorUnexpected, MSALFailureKind.misconfigured))
        let unsafe = (MSALInternalError.internalErrorFailedAuthorityValidation, MSALFailureKind.misconfigured)
        return switch problem {
        case .notResource: (unusable, "\(host) can't be used as a resource.")
        case .noMetadata: (unusable, "\(host) doesn't say where to get a token.")
        case .notFound: (unusable, "\(host) has nothing at this path.")
        case .needsNoToken: (unusable, "\(host) responds without a token.")
        case .redirected: (unusable, "\(host) redirects to another URL.")
        case .metadata: (unsafe, "The metadata of \(host) can't be used.")
        case .challenge: (unsafe, "The challenge of \(host) is unsupported.")
        case .mismatch: (unsafe, "\(host) describes another resource.")
        case .unsafeAddress: (unsafe, "\(host) names an unsafe URL.")
        case .status(let status): ((unusable.0, .unavailable), "\(host) failed (HTTP \(status)).")
        case .noServer: (unusable, "\(host) names no authority.")
        case .noRegistration(let issuer, _, _):
            (unusable, "\(URL(string: issuer).map(short) ?? host) registers no clients.")
        case .registration: (unusable, "Registration at \(host) failed.")
        case .otherAuthority: (unsafe, "\(host) names another authority.")
        case .strangeAssertion: (unsafe, "The assertion isn't for \(host).")
        case .otherIssuer: (unsafe, "\(host) and its authority don't match.")
        case .foreignAPI(_, _, isAsked: true, _): (unsafe, "\(host) asks for another API's token.")
        case .foreignAPI(_, _, isAsked: false, _), .managedElsewhere: (unsafe, "The token isn't for \(host).")
        case .strangeRecipient: (unsafe, "\(host) has another token server now.")
        case .strangePage: (unsafe, "\(host) sends you to another authority.")
        case .unreachable(let failure):
            (
                (unusable.0, failure.meaning.kind),
                failure.mayHaveResponse ? "The request to \(host) failed." : "Can't reach \(host)."
            )
        }
    }

    private static func explained(_ problem: AuthorityFailure.ResourceProblem, at url: URL) -> Failure {
        let address = url.absoluteString.withoutControls
        let ((code, kind), headline) = outcome(problem, at: url)
        let outcome = headline.dropLast()
        let texts =
            switch problem {
            case .notResource: notResource(url)
            case .noMetadata:
                withoutMetadata(
                    "\(address) has no resource metadata (RFC 9728), and its server takes no registrations.", "the URL")
            case .notFound:
                withoutMetadata(
                    "\(address) responds with HTTP 404, and its server has no resource metadata (RFC 9728).",
                    "the path of the URL")
            case .needsNoToken:
                Texts(
                    "\(address) needs no token for a GET request, and has no resource metadata (RFC 9728).",
                    "Use it without a token. If other requests need one, use a profile with the authority, client ID and scopes."
                )
            case .redirected(let location): redirected(address, location.withoutControls)
            case .metadata(let reason): Texts("\(outcome): \(reason).", "Ask the resource's operator.")
            case .challenge(let reason): Texts("\(headline) \(reason)", "Ask the resource's operator.")
            case .mismatch(let found):
                Texts(
                    "The metadata names the resource \(found.withoutControls) instead of \(address).",
                    "Nothing was sent to the authority that the metadata names. Check the URL, or ask the resource's operator."
                )
            case .unsafeAddress(let named):
                Texts("\(outcome): \(named.withoutControls).", "Nothing was sent there. Ask the resource's operator.")
            case .status: Texts(headline, "Try again later.")
            case .noServer:
                Texts(
                    "The metadata of \(address) has no authorization_servers.",
                    "Ask the API's operator for its authority, and use a profile for it (--profile).")
            case .noRegistration(let issuer, let readsDocuments, let hasClient):
                noRegistration(issuer.withoutControls, issuer.inCommand, readsDocuments, hasClient)
            case .foreignAPI(let api, let scopes, let isRequested, let allowed):
                foreignAPI(api, scopes, at: address, isRequested, allowed.asSent)
            case .otherAuthority(let named, let configured): otherAuthority(address, named.withoutControls, configured)
            case .managedElsewhere(let authority, let configured):
                Texts(
                    "The token is from \(authority), but managedServers in the profile has \(configured) for \(address).",
                    "Request the server's own token instead, or correct managedServers in the profile.")
            case .strangeAssertion(let audience, let issuer): strangeAssertion(audience.withoutControls, issuer)
            case .strangePage(let page, let recipient): strangePage(page, recipient)
            case .strangeRecipient(let recipient, let issuer): strangeRecipient(recipient, issuer.withoutControls)
            case .unreachable(let failure): Texts(failure.sentence(host: url.hostAndPort), failure.nextStep)
            case .otherIssuer(let expected, let found, let isOwn):
                otherIssuer(address, expected.withoutControls, found, isOwn)
            case .registration(let reason):
                Texts(
                    "This client can't be registered at \(address): \(reason).",
                    "Register a public (native) client there by hand, and use its ID in a profile (--client-id, --authority)."
                )
            }
        return Failure(code, kind: kind, texts.explanation, headline: headline, next: texts.next)
    }

    struct Texts {
        let explanation: String
        let next: String

        init(_ explanation: String, _ next: String) { (self.explanation, self.next) = (explanation, next) }
    }

    private static func notResource(_ url: URL) -> Texts {
        let address = url.absoluteString.withoutControls
        return url.isSecureEndpoint && url.plainSegments == nil
            ? Texts(
                "\(address) has . or .. in its path, which programs read in different ways.",
                "Write the path without them.")
            : Texts(
                "\(address) is not the URL of a resource: it must be an https URL without a fragment.",
                "Use https. Only a resource on this computer can use http.")
    }

    private static func noRegistration(_ issuer: String, _ argument: String, _ readsDocuments: Bool, _ hasClient: Bool)
        -> Texts
    {
        let use = "use --client-id ID --authority \(argument), and its secret if it has one (--client-secret-file)."
        return readsDocuments
            ? Texts(
                "\(issuer) has no registration endpoint, but accepts the URL of a client's metadata as its ID.",
                "Host the output of 'keyturn client-metadata' at an https URL, and set the profile's clientMetadata to "
                    + "the URL. Or register a client there, and \(use)")
            : Texts(
                "\(issuer) has no registration endpoint, so this client can't register itself.",
                (hasClient ? "If your client ID is registered there, \(use) Otherwise register" : "Register")
                    + " a public (native) client there, with the redirect URI http://localhost."
                    + (hasClient ? "" : " Then \(use)"))
    }

    private static func withoutMetadata(_ explanation: String, _ part: String) -> Texts {
        Texts(
            explanation,
            "Check \(part). If it's right, register a client at its authority, and use --client-id ID --authority URL.")
    }

    private static func otherAuthority(_ address: String, _ named: String, _ configured: String) -> Texts {
        Texts(
            "\(address) names the authority \(named), but the profile \(configured) for this server.",
            "Nothing was sent to either. Ask your administrator, then correct managedServers in the profile.")
    }

    private static func strangeAssertion(_ audience: String, _ issuer: String) -> Texts {
        Texts(
            "The organisation's authority issued an assertion for \(audience) instead of \(issuer).",
            "Nothing was sent to either. Ask your organisation's administrator.")
    }

    private static func redirected(_ address: String, _ location: String) -> Texts {
        Texts(
            "\(address) has no resource metadata, and redirects to \(location). Redirects aren't followed, so that no other "
                + "site chooses the authority.",
            "If you trust that URL, use it instead of \(address).")
    }

    private static func foreignAPI(
        _ api: String, _ scopes: [String], at address: String, _ isAsked: Bool, _ allowed: String
    ) -> Texts {
        let api = api + (scopes.isEmpty ? "" : " (\(scopes.joined(separator: ", ")))".withoutControls)
        return isAsked
            ? Texts(
                "\(address) asks for a token for \(api), which isn't for this server. \(allowed)",
                "Don't trust this server. Only the profile's key \"resources\" can allow it such a token.")
            : Texts(
                "The profile's token is for \(api), not for \(address). \(allowed)",
                "Name the scopes of this API with --scope, or in the profile's key \"resources\".")
    }

    private static func otherIssuer(_ address: String, _ expected: String, _ found: String, _ isOwn: Bool) -> Texts {
        Texts(
            isOwn
                ? "\(expected) has no resource metadata, and its metadata as an authority names \(found.withoutControls)."
                : "\(address) names the issuer \(expected), but that issuer's metadata names \(found.withoutControls).",
            "No sign-in was started. "
                + (isOwn ? "If you trust that issuer, name it (--authority)." : "Ask the resource's operator."))
    }

    private static func strangePage(_ page: String, _ recipient: String) -> Texts {
        Texts(
            "The sign-in page is at \(page), but \(recipient) gets its codes or tokens. "
                + "No metadata shows that they belong together, so \(recipient) could get your access to \(page).",
            "No page was opened. If you trust both, run 'keyturn sign-in' in a terminal, or ask the resource's operator."
        )
    }

    private static func strangeRecipient(_ recipient: String, _ issuer: String) -> Texts {
        Texts(
            "Since your sign-in, the metadata of \(issuer) has named \(recipient), which would get your tokens. Nothing was "
                + "sent there.",
            "If you trust it, run 'keyturn sign-in' in a terminal, or ask the resource's operator."
        )
    }

    private static func refreshLost(_ cause: AuthenticationFailure) -> Failure {
        var failure = described(cause)
        failure.reason +=
            " The response replaced the refresh token, which was spent for it, so this sign-in can't be renewed any more."
        failure.nextStep = .signIn
        return failure
    }

    /// The account and its ID token are gone, so the user can't repeat the sign-out in the browser with this library.
    private static func signedOutOnlyHere(_ cause: AuthenticationFailure, _ host: String, _ page: URL?) -> Failure {
        var failure = described(cause)
        if case .user(.canceled) = cause { failure.reason = "The sign-out in the browser was cancelled." }
        failure.reason +=
            " The tokens on this computer were removed, but the browser may still be signed in at \(host)."
        switch cause {
        case .authority(.logoutEndpointMissing), .user(.signOutUnconfirmed): break
        // The page must not be opened.
        case .network(let failure, _) where failure.kind == .foreignPort: break
        case .caller, .user, .authority, .network, .store, .machine, .unexpected:
            failure.nextStep = .tryAgain
            failure.advice =
                page.map { "To sign out in the browser, open \($0.absoluteString)." }
                ?? "To sign out in the browser, use the website of \(host)."
        }
        return failure
    }

    private static func idTokenRejected(_ verdicts: [Verdict]) -> Failure {
        let checks = verdicts.count == 1 ? "the check \"\(verdicts[0].rule.rawValue)\"" : "\(verdicts.count) checks"
        let headline = "ID token rejected by \(checks)."
        return Failure(
            .internalErrorInvalidResponse, "\(headline) \(verdicts.map(\.explanation).joined(separator: " "))",
            headline: headline, next: "Nothing was saved. Don't trust this response; ask the authority's operator.")
    }

    private static func explained(_ problem: AuthorityFailure.MetadataProblem, at url: URL) -> Failure {
        switch problem {
        case .noS256:
            Failure(
                .internalErrorFailedAuthorityValidation,
                "The authority's metadata lacks S256 (PKCE) in code_challenge_methods_supported.",
                next: "Ask the authority's operator to support PKCE with S256.")
        case .notDiscovery(let why):
            Failure(
                .internalErrorFailedAuthorityValidation, "The authority's metadata is invalid: \(why.explanation).",
                next: why == .webPage
                    ? "Open \(url.absoluteString) in a browser: a proxy or a login page may respond instead of the authority."
                    : "Check the authority's URL. Its metadata is expected at \(url.absoluteString).")
        case .issuerMismatch(let expected, let found):
            Failure(
                .internalErrorFailedAuthorityValidation,
                "The metadata has the issuer \(found) instead of \(expected)."
                    + (found.isOtherSchemeOf(expected) ? " Only http and https differ." : ""),
                next: found.isOtherSchemeOf(expected) && found.hasPrefix("http:")
                    ? "Ask the authority's operator: behind a proxy, metadata must contain the https URL."
                    : found.contains("{")
                        ? "Check the authority's URL." : "If you trust this issuer, configure its URL as the authority."
            )
        case .notKeys(let malformed):
            Failure(
                .internalErrorFailedAuthorityValidation, kind: .protocolViolation,
                "The authority's signing keys are unreadable: \(malformed.explanation).",
                next: "Ask the authority's operator. The keys are expected at \(url.absoluteString).")
        case .unknownInstance:
            Failure(
                .internalErrorFailedAuthorityValidation, "Microsoft doesn't list the authority \(url.absoluteString).",
                next: "Correct its host, or list it among the known authorities.")
        }
    }

    private static func protectionPolicy(_ response: OAuthErrorResponse) -> Failure {
        var failure = Failure(
            response.usualCode.code, kind: .rejected, "Request rejected: \(response.sentence)", next: response.nextStep)
        failure.quote(response)
        return failure
    }

    mutating func quote(_ response: OAuthErrorResponse) {
        oauthError = response.error
        oauthSubError = response.suberror
        serviceCodes = response.codes
    }

    private static func badCallback(_ failure: AuthorizationResponse.Failure) -> Failure {
        let (code, fact): (MSALInternalError, String) =
            switch failure {
            case .tooLong(let limit): (.internalErrorInvalidResponse, "is longer than \(limit) bytes")
            case .repeatedParameter(let name): (.internalErrorInvalidResponse, "repeats \"\(name)\"")
            case .stateMissing, .stateMismatch: (.internalErrorInvalidState, "belongs to another sign-in")
            case .issuerMissing: (.internalErrorInvalidResponse, "doesn't name its issuer (iss)")
            case .issuerMismatch(let expected, let found):
                (.internalErrorInvalidResponse, "came from \(found), not from \(expected)")
            case .codeMissing: (.internalErrorInvalidResponse, "has neither a code nor an error")
            }
        let reason = "The authorization response \(fact)."
        return Failure(
            code, reason, headline: code == .internalErrorInvalidState ? reason : "",
            next:
                "Start the sign-in again. If it fails again, look for a proxy or a browser extension that changes URLs."
        )
    }
}

extension JWKSet.Malformed {
    fileprivate var explanation: String {
        switch self {
        case .tooLarge(let limit): "the document is larger than \(limit) bytes"
        case .notJSON: "the document is not JSON"
        case .noKeysMember: "the document has no list of keys"
        case .tooManyKeys(let limit): "the document has more than \(limit) keys"
        }
    }
}

extension String {
    /// Whether two URLs differ only in http and https, ignoring a trailing slash.
    fileprivate func isOtherSchemeOf(_ other: String) -> Bool {
        func rest(_ text: String) -> Substring? {
            ["http://", "https://"].first(where: text.hasPrefix).map { scheme in
                (text.hasSuffix("/") ? text.dropLast() : text[...]).dropFirst(scheme.count)
            }
        }
        return rest(self).map { $0 == rest(other) } == true && prefix(5) != other.prefix(5)
    }

    /// A URL that a shell doesn't change, for a suggested command.
    fileprivate var inCommand: String {
        let plain = CharacterSet(charactersIn: "-._~:/@%+=,").union(.alphanumerics)
        return addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
