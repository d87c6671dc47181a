import Foundation
import OAuthCore
import Tasks

/// An application that signs people in without a secret of its own (MSAL for iOS and macOS,
/// `MSALPublicClientApplication`).
///
/// One object serves every account, tenant and authority. It may be used from any thread and task.
///
/// Its methods can be overridden, as upstream's, so that a program's tests can stand in for it; docs/library.md shows
/// how. The `async` and the completion-block form of a method are two methods: override the one that the program calls.
///
/// Unchecked, because the class is open; everything stored is immutable and `Sendable`, but for the configuration
/// object, which is the caller's and which no request looks at.
open class MSALPublicClientApplication: NSObject, @unchecked Sendable {
    /// What the application was made with. Changing it later changes nothing here.
    public let configuration: MSALPublicClientApplicationConfig

    let settings: ApplicationSettings
    let dependencies: Dependencies
    let metadata: MetadataSource
    let silentRequests = SilentRequests()
    let rememberedAccounts = RememberedAccounts()
    let externalAccounts: ExternalAccounts
    /// Sends each request once.
    let plainTransport: any HTTPTransport
    private let flowRecordHandler: (@Sendable (MSALFlowRecord) -> Void)?
    private let serializedADALCache: SerializedADALCache?
    let telemetry = TelemetryLog()

    /// An application of this machine: its network, its browser, its token store.
    ///
    /// Throws when the client ID is empty or the redirect URI is refused; the error says which scheme has to be
    /// registered where, and which URI is expected (docs/upstream-behaviour.md §1).
    public init(configuration: MSALPublicClientApplicationConfig) throws {
        self.configuration = configuration
        let world = try configuration.world ?? Self.liveWorld()
        let surroundings = try world.surroundings(for: configuration)
        settings = try Self.translatingErrors(nil) {
            try ApplicationSettings(configuration, registration: surroundings.registration)
        }
        let dependencies = surroundings.dependencies
        flowRecordHandler = configuration.flowRecordHandler
        plainTransport = dependencies.transport
        self.dependencies = dependencies.retrying
        metadata = MetadataSource(dependencies: dependencies)
        serializedADALCache = configuration.cacheConfig.serializedADALCache.map(SerializedADALCache.init)
        externalAccounts = ExternalAccounts(configuration.cacheConfig.externalAccountProviders)
    }

    /// As ``init(configuration:)``, with the default redirect URI and authority.
    public convenience init(clientId: String) throws {
        try self.init(configuration: MSALPublicClientApplicationConfig(clientId: clientId))
    }

    // MARK: Accounts

    /// Every account that is signed in to this application. Reads the cache; no network.
    @discardableResult
    open func allAccounts() throws -> [MSALAccount] { try findAccounts(MSALAccountEnumerationParameters()) }

    /// The account with this ``MSALAccount/identifier``. Throws when there is none.
    @discardableResult
    open func account(forIdentifier identifier: String) throws -> MSALAccount {
        try first(of: MSALAccountEnumerationParameters(identifier: identifier), named: identifier)
    }

    /// The account with this username, in the cache or else in one that ADAL left: then the first silent call migrates
    /// it (docs/migrating-from-adal.md). Throws when there is none.
    @discardableResult
    open func account(forUsername username: String) throws -> MSALAccount { try findAccount(username: username) }

    /// The accounts that match every given member, without regard to case: the cache's, with what the external account
    /// providers add.
    @discardableResult
    open func accounts(for parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
        try findAccounts(parameters)
    }

    /// The accounts of this device: those of the cache, and what the identity broker adds where one may be asked.
    ///
    /// Throws when the broker fails; ``accounts(for:)`` lists those of the cache all the same.
    @discardableResult
    open nonisolated(nonsending) func accountsFromDevice(
        for parameters: MSALAccountEnumerationParameters
    ) async throws -> [MSALAccount] {
        let call = deviceAccountsCall(parameters)
        return try await ThreadPool.runBlocking { try await call().value() }
    }

    /// As the `async` form. The block runs on the queue of the parameters. Without a queue it runs on the caller's
    /// thread before this returns, unless there is a broker to ask; then it runs on any thread.
    @preconcurrency
    open func accountsFromDevice(
        for parameters: MSALAccountEnumerationParameters,
        completionBlock: @escaping @Sendable ([MSALAccount]?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters.completionBlockQueue, block: completionBlock)
            .run(deviceAccountsCall(parameters)())
    }

    /// The account that is signed in now, and the one that was when this was last asked.
    ///
    /// Throws ``MSALInternalError/internalErrorAmbiguousAccount`` when several are signed in; the remembered account
    /// then stays.
    @discardableResult
    open nonisolated(nonsending) func currentAccount(
        with parameters: MSALParameters?
    ) async throws -> (MSALAccount?, MSALAccount?) {
        let accounts = try await ThreadPool.runBlocking { [self] in try exchangePrincipal().get() }
        return (accounts.current, accounts.previous)
    }

