import Foundation

/// The reason why the server can't listen.
package struct LoopbackServerFailure: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case portTaken(UInt16)
        /// libmicrohttpd isn't installed.
        case libraryMissing
        case io
    }

    package var kind: Kind
    /// The outcome and its cause, in one line.
    package var reason: String

    package init(_ kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

/// For callers that don't know the type of the server.
extension LoopbackServerFailure: LocalizedError {
    package var errorDescription: String? { reason }
}
