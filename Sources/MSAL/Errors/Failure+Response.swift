import Foundation
import OAuthCore

extension Failure {
    static func response(_ failure: ResponseFailure) -> Failure {
        let (code, internalCode) = failure.codes
        var shown = Failure(
            code, internal: internalCode, kind: failure.kind, failure.explanation, headline: failure.headline ?? "",
            next: failure.nextStep)
        if failure.needsSignIn { shown.nextStep = .signIn }
        shown.hasOwnAdvice = failure.assertionAdvice != nil
        if let rejection = failure.rejection { shown.quote(rejection) }
        shown.retryAfter = failure.retryAfter
        return shown
    }
}

extension ResponseFailure {
    /// Whether only a sign-in can replace the rejected refresh token.
    fileprivate var needsSignIn: Bool { [.refresh, .identityAssertion].contains(endpoint) && kind == .signInRequired }

    /// The error codes (docs/upstream-behaviour.md §6).
    fileprivate var codes: (code: MSALError, internalCode: Int?) {
        if needsSignIn { return (.interactionRequired, nil) }
        if isDeclinedConsent { return (.userCanceled, nil) }
        if followsSignIn, rejection?.usualCode.code == .interactionRequired {
            return (.internal, MSALInternalError.internalErrorInvalidGrant.rawValue)
        }
        if isRejectedBeforeUser { return (.internal, MSALInternalError.internalErrorUnauthorizedClient.rawValue) }
        if let rejection, !hasBusyStatus, !isOfDocument { return rejection.usualCode }
        return (.internal, internalError.rawValue)
    }

    private var underlying: NSError? {
        if needsSignIn {
            // The same failure as a non-silent request reports it.
            var cause = self
            cause.endpoint = .codeRedemption
            return MSALAuthenticationError(.authority(.response(cause)))
        }
        guard isUnhandled, status == 403 || status == 404 else { return nil }
        return NSError(
            domain: MSALErrorDomain, code: MSALError.internal.rawValue,
            userInfo: [MSALInternalErrorCodeKey: MSALInternalError.internalErrorUnexpectedHttpResponse.rawValue])
    }

    private var isUnhandled: Bool { codes.internalCode == MSALInternalError.internalErrorUnhandledResponse.rawValue }

