import Foundation
import OAuthCore

/// An application that signs people in without a secret of its own (MSAL for iOS and macOS,
/// `MSALPublicClientApplication`).
///
/// One object serves every account, tenant and authority. It may be used from any thread and task.
///
/// Unchecked, because the class is open as upstream; everything stored is immutable and `Sendable`, but for the
/// configuration object, which is the caller's and which no request looks at.
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

    /// Throws when the client ID is empty or the redirect URI is refused: the error names the scheme, where to register
    /// it, and the URI expected (seed document "redirect URIs", msal-behaviours §1).
    package init(
        configuration: MSALPublicClientApplicationConfig, registration: AppRegistration?, dependencies: Dependencies
    ) throws {
        self.configuration = configuration
        settings = try Self.translatingErrors(nil) {
            try ApplicationSettings(configuration, registration: registration)
        }
        flowRecordHandler = configuration.flowRecordHandler
        plainTransport = dependencies.transport
        self.dependencies = dependencies.retrying
        metadata = MetadataSource(dependencies: dependencies)
        serializedADALCache = configuration.cacheConfig.serializedADALCache.map(SerializedADALCache.init)
        externalAccounts = ExternalAccounts(configuration.cacheConfig.externalAccountProviders)
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
        case is CancellationError: self.init(.canceled, correlationID: correlationID)
        default: self.init(.unexpected("\(type(of: error))"), correlationID: correlationID)
        }
    }
}
