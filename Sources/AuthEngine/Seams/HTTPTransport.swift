import OAuthCore

/// Sends one request and gives back the answer, whatever its status. Redirects are not followed.
///
/// A request that spends something (``HTTPRequest/isSpending``) goes out at most once.
///
/// Cancelling the calling task ends the exchange with ``TransportFailure/Kind/cancelled``.
package protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
}

/// Why no answer came.
package struct TransportFailure: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case couldNotResolveHost
        case couldNotConnect
        case timedOut
        case connectionLost
        case untrustedCertificate
        /// The file of certificate authorities cannot be used, or other users can change it. Nothing was sent.
        case unsafeAuthorities
        /// The address is plain http on this computer, and its port is not known to be held by a process of this user or
        /// root. Nothing was sent.
        case foreignPort
        /// The address is https, and the server answers in plain http.
        case plainHTTP
        case bodyTooLarge
        case cancelled
        case other
    }

    package var kind: Kind
    /// One line for a person: what the medium said. Never holds anything of the request's or the response's body.
    package var detail: String

    package init(_ kind: Kind, detail: String) {
        self.kind = kind
        self.detail = detail
    }
}
