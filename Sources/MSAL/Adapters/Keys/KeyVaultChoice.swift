package struct KeyVaultFacts: Sendable, Equatable {
    /// The location of the store's key, or `nil` for a new store.
    package var recorded: DataKeyPlace?
    package var source: MSALCacheKeySource
    package var hasPassphrase: Bool
    /// `nil` before the Secret Service was queried.
    package var secretService: SecretServiceState?
}

package enum SecretServiceState: Sendable, Equatable {
    /// Available, with an unlocked default collection.
    case ready
    /// Not set up: no bus, service, library or collection.
    case absent(String)
    case locked
    case failing(String)
}

/// The choice of the vault for a store's key: for a new store the Secret Service, else the passphrase, else a key file.
/// An existing key stays until another location is configured. Never falls back silently to a weaker location: a key in
/// the Secret Service is required, and a key file is used only without a Secret Service, with the reason recorded.
package enum KeyVaultChoice: Sendable, Equatable {
    /// `note`: the reason why it isn't a better location, or empty.
    case use(DataKeyPlace, note: String = "")
    /// The key isn't where it is configured to be. Encrypt the store again with a new key.
    case move(to: DataKeyPlace)
    case checkSecretService
    case reject(KeyVaultFailure)

    package init(_ facts: KeyVaultFacts) {
        let wanted: DataKeyPlace? =
            switch facts.source {
            case .automatic: nil
            case .secretService: .secretService
            case .passphrase: .passphrase
            case .keyFile: .keyFile
            }
        switch (facts.recorded, wanted) {
        case (let recorded?, nil): self = .use(recorded)
        case (let recorded?, let wanted?): self = recorded == wanted ? .use(wanted) : .move(to: wanted)
        case (nil, let wanted?): self = .use(wanted)
        case (nil, nil): self = Self.forNewStore(facts)
        }
        if case .use(.passphrase, _) = self, !facts.hasPassphrase { self = .reject(Self.passphraseMissing) }
        if case .move(.passphrase) = self, !facts.hasPassphrase { self = .reject(Self.passphraseMissing) }
    }

    private static func forNewStore(_ facts: KeyVaultFacts) -> KeyVaultChoice {
        switch facts.secretService {
        case nil: return .checkSecretService
        case .ready: return .use(.secretService)
        case .absent(let why): return .use(facts.hasPassphrase ? .passphrase : .keyFile, note: why)
        case .locked where facts.hasPassphrase: return .use(.passphrase, note: "The keyring was locked.")
        case .failing(let why) where facts.hasPassphrase: return .use(.passphrase, note: why)
        case .locked: return .reject(.locked)
        case .failing(let why):
            return .reject(
                KeyVaultFailure(
                    .unanswered, reason: why,
                    remedy: "Repair it, or configure another location for the token cache's key: a passphrase or a key "
                        + "file."))
        }
    }

    private static let passphraseMissing = KeyVaultFailure(
        .missing, reason: "The token cache's key needs a passphrase, but none is configured.",
        remedy: KeyVaultFailure.configureOne)
}

extension KeyVaultFailure {
    static var locked: KeyVaultFailure {
        KeyVaultFailure(
            .locked, reason: "The keyring of this session is locked.",
            remedy:
                "Unlock it with a desktop login or a keyring program, and try again. Or configure a passphrase or a "
                + "key file for a new token cache.")
    }
}
