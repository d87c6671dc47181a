@_exported import Foundation
import KeyturnSystem

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
            notices: NotificationCenterNotices(), proofKeys: proofKeys(of: cache, credentials, database: store),
            adalFiles: ADALCacheDisk(files: cache.adalCacheFiles), system: .ofThisMachine(),
            logging: MSALGlobalConfig.loggerConfig, telemetry: MSALGlobalConfig.telemetryConfig)
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
        let access: CredentialStoreAccess =
            cache.isLookedAtOnly ? .lookingOnly : cache.acceptsReplacedStore ? .acceptingAsFound : .full
        switch cache.kind {
        case .unified(let file): return UnifiedFileCredentialStore(file: file)
        case .encrypted:
            return SQLiteCredentialStore(file: database, keys: .live(for: cache, store: database), access: access)
        }
    }
}

extension DataKeyVaults {
    static func live(for cache: MSALCacheConfig, store: URL) -> DataKeyVaults {
        DataKeyVaults(
            source: cache.keySource, keyFile: FileKeyVault(store: store),
            passphrase: cache.passphrase.map { PassphraseKeyVault($0) },
            previousPassphrase: cache.previousPassphrase.map { PassphraseKeyVault($0) },
            secretService: SecretServiceKeyVault(store: store.path(percentEncoded: false)))
    }
}

extension ApplicationWorld {
    /// The adapters of this machine: network, browser and token store.
    static func live(for configuration: MSALPublicClientApplicationConfig) throws -> ApplicationWorld {
        let registration = try (configuration.appRegistration ?? InfoPlist.ofThisProgram())?.value
        return ApplicationWorld(
            registration: registration,
            dependencies: .live(
                for: configuration, applicationName: registration?.displayName,
                environment: ProcessEnvironment.variables))
    }
}

/// Finds the `Info.plist` of the running program. On Linux a program has no bundle.
enum InfoPlist {
    /// Beside the binary, or in `<prefix>/share/<name>` for a binary in `<prefix>/bin`. Throws when it exists but can't be read.
    static func ofThisProgram() throws -> MSALAppRegistration? {
        guard let binary = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        let folder = binary.deletingLastPathComponent()
        let candidates = [
            folder.appending(path: "Info.plist"),
            folder.deletingLastPathComponent().appending(path: "share/\(binary.lastPathComponent)/Info.plist"),
        ]
        guard let file = candidates.first(where: { FileManager.default.isReadableFile(atPath: $0.path) }) else {
            return nil
        }
        return try MSALAppRegistration(infoPlist: Data(PlainFile.read(file.path, atMost: mostBytes)))
    }

    private static let mostBytes = 1 << 20
}
