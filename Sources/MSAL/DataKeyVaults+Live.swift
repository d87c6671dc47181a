import AuthEngine
import Foundation
import LinuxAdapters

extension DataKeyVaults {
    /// The sources of the encryption key that the cache configuration allows.
    static func live(for cache: MSALCacheConfig, store: URL) -> DataKeyVaults {
        DataKeyVaults(
            source: cache.keySource, keyFile: FileKeyVault(store: store),
            passphrase: cache.passphrase.map { PassphraseKeyVault($0) },
            previousPassphrase: cache.previousPassphrase.map { PassphraseKeyVault($0) },
            secretService: SecretServiceKeyVault(store: store.path(percentEncoded: false)))
    }
}