    /// As the `async` form: the current account, the previous one. The block runs on the queue of the parameters;
    /// without a queue it runs on the caller's thread, before this returns.
    @preconcurrency
    open func getCurrentAccount(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALAccount?, MSALAccount?, (any Error)?) -> Void
    ) {
        Completion<CurrentAccount>(queue: parameters?.completionBlockQueue) { accounts, error in
            completionBlock(accounts?.current, accounts?.previous, error)
        }.run(.finished(exchangePrincipal()))
    }

    /// Removes an account from this application: its tokens are deleted, and the next token needs the user again.
    ///
    /// Other applications' tokens and the browser's own session stay (docs/upstream-behaviour.md §4.9). External
    /// account providers are told last; what one of them throws is reported, although the tokens are gone.
    open func remove(_ account: MSALAccount) throws {
        try Self.translatingErrors(nil) { try forget(account, wipesAccount: false) }
    }

    // MARK: Tokens

    /// Signs the user in: with the identity broker where there is one that may be asked, else with the browser.
    ///
    /// Throws ``MSALAuthenticationError``; ``MSALError/userCanceled`` when the user, the program or the task's
    /// cancellation ended it.
    @discardableResult
    open nonisolated(nonsending) func acquireToken(
        with parameters: MSALInteractiveTokenParameters
    ) async throws -> MSALResult {
        try await interactiveCall(parameters)()
    }

    /// As the `async` form. The block runs on the queue of the parameters, else on the main queue.
    @preconcurrency
    open func acquireToken(
        with parameters: MSALInteractiveTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters.completionBlockQueue ?? .main, block: completionBlock)
            .run(.call(interactiveCall(parameters)))
    }

    /// Gets a token silently: from the cache, or with a refresh token.
    ///
    /// Throws ``MSALError/interactionRequired`` when the user has to sign in.
    @discardableResult
    open nonisolated(nonsending) func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters
    ) async throws -> MSALResult {
        if let result = rememberedToken(for: parameters) { return result }
        return try await silentCall(parameters)()
    }

    /// As the `async` form. The block runs on the queue of the parameters, else on any thread.
    @preconcurrency
    open func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters.completionBlockQueue, block: completionBlock).run(.call(silentCall(parameters)))
    }

    /// Signs an account out: removes it from this application, from every application
    /// (``MSALSignoutParameters/wipeAccount``) or empties the cache
    /// (``MSALSignoutParameters/wipeCacheForAllAccounts``), has the identity broker forget that this application uses
    /// it, where one may be asked, and then, if wanted, ends the browser's session at the authority.
    ///
    /// A failure of the broker's or the browser's part comes after the tokens are gone. `true`: everything was done.
    @discardableResult
    open nonisolated(nonsending) func signout(
        with account: MSALAccount, signoutParameters: MSALSignoutParameters
    ) async throws -> Bool {
        try await signoutCall(account, signoutParameters)()
    }

    /// As the `async` form. The block runs on the queue of the parameters, else on the main queue.
    @preconcurrency
    open func signout(
        with account: MSALAccount, signoutParameters: MSALSignoutParameters,
        completionBlock: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        Completion<Bool>(queue: signoutParameters.completionBlockQueue ?? .main) { isDone, error in
            completionBlock(isDone ?? false, error)
        }.run(.call(signoutCall(account, signoutParameters)))
    }

    /// Hands over a URL that the application was opened with, or that a browser came back to.
    ///
    /// `true` when a waiting sign-in took it: the one that awaits it at this address with this `state`, and once only.
    @discardableResult
    open class func handleMSALResponse(_ url: URL, sourceApplication: String?) -> Bool {
        InteractiveSessions.deliver(url)
    }

    /// Ends the sign-in that waits, if there is one, with ``MSALError/userCanceled``.
    @discardableResult
    open class func cancelCurrentWebAuthSession() -> Bool {
        InteractiveSessions.cancel()
    }

    // MARK: Devices

    /// Whether an identity broker that this application may use is installed.
    ///
    /// Asks the session bus, which takes a moment when it is the first to.
    open var isCompatibleAADBrokerAvailable: Bool { mayAskBroker && dependencies.broker.presence().isThere }

    /// The release of MSAL for iOS and macOS whose API this library has.
    open class var sdkVersion: String? { MSAL__Framework_VersionString }

    /// With a broker, its version is among the device's extra information, under
    /// ``MSALDeviceInformation/brokerVersionKey``.
    ///
    /// Throws ``MSALInternalError/internalBrokerNotAvailable`` when brokers are switched off
    /// (``MSALGlobalConfig/brokerAvailability``) or the application is not one that they serve, and what went wrong
    /// when the broker fails.
    @discardableResult
    open nonisolated(nonsending) func deviceInformation(
        with parameters: MSALParameters?
    ) async throws -> MSALDeviceInformation {
        try await deviceInformationCall(parameters)()
    }

    /// As the `async` form. The block runs on the queue of the parameters, else on any thread.
    @preconcurrency
    open func getDeviceInformation(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALDeviceInformation?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters?.completionBlockQueue, block: completionBlock)
            .run(.call(deviceInformationCall(parameters)))
    }

    /// Empty: this device is not registered. Throws as ``deviceInformation(with:)`` does.
    @discardableResult
    open nonisolated(nonsending) func wpjMetaDataDevice(
        with parameters: MSALParameters?, forTenantId tenantId: String?
    ) async throws -> MSALWPJMetaData {
        try deviceMetadata().get()
    }

    /// As the `async` form. The block runs on the queue of the parameters, else on any thread.
    @preconcurrency
    open func getWPJMetaDataDevice(
        with parameters: MSALParameters?, forTenantId tenantId: String?,
        completionBlock: @escaping @Sendable (MSALWPJMetaData?, (any Error)?) -> Void
    ) {
        let metadata = deviceMetadata()
        Completion(queue: parameters?.completionBlockQueue, block: completionBlock).run(.call { try metadata.get() })
    }

    /// Throws ``MSALError/workplaceJoinRequired``: a device token is signed with the certificate of a registered
    /// device.
    @discardableResult
    open nonisolated(nonsending) func deviceToken(
        with parameters: MSALDeviceTokenParameters
    ) async throws -> MSALDeviceTokenResult {
        throw deviceTokenFailure(parameters)
    }

    /// As the `async` form. The block runs on the queue of the parameters, else on any thread.
    @preconcurrency
    open func getDeviceToken(
        with parameters: MSALDeviceTokenParameters,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        let failure = deviceTokenFailure(parameters)
        Completion(queue: parameters.completionBlockQueue, block: completionBlock).run(.call { throw failure })
    }

    /// Throws ``MSALInternalError/internalBrokerNotAvailable``: only a broker can tell that a device is shared.
    @discardableResult
    open nonisolated(nonsending) func deviceTokenForSharedDevice(
        withResource resource: String, scopes: [String]?
    ) async throws -> MSALDeviceTokenResult {
        throw MSALAuthenticationError(.machine(.brokerNotAvailable), correlationID: nil)
    }

    /// As the `async` form. The block runs on any thread.
    @preconcurrency
    open func getDeviceTokenForSharedDevice(
        withResource resource: String, scopes: [String]?,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        Completion(queue: nil, block: completionBlock)
            .run(.call { throw MSALAuthenticationError(.machine(.brokerNotAvailable), correlationID: nil) })
    }
}

