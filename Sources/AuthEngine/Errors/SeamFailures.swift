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

/// The browser's answer cannot be received.
package struct RedirectReceiverFailure: Error, Sendable, Equatable {
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// The store could not be used. Nothing was changed.
package struct CredentialStoreFailure: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The file is not ours, is damaged, or is sealed with another key. It was set aside, not overwritten.
        case setAside(as: String)
        /// Some records are not what was written. They were put aside; the others are intact.
        case damagedRecords
        /// The file or some records are damaged. They were left as they are: this call only looks.
        case foundDamaged
        /// The store is not the one that was left here: it was replaced, or put back to an earlier state.
        case notAsLeft
        /// Others could read the file or its folder, or it is a link.
        case unsafePermissions
        /// The data key could not be had.
        case keyUnavailable
        /// Another process holds the store for too long.
        case busy
        /// Reading or writing failed.
        case io
    }

    package var kind: Kind
    /// What and why, for a person. What became of the file stands in ``kind``.
    package var reason: String

    package init(_ kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

/// There is no key to bind a token to.
package struct ProofKeyFailure: Error, Sendable, Equatable {
    /// What happened and why, for a person. Never anything of the key.
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// The broker gave no answer. What an answer says is no failure of this kind.
package struct BrokerFailure: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// There was none, after all.
        case absent
        case unanswered
        /// It ended, or was restarted, before it answered.
        case stopped
        /// It answered with an error of the bus.
        case failed
        case cancelled
    }

    package var kind: Kind
    /// What and why, as a sentence. It may hold the broker's words.
    package var reason: String

    package init(_ kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }
}
