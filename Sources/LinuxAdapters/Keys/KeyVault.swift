import AuthEngine
import OAuthCore

/// Keeps the keys that credential stores are sealed with: each is 32 random bytes, found again by its record.
package protocol KeyVault: Sendable {
    /// Makes a new key and keeps it.
    func make() throws(KeyVaultFailure) -> KeptDataKey

    func dataKey(of record: DataKeyRecord) throws(KeyVaultFailure) -> [UInt8]

    /// Forgets a key that seals nothing any more.
    func discard(_ record: DataKeyRecord) throws(KeyVaultFailure)
}

/// Where the data key of a store is kept: what the store writes down, in the clear, to find its key again.
package struct DataKeyRecord: Sendable, Equatable {
    package var place: DataKeyPlace
    /// Random, and another one for every key: it tells one key from the next.
    package var id: String
    /// What the vault needs to find or unwrap the key. Never the key itself.
    package var parameters: [String: JSONValue]
    /// Why the key is here and not in a better place, for a person.
    package var note: String

    package init(
        _ place: DataKeyPlace, id: String, parameters: [String: JSONValue] = [:], note: String = ""
    ) {
        self.place = place
        self.id = id
        self.parameters = parameters
        self.note = note
    }
}

package struct KeptDataKey: Sendable {
    package var key: [UInt8]
    package var record: DataKeyRecord

    package init(key: [UInt8], record: DataKeyRecord) {
        self.key = key
        self.record = record
    }
}

/// The data key could not be had. Nothing was changed.
package struct KeyVaultFailure: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Others could read it, or it is a link.
        case unsafePermissions
        /// What is kept there is no key.
        case malformed
        /// The vault can be used, and the key is not in it.
        case missing
        /// The vault is there, and closed.
        case locked
        /// The vault is not there, or not set up.
        case absent
        /// The vault did not answer in time.
        case unanswered
        case wrongPassphrase
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
