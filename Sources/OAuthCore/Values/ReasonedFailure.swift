import Foundation

/// A failure of one of several kinds, with its cause in words. Contains no secret.
package struct ReasonedFailure<Cause: Sendable & Equatable>: LocalizedError, Sendable, Equatable {
    package typealias Kind = Cause

    package var kind: Kind
    /// The outcome and its cause, for the user.
    package var reason: String

    package init(_ kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }

    package var errorDescription: String? { reason }
}
