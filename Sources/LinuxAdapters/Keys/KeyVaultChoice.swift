import AuthEngine

/// What is known when a store is opened.
package struct KeyVaultFacts: Sendable, Equatable {
    /// Where the store's key is; `nil` for a new store.
    package var recorded: DataKeyPlace?
    package var source: MSALCacheKeySource
    package var hasPassphrase: Bool
    /// `nil`: it has not been asked.
    package var secretService: SecretServiceState?

    package init(
        recorded: DataKeyPlace?, source: MSALCacheKeySource, hasPassphrase: Bool,
        secretService: SecretServiceState?
    ) {
        self.recorded = recorded
        self.source = source
        self.hasPassphrase = hasPassphrase
        self.secretService = secretService
    }
}

/// What the Secret Service said when asked.
package enum SecretServiceState: Sendable, Equatable {
    /// There, and its default collection is unlocked.
    case ready
    /// No bus, no service on it, no library for it, or no collection to store in: nobody set it up.
    case absent(String)
    case locked
    /// There, and of no use: it does not answer, or fails.
    case failing(String)
}

/// Which vault a store's key is to be in: Secret Service, else the passphrase, else a key file, for a new store; where the
/// record says, for one that has a key, until another place is configured by name.
///
/// A weaker place is never taken in silence. A store with a key in the Secret Service fails while that is out of reach,
/// and a new store does not get a key file while a Secret Service is there: only where there is none is a key file what
/// the order asks for, and then the record says why.
package enum KeyVaultChoice: Sendable, Equatable {
    /// `note`: why it is no better place, for a person; empty when there is nothing to say.
    case use(DataKeyPlace, note: String = "")
    /// The store's key is elsewhere than configured: seal it anew.
    case move(to: DataKeyPlace)
    /// The facts do not suffice: ask, and decide again.
    case askSecretService
    case refuse(KeyVaultFailure)

    package init(_ facts: KeyVaultFacts) {
        switch (facts.recorded, facts.source.place) {
        case (let recorded?, nil): self = .use(recorded)
        case (let recorded?, let wanted?): self = recorded == wanted ? .use(wanted) : .move(to: wanted)
        case (nil, let wanted?): self = .use(wanted)
        case (nil, nil): self = Self.forNewStore(facts)
        }
        if case .use(.passphrase, _) = self, !facts.hasPassphrase { self = .refuse(Self.passphraseMissing) }
        if case .move(.passphrase) = self, !facts.hasPassphrase { self = .refuse(Self.passphraseMissing) }
    }

    private static func forNewStore(_ facts: KeyVaultFacts) -> KeyVaultChoice {
        switch facts.secretService {
        case nil: return .askSecretService
        case .ready: return .use(.secretService)
        case .absent(let why): return .use(facts.hasPassphrase ? .passphrase : .keyFile, note: why)
        case .locked where facts.hasPassphrase: return .use(.passphrase, note: "The keyring was locked.")
        case .failing(let why) where facts.hasPassphrase: return .use(.passphrase, note: why)
        case .locked: return .refuse(.locked)
        case .failing(let why):
            return .refuse(
                KeyVaultFailure(
                    .unanswered,
                    reason: "\(why) Mend it, or configure where the token cache's key is to be: "
                        + "a passphrase or a key file."))
        }
    }

    private static let passphraseMissing = KeyVaultFailure(
        .missing, reason: "The token cache's key is to come from a passphrase, and none is configured. Configure one.")
}

extension KeyVaultFailure {
    static let locked = KeyVaultFailure(
        .locked,
        reason:
            "The keyring of this session is locked. Unlock it (signing in to the desktop does, or a keyring program) "
            + "and try again. For a new token cache a passphrase or a key file can be configured instead.")
}

extension MSALCacheKeySource {
    /// `nil`: not named.
    fileprivate var place: DataKeyPlace? {
        switch self {
        case .automatic: nil
        case .secretService: .secretService
        case .passphrase: .passphrase
        case .keyFile: .keyFile
        }
    }
}
