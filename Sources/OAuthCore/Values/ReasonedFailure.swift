import Foundation

/// A failure of one of several kinds, with its cause in words. Contains no secret.
package struct ReasonedFailure<Cause: Sendable & Equatable>: LocalizedError, Sendable, Equatable {
    package typealias Kind = Cause

    package var kind: Kind
    package var reason: String
    /// The next step for this cause; `nil`: the usual one of the kind.
    package var remedy: String?

    package init(_ kind: Kind, reason: String, remedy: String? = nil) {
        (self.kind, self.reason, self.remedy) = (kind, reason, remedy)
    }

    package var errorDescription: String? { reason }
    package var recoverySuggestion: String? { remedy }
}
