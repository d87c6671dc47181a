/// How the token cache is protected at rest. Not in MSAL for iOS and macOS.
public struct MSALCacheProtection: Sendable, Equatable {
    /// Where the key is that the cache is sealed with, or that it is not sealed.
    public enum Kind: String, Sendable, CaseIterable {
        /// Sealed, the key in the desktop's keyring (freedesktop.org Secret Service).
        case keyring
        /// Sealed, the key derived from a passphrase each time.
        case passphrase
        /// Sealed, the key in a file that only its owner can read.
        case keyFile
        /// Not sealed: a file that programs with other MSAL libraries read too.
        case unifiedFile
        /// Not kept: it ends with the process.
        case memory
    }

    /// Where the key is.
    public let kind: Kind
    /// The cache's file; `nil` when it has none.
    public let path: String?
    /// One line for a person: where the key is, and why there.
    public let explanation: String

    /// Number of records that were put aside as damaged. Signing an account out deletes those of that account.
    public let damagedRecords: Int

    /// As somebody found it.
    public init(kind: Kind, path: String?, explanation: String, damagedRecords: Int = 0) {
        self.kind = kind
        self.path = path
        self.explanation = explanation
        self.damagedRecords = damagedRecords
    }
}
