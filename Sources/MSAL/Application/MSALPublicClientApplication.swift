import Foundation
import KeyturnSystem
import OAuthCore

/// An application of a computer's users, which proves nothing about itself to the authority (MSAL for iOS and macOS, `MSALPublicClientApplication`).
///
/// One object serves every account, tenant and authority. It is thread-safe.
///
/// Tests of a program can override its methods (docs/library.md). The `async` method and its completion-block variant
/// are separate methods: override the one that the program calls.
///
/// `@unchecked Sendable` because the class is open. Its stored properties are immutable and `Sendable`, except for the
/// caller's configuration object, which no request reads.
open class MSALPublicClientApplication: NSObject, @unchecked Sendable {
    /// The configuration. Later changes to it have no effect.
    public let configuration: MSALPublicClientApplicationConfig

    let settings: ApplicationSettings
    let dependencies: Dependencies
    let metadata: MetadataSource
    let silentRequests = SilentRequests()
    let rememberedAccounts = RememberedAccounts()
    let externalAccounts: ExternalAccounts
    /// As at the creation of the application.
    private let http: MSALHTTPConfig.Settings
    /// The transport without retries.
    let plainTransport: any HTTPTransport
    private let flowRecordHandler: (@Sendable (MSALFlowRecord) -> Void)?
    private let serializedADALCache: SerializedADALCache?
    let telemetry = Locked(RequestTelemetry())

    /// Creates an application that uses this machine's network, browser and token cache.
    ///
    /// Throws when the client ID is empty or the redirect URI is rejected. The error names the expected URI and the
    /// scheme to register (docs/upstream-behaviour.md §1).
    public init(configuration: MSALPublicClientApplicationConfig) throws {
        self.configuration = configuration
        let world = try Self.world(of: configuration)
        settings = try Self.translatingErrors {
            try ApplicationSettings(configuration, registration: world.registration)
        }
        let dependencies = world.dependencies
        flowRecordHandler = configuration.flowRecordHandler
        plainTransport = dependencies.transport
        http = configuration.httpSettings
        self.dependencies = dependencies.retrying(http)
        metadata = MetadataSource(dependencies: dependencies)
        serializedADALCache = configuration.cacheConfig.serializedADALCache.map(SerializedADALCache.init)
        externalAccounts = ExternalAccounts(configuration.cacheConfig.externalAccountProviders)
    }

    static func world(of configuration: MSALPublicClientApplicationConfig) throws -> ApplicationWorld {
        try (configuration.world ?? ApplicationWorld.live)(configuration)
    }

    /// A PEM file of certificate authorities, as at the creation of the application. `nil` for the system's.
    package var certificateAuthorityFile: String? { http.certificateAuthorityFile }

    /// Creates an application with the default redirect URI and authority.
    public convenience init(clientId: String) throws {
        try self.init(configuration: MSALPublicClientApplicationConfig(clientId: clientId))
    }

    // MARK: Accounts

    /// Returns every account that is signed in to this application. Reads the cache; sends no request.
    @discardableResult
    open func allAccounts() throws -> [MSALAccount] { try findAccounts(MSALAccountEnumerationParameters()) }

    /// Returns the account with this ``MSALAccount/identifier``. Throws when there is none.
    @discardableResult
    open func account(forIdentifier identifier: String) throws -> MSALAccount {
        try first(of: MSALAccountEnumerationParameters(identifier: identifier), named: identifier)
    }

    /// Returns the account with this username. Throws when there is none.
    ///
    /// Falls back to the ADAL caches; the first silent request then migrates the account (docs/migrating-from-adal.md).
    @discardableResult
    open func account(forUsername username: String) throws -> MSALAccount { try findAccount(username: username) }

    /// Returns the accounts that match all parameters, ignoring case. Includes those of external account providers.
    @discardableResult
    open func accounts(for parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
        try findAccounts(parameters)
    }

    /// Returns the accounts of the cache and of the identity broker, if the application may use one.
    ///
    /// Throws when the broker fails; ``accounts(for:)`` still returns the cached accounts.
    @discardableResult
    open nonisolated(nonsending) func accountsFromDevice(
        for parameters: MSALAccountEnumerationParameters
    ) async throws -> [MSALAccount] {
        let call = deviceAccountsCall(parameters)
        return try await ThreadPool.runBlocking { try await call().value() }
    }

