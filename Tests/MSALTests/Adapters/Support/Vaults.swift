import Foundation
import KeyturnCrypto
import MSAL
import OAuthCore

extension Scrypt.Cost {
    /// Cheap parameters for tests that do not concern the cost.
    static let least: Scrypt.Cost? = Scrypt.Cost(n: 2, r: 1, p: 1)
}

extension DataKeyVaults {
    /// The vaults of `cache.db` in a folder. Their bus is empty.
    static func of(
        _ folder: TemporaryFolder, _ source: MSALCacheKeySource = .keyFile, passphrase: String? = nil,
        previous: String? = nil
    ) -> DataKeyVaults {
        let store = folder.file("cache.db")
        let vault = { (text: String) in
            Scrypt.Cost.least.map { PassphraseKeyVault(.provider { text }, cost: $0) }
        }
        return DataKeyVaults(
            source: source, keyFile: FileKeyVault(store: store),
            passphrase: passphrase.flatMap(vault), previousPassphrase: previous.flatMap(vault),
            secretService: SecretServiceKeyVault(store: store.path))
    }
}

extension SQLiteCredentialStore {
    static func of(
        _ folder: TemporaryFolder, _ source: MSALCacheKeySource = .keyFile, passphrase: String? = nil,
        previous: String? = nil, access: CredentialStoreAccess = .full
    ) -> SQLiteCredentialStore {
        SQLiteCredentialStore(
            file: folder.file("cache.db"), keys: .of(folder, source, passphrase: passphrase, previous: previous),
            busySeconds: 60, access: access)
    }

    func save(_ records: CredentialRecord...) throws {
        try update(matching: CredentialQuery(kinds: [])) { _ in records.map(CredentialChange.save) }
    }

    func all() throws -> [CredentialRecord] { try records(matching: CredentialQuery()) }
}

extension CredentialRecord {
    static func test(
        _ kind: CredentialKey.Kind = .refreshToken, _ account: String = "uid.utid", client: String = "app",
        target: String = "", secret: String = "token-of-the-person"
    ) -> CredentialRecord {
        CredentialRecord(
            CredentialKey(kind, homeAccountID: account, environment: "login.test", client: client, target: target),
            ["secret": .string(secret), "unknown_member": ["kept": [1, .number(2.5), .null, true]]])
    }
}

extension TemporaryFolder {
    /// The concatenated content of the files of `cache.db`.
    func storeBytes() throws -> Data {
        try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasPrefix("cache.db") }.sorted()
            .reduce(into: Data()) { $0.append(try Data(contentsOf: file($1))) }
    }

    func keyFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".key") }.sorted()
    }
}