    var keys: [String: Any] {
        var keys = rejection?.keys ?? [:]
        keys[MSALHTTPResponseCodeKey] = status.map(String.init)
        keys[NSUnderlyingErrorKey] = underlying
        if isUnhandled {
            keys[MSALHTTPHeadersKey] = Dictionary(
                headers.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        return keys
    }

    /// Whether the response is a public document, where an OAuth error has no meaning.
    fileprivate var isOfDocument: Bool { isOfMetadata || endpoint == .keys }

    private var isOfMetadata: Bool { [.instanceDiscovery, .discovery].contains(endpoint) }

    fileprivate var internalError: MSALInternalError {
        if kind == .unavailable { return .internalErrorUnhandledResponse }
        return switch (endpoint, body) {
        case (.instanceDiscovery, _), (.discovery, _), (.keys, _): .internalErrorFailedAuthorityValidation
        // As in MSAL for iOS and macOS, a response with neither token has its own error code.
        case (_, .malformed(.noTokens)): .internalErrorUnexpected
        case (_, .malformed): .internalErrorInvalidResponse
        case (_, .unexplained), (_, .rejected): .internalErrorUnhandledResponse
        }
    }

    /// A headline that is more specific than that of the error code.
    fileprivate var headline: String? {
        if rejection?.suberror == "insufficient_device_strength" { return "The device doesn't meet the requirements." }
        if redirectOrigin != nil, rejection == nil, kind != .unavailable {
            return "\(host.beginning(36)) redirects the request."
        }
        if explanation.hasPrefix(invalidity) { return "The response from \(host.beginning(36)) is invalid." }
        guard kind == .unavailable else { return nil }
        if movedTo != nil { return "The endpoint has moved." }
        return isFromBetween
            ? "Something responded in the authority's place." : "\(unavailability(of: host.beginning(36)))."
    }

    private func unavailability(of server: String) -> String {
        isOfNetwork
            ? "The network requires a sign-in on its own page\(inHTTP)"
            : "\(server) \(hasFailed ? "failed" : "is busy")\(inHTTP)"
    }

    fileprivate var explanation: String {
        let sentence =
            switch kind {
            case .unavailable where movedTo != nil: "The endpoint at \(host) moved to \(movedTo?.origin ?? "")\(inHTTP)"
            case .unavailable: isFromBetween ? interference : unavailability(of: host)
            case .signInRequired where needsSignIn: "Sign-in required"
            case .misconfigured where rejection == nil:
                redirection
                    ?? "\(host) has no \(isOfMetadata ? "metadata at the expected URL" : "endpoint at this URL")\(inHTTP)"
            case .signInRequired, .misconfigured, .protocolViolation, .rejected, .canceled, .declinedScopes, .store,
                .other:
                rejection == nil ? unexplained : assertionRejection ?? "Request rejected"
            }
        if let rejection { return "\(sentence): \(rejection.sentence)" }
        if redirectOrigin != nil { return "\(sentence)." }
        if let otherError { return "\(sentence). It sent the error \"\(otherError.withoutControls)\"." }
        guard let pageTitle else { return "\(sentence)." }
        return "\(sentence). The response is a web page\(pageTitle.isEmpty ? "" : " titled \"\(pageTitle)\"")."
    }

    /// Which of the two authorities of a managed server has rejected the request.
    private var assertionRejection: String? {
        if endpoint == .assertion { return "The server's authority (\(host)) rejected your organisation's assertion" }
        guard endpoint == .identityAssertion else { return nil }
        return "Your organisation's authority (\(host)) gives no access to this server"
    }

    fileprivate var assertionAdvice: String? {
        guard assertionRejection != nil, endpoint == .assertion || !rejectsClient else { return nil }
        guard endpoint == .assertion else {
            return "Ask your organisation's administrator to allow this application for the server."
        }
        let secret =
            sentSecret ? " and clientSecret" : rejectsClient ? ", and a clientSecret if that client has one," : ""
        return
            "Compare the server's clientId\(secret) in managedServers with its registration, then ask the server's operator "
            + "whether it trusts your organisation."
    }

    private var interference: String {
        let target = redirectOrigin.map { " with a redirect to \($0)" } ?? ""
        let missing = isMissingEndpoint ? ", or it has no endpoint \(url.absoluteString)" : ""
        let sentence = "Something between you and \(host) responded in its place\(target)\(inHTTP)\(missing)"
        guard case .malformed(let fact) = body, pageTitle == nil else { return sentence }
        return "\(sentence). The response is invalid: \(fact.explanation)"
    }

    private var redirection: String? {
        redirectOrigin.map { origin in
            "\(host) redirected the request to \(origin)\(inHTTP). "
                + (isOfDocument ? "Redirects are not followed" : "Codes and tokens aren't sent there")
        }
    }

    private var invalidity: String { "The response from \(host) is invalid" }

    private var unexplained: String {
        if let redirection { return redirection }
        return switch body {
        case .malformed(let fact): "\(invalidity): \(fact.explanation)\(inHTTP)"
        case .unexplained, .rejected:
            switch endpoint {
            case .keys: "\(host) has no signing keys at the stated URL\(inHTTP)"
            case .userInfo: "\(host) did not identify the user\(inHTTP)"
            case .revocation: "\(host) did not revoke the token\(inHTTP)"
            case .pushedAuthorization: "\(host) did not accept the sign-in request\(inHTTP)"
            case .authorization: "\(host) did not sign the user in"
            case .instanceDiscovery, .discovery, .codeRedemption, .refresh, .deviceAuthorization, .devicePolling,
                .registration, .identityAssertion, .assertion:
                "\(invalidity): it contains neither tokens nor an error\(inHTTP)"
            }
        }
    }

    /// Whether the authority rejected the client or its secret, or that it sent none (RFC 6749 §5.2).
    private var rejectsClient: Bool {
        [.codeRedemption, .refresh, .devicePolling, .identityAssertion, .assertion].contains(endpoint)
            && rejection?.standardError == "invalid_client"
    }

    private var hasFailed: Bool {
        status.map([500, 501, 505].contains) ?? false || rejection?.standardError == "server_error" && !hasBusyStatus
    }

    /// Whether the network answers instead of the authority (RFC 6585 §6).
    private var isOfNetwork: Bool { status == 511 }

    private var inHTTP: String { status.map { " (HTTP \($0))" } ?? "" }

    fileprivate var nextStep: String {
        switch kind {
        case .unavailable where movedTo != nil: "Try again. Further requests use the new URL."
        case .unavailable where isOfNetwork: "Open any web page in a browser, sign in to the network, then try again."
        case .unavailable:
            (retryAfter.flatMap { $0 > 86_400 ? nil : "Try again in \(Int($0.rounded(.up))) s." } ?? "Try again later.")
                + (isFromBetween
                    ? " If this continues, use another network, check the proxy and the client ID ('keyturn check'), or sign in again."
                    : "")
        case .signInRequired where needsSignIn: ""
        case .signInRequired:
            "Sign out at \(host) in the browser, then sign in again, or use another user or sign-in method."
        case .misconfigured where redirectOrigin != nil && rejection == nil:
            "Use the authority's final URL: \(url.absoluteString) must respond without a redirect."
        case .protocolViolation where redirectOrigin != nil && rejection == nil:
            "Ask the authority's operator to put the endpoint's final URL in the metadata."
        case .misconfigured where isOfDocument && rejection != nil: "Check the tenant and the authority's URL."
        case .misconfigured where rejection == nil:
            isOfMetadata
                ? "Check the authority's URL. Its metadata is expected at \(url.absoluteString)."
                : "Check the authority's URL ('keyturn check')."
        case .protocolViolation:
            pageTitle == nil
                ? rejectionAdvice
                    ?? (isOfDocument
                        ? "Check the authority's URL, and ask its operator." : "Ask the authority's operator.")
                : "Check the authority's URL, and whether a proxy or a login page responds instead."
        case .misconfigured where rejectsClient: clientAdvice
        case .misconfigured, .rejected, .canceled, .declinedScopes, .store, .other:
            rejectionAdvice ?? "Check the authority's URL, and ask its operator."
        }
    }

    private var rejectionAdvice: String? {
        if let assertionAdvice { return assertionAdvice }
        return isRejectedBeforeUser
            ? "Use another sign-in method, or ask the authority's operator to allow device codes."
            : secretAdvice ?? scopeAdvice ?? rejection?.nextStep
    }

    /// Some providers name the missing parameter instead of `invalid_client`.
    private var secretAdvice: String? { rejection?.description?.contains("client_secret") == true ? clientAdvice : nil }

    /// Whether the registration has a secret isn't known here.
    private var clientAdvice: String {
        if let assertionAdvice { return assertionAdvice }
        return sentSecret
            ? "Compare the client ID and the client secret with the registration. "
                + (hasSecretFile
                    ? "Correct the secret's file, or use none if the client has no secret."
                    : "Enter a stored one again ('keyturn sign-in --enter-client-secret'), or remove clientSecret if the "
                        + "client has none.")
            : "Check the client ID. If the provider gave you a client secret, as Google does, set clientSecret "
                + "(docs/configuration.md). Otherwise register a public client."
    }

    /// The scopes that the authority may have rejected, and who requested them. Microsoft Entra ID, which numbers its
    /// errors, accepts those that the library adds.
    private var scopeAdvice: String? {
        guard let rejection, rejection.standardError == "invalid_scope", !scopes.isEmpty else { return nil }
        let named = Scopes(scopes.names.filter { rejection.description?.contains($0) ?? false })
        guard !named.isEmpty || rejection.codes.isEmpty else { return nil }
        let rejected = named.isEmpty ? scopes : named
        let requested = rejected.withoutReserved.names.joined(separator: ", ")
        let added = rejected.reservedNames.joined(separator: ", ")
        return [
            requested.isEmpty ? nil : "Check the spelling of \(requested), and that this application may request it.",
            added.isEmpty ? nil : "Every sign-in requests \(added): allow it for this application at the provider.",
        ].compactMap(\.self).joined(separator: " ")
    }
}
