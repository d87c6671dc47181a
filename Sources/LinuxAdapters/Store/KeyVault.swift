/// Keeps the key that the credential store is sealed with.
package protocol KeyVault: Sendable {
    /// The 32 bytes of the key, made when there is none yet.
    func dataKey() throws(KeyVaultFailure) -> [UInt8]
}

/// The data key could not be had. Nothing was changed.
package struct KeyVaultFailure: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Others could read it, or it is a link.
        case unsafePermissions
        /// What is kept there is no key.
        case malformed
        case io
    }

    package var kind: Kind
    /// What, why and what next, for a person.
    package var reason: String

    package init(_ kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }
}
