import Diagnosis
import Foundation
import MSAL

/// A failure: what happened, why, what next, and the codes to quote to support.
package struct ErrorReport: Error, Sendable, Equatable {
    /// The outcome in one sentence.
    package var headline: String
    package var reason: String
    /// The library's advice as a sentence; may be empty.
    package var advice: String
    /// Whether another profile has the account.
    package var belongsToAnotherProfile = false
    /// The kind of failure, which determines the next step.
    package var kind: MSALFailureKind
    package var domain: String
    package var code: Int
    /// The names of `code` and `internalCode`, such as `internal` and `internalErrorInvalidRequest`.
    package var codeNames: [String]
    package var internalCode: Int?
    package var oauthError: String?
    package var oauthSubError: String?
    /// The AADSTS codes, for example 50058.
    package var serviceCodes: [Int]
    package var correlationID: String?
    package var date: Date
    /// The time before which the server accepts no further request.
    package var retryDate: Date?

    package init(
        headline: String, reason: String, advice: String = "", kind: MSALFailureKind = .other, domain: String,
        code: Int,
        codeNames: [String] = [], internalCode: Int? = nil, oauthError: String? = nil, oauthSubError: String? = nil,
        serviceCodes: [Int] = [], correlationID: String? = nil, date: Date, retryDate: Date? = nil
    ) {
        self.headline = headline
        self.reason = reason
        self.advice = advice
        self.kind = kind
        self.domain = domain
        self.code = code
        self.codeNames = codeNames
        self.internalCode = internalCode
        self.oauthError = oauthError
        self.oauthSubError = oauthSubError
        self.serviceCodes = serviceCodes
        self.correlationID = correlationID
        self.date = date
        self.retryDate = retryDate
    }

    /// Codes and times to quote to support. Contains no secrets.
    func facts(in zone: TimeZone) -> [(name: String, value: String?)] {
        let sub = oauthSubError.map { " (\($0))" } ?? ""
        return [
            ("Code", ([domain, "\(code)"] + codeNames.prefix(1)).joined(separator: " ")),
            ("Internal code", internalCode.map { "\($0) \(codeNames.dropFirst().first ?? "")" }),
            ("OAuth error", oauthError.map { $0 + sub }),
            ("AADSTS", serviceCodes.map(String.init).joined(separator: ", ")),
            ("Correlation ID", correlationID),
            ("Time", Moment.utc(date)),
            ("Local time", Moment.local(date, in: zone)),
        ]
    }

    /// The dictionary entries of the error's codes, the most specific first.
    var explanations: [ErrorDictionary.Entry] {
        let dictionary = ErrorDictionary.bundled
        let named =
            [oauthSubError.flatMap { dictionary.entry(.suberror, $0) }]
            + [oauthError.flatMap { dictionary.entry(.oauth, $0) }]
            + [internalCode.flatMap { dictionary.entry(msal: $0) }, dictionary.entry(msal: code)]
        // An authorization response has AADSTS codes in its text only.
        let told = ErrorDictionary.codes(in: reason).compactMap { dictionary.entry($0.kind, $0.number) }
        let listed = serviceCodes.compactMap { dictionary.entry(sts: $0) }
        return listed + told.filter { !listed.contains($0) } + named.compactMap { $0 }
    }

    /// The codes with their meanings.
    var meanings: [(name: String, value: String?)] { explanations.map { ($0.code, $0.meaning) } }

    /// The library's advice, or else the first dictionary entry's next step.
    var bestAdvice: String { advice.isEmpty ? explanations.first?.nextStep ?? "" : advice }

    /// The whole report as plain text, for copying.
    package func text(in zone: TimeZone) -> String {
        let told =
            [("Why", reason), ("Next", bestAdvice)] + (facts(in: zone) + meanings).map { ($0.name, $0.value ?? "") }
        return ([headline] + told.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }).joined(separator: "\n") + "\n"
    }

    /// The reason without the outcome, which the headline states. Empty if there is no more.
    var cause: String { Self.cause(in: reason, after: headline) }

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

    /// The outcome, cause and advice in one paragraph.
    var paragraph: String { [headline, cause, advice].filter { !$0.isEmpty }.joined(separator: " ") }

    /// The report's lines in line mode.
    var lines: [String] { ["Error: \(paragraph)"] }
}