    /// Gets the accounts of this device, like the `async` method. The block runs on the parameters' queue.
    ///
    /// Without a queue the block runs on the caller's thread before this returns, or on any thread if a broker is
    /// involved.
    @preconcurrency
    open func accountsFromDevice(
        for parameters: MSALAccountEnumerationParameters,
        completionBlock: @escaping @Sendable ([MSALAccount]?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters.completionBlockQueue, block: completionBlock).run(deviceAccountsCall(parameters)())
    }

    /// Returns the current account, and the account that was current at the last call.
    ///
    /// Throws ``MSALInternalError/internalErrorAmbiguousAccount`` when several accounts are signed in. The remembered
    /// account then doesn't change.
    @discardableResult
    open nonisolated(nonsending) func currentAccount(
        with parameters: MSALParameters?
    ) async throws -> (MSALAccount?, MSALAccount?) {
        let accounts = try await ThreadPool.runBlocking { [self] in try exchangePrincipal().get() }
        return (accounts.current, accounts.previous)
    }

    /// Gets the current and the previous account, like the `async` method. The block runs on the parameters' queue, or
    /// else on the caller's thread before this returns.
    @preconcurrency
    open func getCurrentAccount(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALAccount?, MSALAccount?, (any Error)?) -> Void
    ) {
        Completion<CurrentAccount>(queue: parameters?.completionBlockQueue) { accounts, error in
            completionBlock(accounts?.current, accounts?.previous, error)
        }.run(.finished(exchangePrincipal()))
    }

    /// Removes an account and its tokens from this application. The next token request needs the user.
    ///
    /// Keeps the tokens of other applications and the browser session (docs/upstream-behaviour.md §4.9). Calls the
    /// external account providers last, and rethrows their error after the tokens are removed.
    open func remove(_ account: MSALAccount) throws {
        try Self.translatingErrors { try forget(account, wipesAccount: false) }
    }

    // MARK: Tokens

    /// Signs the user in with the identity broker, if the application may use one, or else with the browser.
    ///
    /// Throws ``MSALAuthenticationError``. The code is ``MSALError/userCanceled`` when the user, the program or task
    /// cancellation ended the sign-in.
    @discardableResult
    open nonisolated(nonsending) func acquireToken(
        with parameters: MSALInteractiveTokenParameters
    ) async throws -> MSALResult {
        try await interactiveCall(parameters)()
    }

    /// Signs the user in, like the `async` method. The block runs on the parameters' queue, or else on the main queue.
    @preconcurrency
    open func acquireToken(
        with parameters: MSALInteractiveTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters.completionBlockQueue ?? .main, block: completionBlock)
            .run(.call(interactiveCall(parameters)))
    }

    /// Gets a token silently, from the cache or with a refresh token. Never opens a browser.
    ///
    /// Throws ``MSALError/interactionRequired`` when the user has to sign in.
    @discardableResult
    open nonisolated(nonsending) func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters
    ) async throws -> MSALResult {
        if let result = rememberedToken(for: parameters) { return result }
        return try await silentCall(parameters)()
    }

    /// Gets a token silently, like the `async` method. The block runs on the parameters' queue, or else on any thread.
    @preconcurrency
    open func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters.completionBlockQueue, block: completionBlock).run(.call(silentCall(parameters)))
    }

    /// Signs an account out of this application. Returns `true` when every step succeeded.
    ///
    /// With ``MSALSignoutParameters/wipeAccount``, removes the account from every application. With
    /// ``MSALSignoutParameters/wipeCacheForAllAccounts``, empties the cache. Then the identity broker, if the
    /// application may use one, forgets the account for this application. Finally ends the browser session if requested.
    ///
    /// When the broker or the browser fails, the tokens are already removed.
    @discardableResult
    open nonisolated(nonsending) func signout(
        with account: MSALAccount, signoutParameters: MSALSignoutParameters
    ) async throws -> Bool {
        try await signoutCall(account, signoutParameters)()
    }

    /// Signs an account out, like the `async` method. The block runs on the parameters' queue, or else on the main
    /// queue.
    @preconcurrency
    open func signout(
        with account: MSALAccount, signoutParameters: MSALSignoutParameters,
        completionBlock: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        Completion<Bool>(queue: signoutParameters.completionBlockQueue ?? .main) { isDone, error in
            completionBlock(isDone ?? false, error)
        }.run(.call(signoutCall(account, signoutParameters)))
    }

    /// Handles a redirect: a URL that the application was opened with or that a browser was redirected to.
    ///
    /// Returns `true` when a waiting sign-in accepts it. A sign-in accepts one URL that matches its redirect URI and
    /// `state`.
    @discardableResult
    open class func handleMSALResponse(_ url: URL, sourceApplication: String?) -> Bool {
        InteractiveSessions.deliver(url)
    }

    /// Cancels the waiting sign-in, which fails with ``MSALError/userCanceled``. Returns `false` if there is none.
    @discardableResult
    open class func cancelCurrentWebAuthSession() -> Bool {
        InteractiveSessions.latest()?.cancel() ?? false
    }

    // MARK: Devices

    /// Whether an identity broker is installed that this application may use.
    ///
    /// Queries the session bus, which takes a moment the first time.
    open var isCompatibleAADBrokerAvailable: Bool { mayCallBroker && dependencies.broker.presence().isThere }

    /// The release of MSAL for iOS and macOS that this library's API matches.
    open class var sdkVersion: String? { MSAL__Framework_VersionString }

    /// Returns information about this device. With a broker, it includes the broker's version
    /// (``MSALDeviceInformation/brokerVersionKey``).
    ///
    /// Throws ``MSALInternalError/internalBrokerNotAvailable`` when brokers are switched off
    /// (``MSALGlobalConfig/brokerAvailability``) or don't support the application. Throws another error when the broker
    /// fails.
    @discardableResult
    open nonisolated(nonsending) func deviceInformation(
        with parameters: MSALParameters?
    ) async throws -> MSALDeviceInformation {
        try await deviceInformationCall(parameters)()
    }

    /// Gets information about this device, like the `async` method. The block runs on the parameters' queue, or else on
    /// any thread.
    @preconcurrency
    open func getDeviceInformation(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALDeviceInformation?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters?.completionBlockQueue, block: completionBlock)
            .run(.call(deviceInformationCall(parameters)))
    }

    /// Returns the registration of this device, which is always empty on Linux. Throws like
    /// ``deviceInformation(with:)``.
    @discardableResult
    open nonisolated(nonsending) func wpjMetaDataDevice(
        with parameters: MSALParameters?, forTenantId tenantId: String?
    ) async throws -> MSALWPJMetaData {
        try deviceMetadata().get()
    }

    /// Gets the registration of this device, like the `async` method. The block runs on the parameters' queue, or else
    /// on any thread.
    @preconcurrency
    open func getWPJMetaDataDevice(
        with parameters: MSALParameters?, forTenantId tenantId: String?,
        completionBlock: @escaping @Sendable (MSALWPJMetaData?, (any Error)?) -> Void
    ) {
        let metadata = deviceMetadata()
        Completion(queue: parameters?.completionBlockQueue, block: completionBlock).run(.call { try metadata.get() })
    }

    /// Gets a token of the device itself. Always throws ``MSALError/workplaceJoinRequired`` on Linux, because such a token
    /// needs the certificate of a registered device.
    @discardableResult
    open nonisolated(nonsending) func deviceToken(
        with parameters: MSALDeviceTokenParameters
    ) async throws -> MSALDeviceTokenResult {
        throw deviceTokenFailure(parameters)
    }

    /// Gets a token of the device itself, like the `async` method. The block runs on the parameters' queue, or else on any
    /// thread.
    @preconcurrency
    open func getDeviceToken(
        with parameters: MSALDeviceTokenParameters,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        let failure = deviceTokenFailure(parameters)
        Completion(queue: parameters.completionBlockQueue, block: completionBlock).run(.call { throw failure })
    }

    /// Gets a token of a shared device. Always throws ``MSALInternalError/internalBrokerNotAvailable`` on Linux, because
    /// only a broker can identify a shared device.
    @discardableResult
    open nonisolated(nonsending) func deviceTokenForSharedDevice(
        withResource resource: String, scopes: [String]?
    ) async throws -> MSALDeviceTokenResult {
        throw MSALAuthenticationError(.machine(.brokerNotAvailable))
    }

    /// Gets a token of a shared device, like the `async` method. The block runs on any thread.
    @preconcurrency
    open func getDeviceTokenForSharedDevice(
        withResource resource: String, scopes: [String]?,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        Completion(queue: nil, block: completionBlock)
            .run(.call { throw MSALAuthenticationError(.machine(.brokerNotAvailable)) })
    }

    func context(
        _ parameters: MSALParameters, _ correlationID: UUID, recording: FlowRecording? = nil,
        adalCaches: (@Sendable () -> [[UInt8]])? = nil
    ) -> FlowContext {
        let log = log(correlationID)
        let exchanges = recording.observing(parameters.flowExchangeHandler) { $0.exchanges.append($1) }
        let recorder =
            exchanges == nil && parameters.flowRequestHandler == nil
            ? nil : ExchangeRecorder(time: dependencies.time, correlationID: correlationID, handler: exchanges)
        let hold = recorder.flatMap { recorder in
            parameters.flowRequestHandler.map { FlowHold(recorder: recorder, log: log, handler: $0) }
        }
        return FlowContext(
            settings: settings, dependencies: recorder.map { recorded($0, hold) } ?? dependencies, metadata: metadata,
            silentRequests: silentRequests, telemetry: telemetry,
            reporter: FlowReporter(
                log: log, handler: recording.observing(parameters.flowEventHandler) { $0.events.append($1) }),
            recorder: recorder, hold: hold, secret: configuredSecret(settings.clientSecret),
            serverSecret: configuredSecret(settings.managedServer?.clientSecret),
            adalCaches: adalCaches ?? self.adalCaches)
    }

    func recording(_ correlationID: UUID) -> FlowRecording? {
        flowRecordHandler.map {
            FlowRecording(correlationID: correlationID, startDate: dependencies.time.now(), handler: $0)
        }
    }

    private func recorded(_ recorder: ExchangeRecorder, _ hold: FlowHold?) -> Dependencies {
        var recorded = hold?.protecting(dependencies) ?? dependencies
        recorded.transport = recorder.recording(plainTransport, heldBy: hold)
        return recorded.retrying(http)
    }

    func log(_ correlationID: UUID? = nil) -> EngineLog { dependencies.log(correlationID) }

    var adalCaches: @Sendable () -> [[UInt8]] {
        { [self] in [serializedADALCache?.contents()].compactMap(\.self) + dependencies.adalFiles.contents() }
    }

    static func translatingErrors<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch { throw MSALAuthenticationError(translating: error) }
    }
}

extension Dependencies {
    func log(_ correlationID: UUID? = nil) -> EngineLog {
        EngineLog(configuration: logging, time: time, system: system, correlationID: correlationID)
    }

    fileprivate func retrying(_ settings: MSALHTTPConfig.Settings) -> Dependencies {
        var dependencies = self
        dependencies.transport = RetryingTransport(
            transport, time: time, policy: .init(count: settings.retryCount, interval: settings.retryInterval))
        return dependencies
    }
}

extension MSALAuthenticationError {
    convenience init(translating error: any Error, correlationID: UUID? = nil) {
        switch error {
        case let error as MSALAuthenticationError:
            self.init(domain: error.domain, code: error.code, userInfo: error.userInfo)
        case let failure as AuthenticationFailure: self.init(failure, correlationID: correlationID)
        case let failure as CredentialStoreFailure: self.init(.store(failure), correlationID: correlationID)
        case is CancellationError: self.init(.user(.canceled), correlationID: correlationID)
        default: self.init(.unexpected("\(type(of: error))"), correlationID: correlationID)
        }
    }
}
