import AuthEngine

/// Where a store's data key is. The texts stand in the store's file.
package enum DataKeyPlace: String, Sendable, CaseIterable {
    case secretService
    /// Nowhere: wrapped by a passphrase in the store's own record.
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
