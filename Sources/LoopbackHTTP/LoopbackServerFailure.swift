import Foundation

/// Why nothing listens.
package struct LoopbackServerFailure: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case portTaken(UInt16)
        /// libmicrohttpd is not installed.
        case libraryMissing
        case io
    }

    package var kind: Kind
    /// What and why, in one line for a person.
    package var reason: String

    package init(_ kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

/// For whoever starts a server without knowing what it listens with.
extension LoopbackServerFailure: LocalizedError {
    package var errorDescription: String? { reason }
}
