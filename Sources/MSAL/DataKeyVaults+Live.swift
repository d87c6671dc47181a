import AuthEngine
import Foundation
import LinuxAdapters

extension DataKeyVaults {
    /// What an application's configuration says of the key of its cache.
    static func live(for cache: MSALCacheConfig, store: URL) -> DataKeyVaults {
        DataKeyVaults(
            source: cache.keySource, keyFile: FileKeyVault(store: store),
            passphrase: cache.passphrase.map { PassphraseKeyVault($0) },
            previousPassphrase: cache.previousPassphrase.map { PassphraseKeyVault($0) },
            secretService: SecretServiceKeyVault(store: store.path(percentEncoded: false)))
    }
}
