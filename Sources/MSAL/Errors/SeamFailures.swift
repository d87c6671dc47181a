import Foundation
import OAuthCore

/// The reason why a request got no response. Its words are the transport's, in one line, and contain nothing of the
/// request's or response's body.
package typealias TransportFailure = ReasonedFailure<TransportFailureKind>

package enum TransportFailureKind: Sendable, Equatable {
    /// The host has no address. The reason names it.
    case couldNotResolveHost
    /// No interface of this computer reaches others. The reason names the host.
    case offline
    case couldNotConnect
    /// The proxy that the environment's variable names is unreachable, no proxy, or rejects the connection. The request didn't
    /// reach the server.
    case proxy(variable: String)
    case timedOut, connectionLost, untrustedCertificate
    /// The file of certificate authorities is unusable or writable by other users. Nothing was sent.
    case unsafeAuthorities
    /// The URL is plain http on this computer, and no process of this user or root is known to hold its port.
    /// Nothing was sent.
    case foreignPort
    /// The URL is https, but the server responds in plain http. The reason names the host.
    case plainHTTP
    /// The reason names the host.
    case bodyTooLarge
    /// The HTTP library, or one that it needs, isn't installed. Debian's package has it.
    case libraryMissing(package: String)
    /// A limit of the process or the computer. The reason names it.
    case systemLimit
    case cancelled, other
}

/// The authorization response can't be received.
package struct RedirectReceiverFailure: Error, Sendable, Equatable {
    package var reason: String
    /// The redirect URI with its port if another process listens there.
    package var takenURI: URL?
    /// The process that listens there, if it runs this program: its sign-in will end.
    package var sibling: String?
    /// What to do about this cause; `nil`: use another address.
    package var remedy: String?

    package init(reason: String, takenURI: URL? = nil, sibling: String? = nil, remedy: String? = nil) {
        (self.reason, self.takenURI, self.sibling, self.remedy) = (reason, takenURI, sibling, remedy)
    }
}

/// The token store failed. Nothing was changed.
package typealias CredentialStoreFailure = ReasonedFailure<CredentialStoreFailureKind>

package enum CredentialStoreFailureKind: Sendable, Equatable {
    /// The file is foreign, damaged or encrypted with another key. It was renamed, not overwritten.
    case setAside(as: String)
    /// Some records are damaged. They were set aside; the others are intact.
    case damagedRecords
    /// The file or some records are damaged. They are unchanged, because the store is open read-only.
    case foundDamaged
    /// The store was replaced or restored to an earlier state.
    case notAsLeft
    /// Other users can read the file or its folder, or it is a link.
    case unsafePermissions
    case keyUnavailable
    /// Another process has locked the store for too long.
    case busy
    /// A newer version or another program wrote the file. It is unchanged.
    case unsupported
    case io
}

/// No key is available to bind a token to.
package struct ProofKeyFailure: Error, Sendable, Equatable {
    /// The outcome and its cause. Contains nothing of the key.
    package var reason: String
    /// The next step for this cause; `nil`: not to use bound tokens.
    package var remedy: String?

    package init(reason: String, remedy: String? = nil) {
        (self.reason, self.remedy) = (reason, remedy)
    }
}

/// The broker didn't respond. Errors in a response are not of this type. The words may contain text from the broker.
package typealias BrokerFailure = ReasonedFailure<BrokerFailureKind>

package enum BrokerFailureKind: Sendable, Equatable {
    case absent, unanswered
    /// The broker exited or restarted before it responded.
    case stopped
    /// The broker responded with a D-Bus error.
    case failed
    case cancelled
}
