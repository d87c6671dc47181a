import Foundation

/// What only an identity broker, or a device that is registered with an organisation, can answer.
///
/// Without one the answers are those of a person's own device, or the error that says what is missing.
extension MSALPublicClientApplication {
    /// Whether an identity broker that this application may use is installed.
    ///
    /// Asks the session bus, which takes a moment when it is the first to.
    public var isCompatibleAADBrokerAvailable: Bool { mayAskBroker && dependencies.broker.presence().isThere }

    /// The release of MSAL for iOS and macOS whose API this library has.
    public class var sdkVersion: String? { MSAL__Framework_VersionString }

    /// The redirect URI that sign-ins use: the configured one, or the default that was derived. An addition of this
    /// library.
    public var redirectUri: MSALRedirectUri { MSALRedirectUri(settings.redirect) }

    /// With a broker, its version is among the device's extra information, under
    /// ``MSALDeviceInformation/brokerVersionKey``.
    ///
    /// Throws ``MSALInternalError/internalBrokerNotAvailable`` when brokers are switched off
    /// (``MSALGlobalConfig/brokerAvailability``) or the application is not one that they serve, and what went wrong when the
    /// broker fails.
    public nonisolated(nonsending) func deviceInformation(
        with parameters: MSALParameters?
    ) async throws -> MSALDeviceInformation {
        try await deviceInformationCall(parameters)()
    }

    private func deviceInformationCall(
        _ parameters: MSALParameters?
    ) -> @Sendable () async throws -> MSALDeviceInformation {
        let correlationID = dependencies.random.uuid()
        let context = context(parameters ?? MSALParameters(), correlationID)
        return { [self] in
            try requireBroker()
            do {
                return MSALDeviceInformation(
                    brokerVersion: try await BrokerFlow(context: context).version(correlationID))
            } catch {
                throw MSALAuthenticationError(translating: error, correlationID: correlationID)
            }
        }
    }

    /// As the `async` form. The block runs on the queue of the parameters, else on any thread.
    public func getDeviceInformation(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALDeviceInformation?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters?.completionBlockQueue, block: completionBlock).run(
            deviceInformationCall(parameters))
    }

    /// Empty: this device is not registered. Throws as ``deviceInformation(with:)`` does.
    public nonisolated(nonsending) func wpjMetaDataDevice(
        with parameters: MSALParameters?, forTenantId tenantId: String?
    ) async throws -> MSALWPJMetaData {
        try requireBroker()
        return MSALWPJMetaData()
    }

    /// As the `async` form. The block runs on the queue of the parameters, else on any thread.
    public func getWPJMetaDataDevice(
        with parameters: MSALParameters?, forTenantId tenantId: String?,
        completionBlock: @escaping @Sendable (MSALWPJMetaData?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters?.completionBlockQueue, block: completionBlock)
            .run { [self] in try await wpjMetaDataDevice(with: nil, forTenantId: tenantId) }
    }

    /// Throws ``MSALError/workplaceJoinRequired``: such a token is signed with the certificate of a registered device.
    public nonisolated(nonsending) func deviceToken(
        with parameters: MSALDeviceTokenParameters
    ) async throws -> MSALDeviceTokenResult {
        throw deviceTokenFailure(parameters)
    }

    /// As the `async` form. The block runs on the queue of the parameters, else on any thread.
    public func getDeviceToken(
        with parameters: MSALDeviceTokenParameters,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        let failure = deviceTokenFailure(parameters)
        Completion(queue: parameters.completionBlockQueue, block: completionBlock).run { throw failure }
    }

    /// Throws ``MSALInternalError/internalBrokerNotAvailable``: only a broker can tell that a device is shared.
    public nonisolated(nonsending) func deviceTokenForSharedDevice(
        withResource resource: String, scopes: [String]?
    ) async throws -> MSALDeviceTokenResult {
        throw MSALAuthenticationError(.brokerNotAvailable, correlationID: nil)
    }

    /// As the `async` form. The block runs on any thread.
    public func getDeviceTokenForSharedDevice(
        withResource resource: String, scopes: [String]?,
        completionBlock: @escaping @Sendable (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) {
        Completion(queue: nil, block: completionBlock)
            .run { [self] in try await deviceTokenForSharedDevice(withResource: resource, scopes: scopes) }
    }

    private func requireBroker() throws {
        guard mayAskBroker else { throw MSALAuthenticationError(.brokerNotAvailable, correlationID: nil) }
    }

    private var mayAskBroker: Bool {
        settings.brokerUse.serves(settings.authority, MSALGlobalConfig.brokerAvailability)
    }

    private func deviceTokenFailure(_ parameters: MSALDeviceTokenParameters) -> MSALAuthenticationError {
        guard !parameters.resource.isEmpty, parameters.tenantId?.isEmpty == false else {
            return MSALAuthenticationError(
                .invalidParameter("A token of the device needs a resource and a tenant."),
                correlationID: parameters.correlationId)
        }
        return MSALAuthenticationError(.deviceNotRegistered, correlationID: parameters.correlationId)
    }
}
