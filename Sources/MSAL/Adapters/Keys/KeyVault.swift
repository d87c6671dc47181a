import Glibc
import KeyturnCrypto
import OAuthCore

/// Keys have 32 random bytes. Throws ``KeyVaultFailure``, or a ``CredentialStoreFailure`` of a file.
package protocol KeyVault: Sendable {
    func make() throws -> StoredDataKey

    func dataKey(of record: DataKeyRecord) throws -> [UInt8]

    /// Deletes an unused key.
    func discard(_ record: DataKeyRecord) throws
}

/// The location of a store's key, which the store records unencrypted.
package struct DataKeyRecord: Sendable, Equatable {
    package var place: DataKeyPlace
    package var id: String
    /// The data with which the vault finds or decrypts the key. Never the key itself.
    package var parameters: [String: JSONValue] = [:]
    /// The reason why the key isn't in a better location.
    package var note = ""
}

package struct StoredDataKey: Sendable {
    package var key: [UInt8]
    package var record: DataKeyRecord

    /// A random key with a random ID.
    static func new(_ place: DataKeyPlace) -> StoredDataKey {
        let random = SystemRandom()
        return StoredDataKey(
            key: random.bytes(AES256GCM.keyLength),
            record: DataKeyRecord(place: place, id: Base64URL.encode(random.bytes(12))))
    }
}

/// The key isn't available. Nothing was changed.
package typealias KeyVaultFailure = ReasonedFailure<KeyVaultFailureKind>

extension KeyVaultFailure {
    static let startAgain = "Move all cache files away and sign in again."
    static let configureOne = "Set passphraseFile in the configuration."
}

package enum KeyVaultFailureKind: Sendable, Equatable {
    /// Other users can read the key, or it is a link.
    case unsafePermissions
    case malformed
    case missing
    case locked
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

extension Array where Element: FixedWidthInteger {
    /// Overwrites the elements with zeros, except in memory that another array shares, and empties the array.
    mutating func erase() {
        withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
        removeAll()
    }
}
