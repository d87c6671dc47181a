import Foundation

extension Dependencies {
    /// The live adapters of this machine. Nothing is opened or loaded before its first use.
    static func live(
        for configuration: MSALPublicClientApplicationConfig, applicationName: String? = nil,
        environment: [String: String]
    ) -> Dependencies {
        let http = configuration.httpSettings
        let directories = XDGDirectories(environment: environment)
        let cache = configuration.cacheConfig
        let store = cache.storeURL ?? directories.state.appending(path: "\(cache.keychainSharingGroup).db")
        let credentials = credentials(of: cache, database: store)
        return Dependencies(
            time: SystemTime(), random: SystemRandom(),
            transport: CurlTransport(
                named: http.certificateAuthorityFile, environment: environment,
                limits: CurlTransport.Limits(
                    totalSeconds: http.timeoutIntervalForRequest, isUsual: http.chosenTimeout == nil)),
            browser: SystemBrowser(configured: configuration.browser, environment: environment),
            receiver: RoutingReceiver(
                loopback: LoopbackReceiver(
                    listener: configuration.loopbackListener ?? MSALLoopbackListener(), application: applicationName),
                opened: SchemeReceiver(folder: HandOverFolder(environment: environment), user: geteuid())),
            broker: DBusBroker(environment: environment), credentials: credentials,
            documents: documents(
                of: cache, credentials, directory: directories.cache, authorities: http.certificateAuthorityFile),
            notices: NotificationCenterNotices(),
            proofKeys: proofKeys(of: cache, credentials, database: store),
            adalFiles: ADALCacheDisk(files: cache.adalCacheFiles),
            system: .ofThisMachine(), logging: MSALGlobalConfig.loggerConfig,
            telemetry: MSALGlobalConfig.telemetryConfig)
    }

    /// The key store with the same protection as the tokens that are bound to the key.
    private static func proofKeys(
        of cache: MSALCacheConfig, _ credentials: any CredentialStore, database: URL
    ) -> any ProofKeyStore {
        switch cache.kind {
        case .unified: FileProofKeyStore(file: database.appendingPathExtension("pop.pem"))
        case .encrypted: EncryptedProofKeyStore(credentials)
        }
    }

    /// The document cache with the same protection as the tokens, because the documents decide where tokens are sent.
    ///
    /// - Parameter authorities: the CA file that the application names. That of the environment is everybody's.
    private static func documents(
        of cache: MSALCacheConfig, _ credentials: any CredentialStore, directory: URL, authorities: String?
    ) -> any DocumentCache {
        let shared: any DocumentCache =
            switch cache.kind {
            case .unified:
                FileDocumentCache(directory: cache.metadataDirectory ?? directory, isReadOnly: cache.isLookedAtOnly)
            case .encrypted: EncryptedDocumentCache(credentials)
            }
        return authorities.map { TrustedDocumentCache(shared, authorities: $0) } ?? shared
    }

    private static func credentials(of cache: MSALCacheConfig, database: URL) -> any CredentialStore {
        switch cache.kind {
        case .unified(let file): UnifiedFileCredentialStore(file: file)
        case .encrypted:
            SQLiteCredentialStore(
                file: database, keys: .live(for: cache, store: database), access: CredentialStoreAccess(cache))
        }
    }
}

extension CredentialStoreAccess {
    fileprivate init(_ cache: MSALCacheConfig) {
        if cache.isLookedAtOnly {
            self = .lookingOnly
        } else {
            self = cache.acceptsReplacedStore ? .acceptingAsFound : .full
        }
    }
}

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
