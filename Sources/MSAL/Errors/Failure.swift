import Foundation
import OAuthCore

/// A failure for its readers: what happened, why, what to do next, and the codes to quote to support.
///
/// The engine makes it of an ``AuthenticationFailure``, with all its texts. The error that the library throws carries it
/// (``MSALAuthenticationError``), and the command line and the screens read it there. The program's own failures are
/// values of this type from the start.
package struct Failure: Error, Sendable, Equatable {
    package var kind: MSALFailureKind
    package var headline: String
    /// The outcome and its cause. May contain text from a server.
    package var reason: String
    package var nextStep: NextStep
    /// What to do, besides the next step. The same words for every reader; may be empty.
    package var advice: String
    /// Whether no dictionary has better advice, because the failure knows who can mend it.
    package var hasOwnAdvice = false
    package var domain: String
    package var code: Int
    /// The names of `code` and `internalCode`, such as `internal` and `internalErrorInvalidRequest`.
    package var codeNames: [String]
    /// An ``MSALInternalError``, or one of the ``MSALError`` codes reported in its place (-50006, -50007).
    package var internalCode: Int?
    package var oauthError: String?
    package var oauthSubError: String?
    /// The AADSTS codes, for example 50058.
    package var serviceCodes: [Int]
    package var correlationID: String?
    /// Seconds to wait before the next request.
    package var retryAfter: Double?
    package var date: Date?
    /// What the user is asked before a repetition can succeed.
    package var agreement: MSALTokenAgreement?

    /// - Parameter nextStep: `nil` for the one of this kind and code.
    package init(
        headline: String, reason: String, nextStep: NextStep? = nil, advice: String = "",
        kind: MSALFailureKind = .other, domain: String = "", code: Int = 0, codeNames: [String] = [],
        internalCode: Int? = nil, oauthError: String? = nil, oauthSubError: String? = nil, serviceCodes: [Int] = [],
        correlationID: String? = nil, date: Date? = nil, retryAfter: Double? = nil
    ) {
        (self.headline, self.reason, self.advice, self.kind) = (headline, reason, advice, kind)
        self.nextStep = nextStep ?? NextStep(after: kind, internalCode)
        (self.domain, self.code, self.codeNames, self.internalCode) = (domain, code, codeNames, internalCode)
        (self.oauthError, self.oauthSubError, self.serviceCodes) = (oauthError, oauthSubError, serviceCodes)
        (self.correlationID, self.date, self.retryAfter) = (correlationID, date, retryAfter)
    }

    /// What an error says: the failure that it carries, or the words of a foreign error.
    package init(_ error: any Error) {
        let bridged = error as NSError
        self =
            error as? Failure ?? bridged.userInfo[Self.key] as? Failure
            ?? Failure(
                headline: "The operation failed.", reason: bridged.localizedDescription,
                advice: bridged.localizedRecoverySuggestion ?? "", domain: bridged.domain, code: bridged.code)
    }

    package static let key = "MSALFailureKey"

    /// A stable name for scripts: of the internal error, or else of the error.
    package var name: String { codeNames.last ?? (domain == MSALErrorDomain ? "unknown" : domain) }

    /// The failure as its reader is told it: the advice begins with the next step, in the reader's words.
    package func told(_ words: (NextStep) -> String) -> Failure {
        var told = self
        told.advice = [words(nextStep), advice].filter { !$0.isEmpty }.joined(separator: " ")
        if nextStep == .signIn { told.nextStep = .signInAsAdvised }
        return told
    }

    /// The reason without the outcome, which the headline states. Empty if there is no more.
    package var cause: String { Self.cause(in: reason, after: headline) }

    package static func cause(in reason: String, after headline: String) -> String {
        let outcome = headline.hasSuffix(".") ? headline.dropLast() : headline[...]
        guard reason.hasPrefix(outcome) else { return reason }
        let rest = reason.dropFirst(outcome.count)
        if rest.isEmpty || rest == "." { return "" }
        guard rest.hasPrefix(": ") || rest.hasPrefix(". ") else { return reason }
        return sentence(String(rest.dropFirst(2)))
    }

    /// The text with a capital letter, unless it begins with a name as typed, such as a URL or an error code.
    private static func sentence(_ text: String) -> String {
        let word = text.prefix { $0 != " " }.trimmingCharacters(in: ["."])
        guard word.allSatisfy({ $0.isLetter || $0 == "'" || $0 == "," }) else { return text }
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

extension Failure {
    /// What the reader can do next. Each reader has its own words: the library names a request, the command line a command, and
    /// a screen a key.
    package enum NextStep: Sendable, Equatable, CaseIterable {
        /// Sign in, with the user present.
        case signIn
        /// Sign in as the advice says.
        case signInAsAdvised
        case tryAgain, check
        /// Change the sign-in method, scopes or tenant.
        case changeRequest
        /// Change the client ID, authority or redirect URI.
        case changeProfile
        case chooseProfile

        /// The usual next step after a failure.
        init(after kind: MSALFailureKind, _ internalCode: Int?) {
            let code = internalCode.flatMap(MSALInternalError.init)
            self =
                switch kind {
                case .signInRequired: .signInAsAdvised
                // The check also covers the redirect URI and its registration.
                case .misconfigured: code.map(Self.ofProfile.contains) == true ? .changeProfile : .check
                case .rejected, .protocolViolation, .unavailable, .canceled, .declinedScopes, .store, .other:
                    code.map(Self.ofRequest.contains) == true ? .changeRequest : .tryAgain
                }
        }

        /// The codes of failures that another profile can prevent.
        private static let ofProfile: [MSALInternalError] = [
            .internalErrorInvalidClient, .internalErrorUnauthorizedClient, .internalErrorFailedAuthorityValidation,
            .internalErrorUnhandledResponse,
        ]

        /// The codes of failures that another request can prevent.
        private static let ofRequest: [MSALInternalError] = [
            .internalErrorInvalidScope, .internalErrorInvalidParameter, .internalErrorMismatchedUser,
        ]

        /// The library's words. Empty where the advice says it all.
        package var sentence: String {
            switch self {
            case .signIn: "Sign in interactively."
            case .signInAsAdvised, .tryAgain, .check, .changeRequest, .changeProfile, .chooseProfile: ""
            }
        }
    }
}

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
        case .network(let failure, let host):
            Failure(
                .internalErrorUnexpected, kind: failure.meaning.kind, failure.sentence(host: host),
                headline: failure.headline(host: host), next: failure.nextStep)
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
            codeNames: ["\(code)", internalError.map { "\($0)" }].compactMap(\.self), internalCode: internalCode)
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
