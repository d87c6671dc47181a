import AuthEngine
import Foundation

/// A failure in a person's terms and in the program's: what happened, why, what next; and what to quote to support.
package struct ErrorReport: Error, Sendable, Equatable {
    /// What happened, in one sentence.
    package var headline: String
    package var reason: String
    /// What the library says to do, as a sentence; it may be empty.
    package var advice: String
    /// What helps follows from it.
    package var kind: MSALFailureKind
    package var domain: String
    package var code: Int
    /// The names of `code` and of the code within it, such as `internal` and `internalErrorInvalidRequest`.
    package var codeNames: [String]
    package var internalCode: Int?
    package var oauthError: String?
    package var oauthSubError: String?
    /// The security token service's numbers, as in AADSTS50058.
    package var serviceCodes: [Int]
    package var correlationID: String?
    package var date: Date
    /// Until then the server wants no further request.
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
}

package typealias Outcome<Value> = Result<Value, ErrorReport>
