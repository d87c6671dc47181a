import Foundation
import OAuthCore

/// The failure for each cause. The files `Failure+….swift` have its texts by the party that must act
/// (docs/upstream-behaviour.md §6).
extension Failure {
    package init(_ failure: AuthenticationFailure, correlationID: UUID? = nil) {
        self = Self.described(failure)
        if nextStep != .signIn { nextStep = NextStep(after: kind, internalCode) }
        if headline.isEmpty { headline = usualHeadline }
        self.correlationID = correlationID?.uuidString
        // They may contain text from an authority, a browser or a caller.
        reason = reason.withoutControls.withoutURLPasswords.beginning(2048)
        advice = advice.withoutControls
        headline = headline.beginning(1024)
        oauthError = oauthError?.beginning(1024)
        oauthSubError = oauthSubError?.beginning(1024)
    }

    static func described(_ failure: AuthenticationFailure) -> Failure {
        switch failure {
        case .caller(let failure): described(failure)
        case .user(let failure): described(failure)
        case .authority(let failure): described(failure)
        case .network(let failure, let host): .network(failure, host: host)
        case .store(let failure):
            Failure(
                .internalErrorUnexpected, kind: .store, failure.reason, headline: failure.kind.headline,
                next: failure.nextStep)
        case .machine(let failure): described(failure)
        case .unexpected(let type):
            Failure(
                .internalErrorUnexpected, "Unexpected failure: \(type).", headline: "Unexpected failure.",
                next: "Report it with its correlation ID.")
        }
    }

    /// A failure with an error code. Without a kind or a headline, it gets the usual one.
    init(
        _ code: MSALError, internal internalCode: Int? = nil, kind: MSALFailureKind? = nil, _ reason: String,
        headline: String = "", next advice: String
    ) {
        let internalError = internalCode.flatMap(MSALInternalError.init)
        self.init(
            headline: headline, reason: reason, advice: advice,
            kind: kind ?? Self.usualKinds[code] ?? internalError.flatMap { Self.internalKinds[$0] } ?? .other,
            domain: MSALErrorDomain, code: code.rawValue,
            codeNames: ["\(code)"] + [internalError.map { "\($0)" }].compactMap(\.self), internalCode: internalCode)
    }

    init(
        _ code: MSALInternalError, kind: MSALFailureKind? = nil, _ reason: String, headline: String = "",
        next advice: String
    ) {
        self.init(.internal, internal: code.rawValue, kind: kind, reason, headline: headline, next: advice)
    }

    init(signInRequired reason: String, also advice: String = "") {
        self.init(.interactionRequired, reason, next: advice)
        nextStep = .signIn
    }
}

extension Failure {
    /// The kind of a code, unless the failure has another.
    private static let usualKinds: [MSALError: MSALFailureKind] = [
        .userCanceled: .canceled, .interactionRequired: .signInRequired, .serverDeclinedScopes: .declinedScopes,
        .workplaceJoinRequired: .rejected,
    ]

    private static let internalKinds: [MSALInternalError: MSALFailureKind] = [
        .internalErrorInvalidResponse: .protocolViolation, .internalErrorInvalidState: .protocolViolation,
        .internalErrorBrokerCorruptedResponse: .protocolViolation,
        .internalErrorFailedAuthorityValidation: .misconfigured, .internalErrorUnauthorizedClient: .misconfigured,
        .internalErrorRedirectSchemeNotRegistered: .misconfigured,
    ]

    private var usualHeadline: String {
        let byKind: String? =
            switch kind {
            case .unavailable: "Can't reach the authority."
            // With an OAuth error, the user declined on the authority's page.
            case .canceled: oauthError == nil ? "Sign-in cancelled." : "Sign-in declined."
            case .signInRequired: "Sign-in required."
            case .declinedScopes: "The authority didn't grant all scopes."
            case .misconfigured, .rejected, .protocolViolation, .store, .other: nil
            }
        return byKind ?? MSALError(rawValue: code).flatMap { Self.codeHeadlines[$0] }
            ?? internalCode.flatMap(MSALInternalError.init).flatMap { Self.headlines[$0] }
            ?? (kind == .protocolViolation ? "The server's response is invalid." : "The operation failed.")
    }

    /// The headline of a code that says more than the failure's kind.
    private static let codeHeadlines: [MSALError: String] = [
        .serverProtectionPoliciesRequired: "The organisation requires an app protection policy.",
        .workplaceJoinRequired: "The organisation requires a registered device.",
        .serverInvalidRequestResetPasswordRequired: "The user must change the password first.",
    ]

    private static let headlines: [MSALInternalError: String] = [
        .internalErrorInvalidClient: "The authority rejected this application.",
        .internalErrorUnauthorizedClient: "The authority rejected this application.",
        .internalErrorInvalidScope: "The authority doesn't know these scopes.",
        .internalErrorInvalidRequest: "The authority rejected the request as invalid.",
        .internalErrorInvalidGrant: "The authority rejected the sign-in.",
        .internalErrorAuthorizationFailed: "The authority denied authorization.",
        .internalErrorFailedAuthorityValidation: "Can't verify the authority.",
        .internalErrorMismatchedUser: "Another user signed in.",
        .internalErrorInteractiveSessionAlreadyRunning: "Another sign-in is running.",
        .internalErrorInvalidParameter: "The request is invalid.",
        .internalErrorUnhandledResponse: "The server rejected the request.",
    ]
}

/// Texts for servers to which the organisation grants access.
extension Failure {
    static func withoutMetadata(_ explanation: String, _ part: String) -> Texts {
        (
            explanation,
            "Check \(part). If it's right, register a client at its authority, and use --client-id ID --authority URL."
        )
    }

    static func otherAuthority(_ address: String, _ named: String, _ configured: String) -> Texts {
        (
            "\(address) names the authority \(named), but the profile \(configured) for this server.",
            "Nothing was sent to either. Ask your administrator, then correct managedServers in the profile."
        )
    }

    static func strangeAssertion(_ audience: String, _ issuer: String) -> Texts {
        (
            "The organisation's authority issued an assertion for \(audience) instead of \(issuer).",
            "Nothing was sent to either. Ask your organisation's administrator."
        )
    }
}
