package struct DataKeyVaults: Sendable {
    private let source: MSALCacheKeySource
    private let keyFile: FileKeyVault
    private let passphrase: PassphraseKeyVault?
    private let previousPassphrase: PassphraseKeyVault?
    private let secretService: SecretServiceKeyVault

    package init(
        source: MSALCacheKeySource, keyFile: FileKeyVault, passphrase: PassphraseKeyVault?,
        previousPassphrase: PassphraseKeyVault? = nil, secretService: SecretServiceKeyVault
    ) {
        (self.source, self.keyFile, self.passphrase) = (source, keyFile, passphrase)
        (self.previousPassphrase, self.secretService) = (previousPassphrase, secretService)
    }

    /// Decides where the key belongs. Queries the Secret Service only if necessary.
    func decide(recorded: DataKeyPlace?) -> KeyVaultChoice {
        var facts = KeyVaultFacts(
            recorded: recorded, source: source, hasPassphrase: passphrase != nil, secretService: nil)
        let choice = KeyVaultChoice(facts)
        guard choice == .checkSecretService else { return choice }
        facts.secretService = secretService.state()
        return KeyVaultChoice(facts)
    }

    func make(at place: DataKeyPlace, note: String) throws -> StoredDataKey {
        var stored = try vault(place).make()
        stored.record.note = note
        return stored
    }

    /// Returns the key of a record. `isCurrent` is `false` when only the previous passphrase opens it.
    func dataKey(of record: DataKeyRecord) throws -> (stored: StoredDataKey, isCurrent: Bool) {
        do {
            return (StoredDataKey(key: try vault(record.place).dataKey(of: record), record: record), true)
        } catch let failure as KeyVaultFailure where failure.kind == .wrongPassphrase {
            guard let previousPassphrase else { throw failure }
            return (StoredDataKey(key: try previousPassphrase.dataKey(of: record), record: record), false)
        }
    }

    func discard(_ record: DataKeyRecord) throws { try vault(record.place).discard(record) }

    private func vault(_ place: DataKeyPlace) throws -> any KeyVault {
        switch place {
        case .secretService: return secretService
        case .keyFile: return keyFile
        case .passphrase: if let passphrase { return passphrase }
        }
        throw KeyVaultFailure(
            .missing, reason: "The token cache needs a passphrase, but none is configured.",
            remedy: KeyVaultFailure.configureOne)
    }
}
