import AuthEngine

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
