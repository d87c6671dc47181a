import OAuthCore

/// Stores the keys that encrypt credential stores. Each has 32 random bytes and is found by its record. Throws
/// ``KeyVaultFailure``, or a ``CredentialStoreFailure`` of a file.
package protocol KeyVault: Sendable {
    /// Creates and stores a key.
    func make() throws -> StoredDataKey

    func dataKey(of record: DataKeyRecord) throws -> [UInt8]

    /// Deletes an unused key.
    func discard(_ record: DataKeyRecord) throws
}

/// The location of a store's key, which the store records unencrypted.
package struct DataKeyRecord: Sendable, Equatable {
    package var place: DataKeyPlace
    /// A random ID, unique for each key.
    package var id: String
    /// The data with which the vault finds or decrypts the key. Never the key itself.
    package var parameters: [String: JSONValue] = [:]
    /// The reason why the key isn't in a better location.
    package var note = ""
}

package struct StoredDataKey: Sendable {
    package var key: [UInt8]
    package var record: DataKeyRecord
}

/// The key isn't available. Nothing was changed.
package typealias KeyVaultFailure = ReasonedFailure<KeyVaultFailureKind>

extension KeyVaultFailure {
    /// The next step if the key can't be restored.
    static let startAgain = "Move all cache files away and sign in again."
    static let configureOne = "Set passphraseFile in the configuration."
}

package enum KeyVaultFailureKind: Sendable, Equatable {
    /// Other users can read the key, or it is a link.
    case unsafePermissions
    /// The stored data isn't a key.
    case malformed
    case missing
    case locked
    /// The vault doesn't exist or isn't set up.
    case absent
    case unanswered
    case wrongPassphrase
    case io
}

/// The location of a store's encryption key. Raw values are stored in the file.
package enum DataKeyPlace: String, Sendable, CaseIterable {
    case secretService
    /// In the store's own record, encrypted with a passphrase.
    case passphrase
    case keyFile

    package var protection: MSALCacheProtection.Kind {
        switch self {
        case .secretService: .keyring
        case .passphrase: .passphrase
        case .keyFile: .keyFile
        }
    }
}