extension MSALPublicClientApplication {
    func context(
        _ parameters: MSALParameters, _ correlationID: UUID, recording: FlowRecording? = nil,
        adalCaches: (@Sendable () -> [[UInt8]])? = nil
    ) -> FlowContext {
        let recorder = recording.observing(parameters.flowExchangeHandler).map {
            ExchangeRecorder(time: dependencies.time, correlationID: correlationID, handler: $0)
        }
        return FlowContext(
            settings: settings, dependencies: recorder.map(recorded) ?? dependencies, metadata: metadata,
            silentRequests: silentRequests, telemetry: telemetry,
            reporter: FlowReporter(
                time: dependencies.time, handler: recording.observing(parameters.flowEventHandler),
                log: log(correlationID)),
            recorder: recorder, adalCaches: adalCaches ?? self.adalCaches)
    }

    /// `nil` unless somebody wants to know how requests went.
    func recording(_ correlationID: UUID) -> FlowRecording? {
        flowRecordHandler.map {
            FlowRecording(correlationID: correlationID, startDate: dependencies.time.now(), handler: $0)
        }
    }

    private func recorded(_ recorder: ExchangeRecorder) -> Dependencies {
        var recorded = dependencies
        recorded.transport = recorder.recording(plainTransport)
        return recorded.retrying
    }

    func log(_ correlationID: UUID? = nil) -> EngineLog {
        EngineLog(
            dependencies.logging, time: dependencies.time, system: dependencies.system, correlationID: correlationID)
    }

    /// What ADAL left, read now.
    var adalCaches: @Sendable () -> [[UInt8]] {
        { [self] in [serializedADALCache?.contents()].compactMap(\.self) + dependencies.adalFiles.contents() }
    }

    /// Failures of the engine leave it as ``MSALAuthenticationError``, whatever they were inside.
    static func translatingErrors<Value>(_ correlationID: UUID?, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            throw MSALAuthenticationError(translating: error, correlationID: correlationID)
        }
    }
}

extension Dependencies {
    /// With requests sent again when that helps, as the program's HTTP configuration says.
    fileprivate var retrying: Dependencies {
        var dependencies = self
        dependencies.transport = RetryingTransport(transport, time: time) {
            let settings = MSALGlobalConfig.httpConfig.snapshot
            return RetryingTransport.Policy(count: settings.retryCount, interval: settings.retryInterval)
        }
        return dependencies
    }
}

extension MSALAuthenticationError {
    convenience init(translating error: any Error, correlationID: UUID?) {
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
