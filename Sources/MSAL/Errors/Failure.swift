import Foundation

/// A failure for its readers: what happened, why, what to do next, and the codes to quote to support.
///
/// The engine makes it of an ``AuthenticationFailure``, with all its texts. The error that the library throws carries it
/// (``MSALAuthenticationError``), and the command line and the screens read it there. The program's own failures are
/// values of this type from the start.
package struct Failure: Error, Sendable, Equatable {
    package var kind: MSALFailureKind
    /// The outcome in one sentence.
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
    /// When it was reported, if that is known.
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
        self.kind = kind
        self.headline = headline
        self.reason = reason
        self.nextStep = nextStep ?? NextStep(after: kind, internalCode)
        self.advice = advice
        self.domain = domain
        self.code = code
        self.codeNames = codeNames
        self.internalCode = internalCode
        self.oauthError = oauthError
        self.oauthSubError = oauthSubError
        self.serviceCodes = serviceCodes
        self.correlationID = correlationID
        self.date = date
        self.retryAfter = retryAfter
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

    /// The key of the failure in an error's `userInfo`.
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
