import Foundation
import KeyturnCrypto
import MSAL

/// A store in a folder, as the torture processes open it.
struct Store {
    let folder: URL
    let source: MSALCacheKeySource

    init(_ folder: String, _ source: MSALCacheKeySource = .automatic) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory)
        self.source = source
    }

    var file: URL { folder.appending(path: "cache.db") }

    func open() -> SQLiteCredentialStore {
        // A passphrase with a low cost, which is not under test.
        let passphrase = Scrypt.Cost(n: 2, r: 1, p: 1).map { PassphraseKeyVault(.provider { "torture" }, cost: $0) }
        let keys = DataKeyVaults(
            source: source, keyFile: FileKeyVault(store: file),
            passphrase: source == .secretService ? nil : source == .automatic && !hasPassphrase ? nil : passphrase,
            secretService: SecretServiceKeyVault(store: file.path))
        return SQLiteCredentialStore(file: file, keys: keys, busySeconds: 60)
    }

    /// Set for `automatic` to have a passphrase too.
    var hasPassphrase = true

    static func record(_ account: String, client: String, part: Int = 0, value: String = "secret") -> CredentialRecord {
        CredentialRecord(
            CredentialKey(
                .idToken, homeAccountID: account, environment: "login.test", client: client, realm: "\(part)"),
            ["secret": .string(value), "filler": .string(String(repeating: "x", count: 300))])
    }
}