package typealias Outcome<Value> = Result<Value, ErrorReport>

extension ErrorReport {
    /// The report for an error thrown by the library.
    package init(_ error: NSError, at date: Date) {
        let info = error.userInfo
        let internalCode = info[MSALInternalErrorCodeKey] as? Int
        let code = error.domain == MSALErrorDomain ? MSALError(rawValue: error.code) : nil
        self.init(
            headline: Self.headline(of: error),
            reason: error.localizedDescription,
            advice: error.localizedRecoverySuggestion ?? "",
            kind: error.failureKind,
            domain: error.domain,
            code: error.code,
            codeNames: [code.map { "\($0)" }, internalCode.flatMap(MSALInternalError.init).map { "\($0)" }]
                .compactMap { $0 },
            internalCode: internalCode,
            oauthError: info[MSALOAuthErrorKey] as? String,
            oauthSubError: info[MSALOAuthSubErrorKey] as? String,
            serviceCodes: info[MSALSTSErrorCodesKey] as? [Int] ?? [],
            correlationID: info[MSALCorrelationIDKey] as? String,
            date: date, retryDate: (info[MSALRetryAfterKey] as? Double).map(date.addingTimeInterval))
    }

    /// The outcome of a library error, in one sentence.
    package static func headline(of error: NSError) -> String {
        let code = error.domain == MSALErrorDomain ? MSALError(rawValue: error.code) : nil
        let internalCode = (error.userInfo[MSALInternalErrorCodeKey] as? Int).flatMap(MSALInternalError.init)
        return error.userInfo[MSALHeadlineKey] as? String ?? Self.headline(error) ?? code.flatMap(Self.headline)
            ?? internalCode.flatMap { Self.headlines[$0] }
            ?? (error.failureKind == .protocolViolation
                ? "The server's response is invalid." : "The operation failed.")
    }

    /// The headline by failure kind.
    private static func headline(_ error: NSError) -> String? {
        let info = error.userInfo
        switch error.failureKind {
        case .unavailable: return "Can't reach the authority."
        // With an OAuth error, the user declined on the authority's page.
        case .canceled:
            return info[MSALOAuthErrorKey] == nil ? "Sign-in cancelled." : "Sign-in declined."
        case .signInRequired: return "Sign-in required."
        case .declinedScopes: return "The authority didn't grant all scopes."
        case .store:
            let underlying = info[NSUnderlyingErrorKey] as? NSError
            return underlying?.domain == "NSOSStatusErrorDomain" ? storeHeadlines[underlying?.code ?? 0] : nil
        case .misconfigured, .rejected, .protocolViolation, .other: return nil
        }
    }

    /// The headline of a store failure, by the equivalent keychain status (docs/upstream-behaviour.md §6.2).
    private static let storeHeadlines = [
        -26275: "The token cache is damaged.", -25295: "The token cache may have been replaced.",
        -61: "A credential file isn't safe.", -25308: "The token cache's key isn't available.",
        -25291: "The token cache is busy.", -36: "The token cache can't be used.",
    ]

    private static func headline(_ code: MSALError) -> String? {
        switch code {
        case .serverProtectionPoliciesRequired: "The organisation requires an app protection policy."
        case .workplaceJoinRequired: "The organisation requires a registered device."
        case .serverInvalidRequestResetPasswordRequired: "The user must change the password first."
        case .internal, .interactionRequired, .serverDeclinedScopes, .userCanceled, .serverError,
            .insufficientDeviceStrength, .mdmEnrollmentCompletedNeedsRetry:
            nil
        }
    }

    /// The headline of a code that says more than the failure's kind.
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
