import AuthEngine
import Foundation

/// A failure: what happened, why, what next, and the codes to quote to support.
package struct ErrorReport: Error, Sendable, Equatable {
    /// The outcome in one sentence.
    package var headline: String
    package var reason: String
    /// The library's advice as a sentence; may be empty.
    package var advice: String
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
}

package typealias Outcome<Value> = Result<Value, ErrorReport>
