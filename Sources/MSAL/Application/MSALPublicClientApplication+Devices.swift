import Foundation

/// Calls that need a broker or a registered device: without one, the values of a personal device, or an error.
extension MSALPublicClientApplication {
    /// The redirect URI of sign-ins: the configured one or the default. Not in MSAL for iOS and macOS.
    public var redirectUri: MSALRedirectUri { MSALRedirectUri(settings.redirect) }

    func deviceInformationCall(_ parameters: MSALParameters?) -> @Sendable () async throws -> MSALDeviceInformation {
        let correlationID = dependencies.random.uuid()
        let context = context(parameters ?? MSALParameters(), correlationID)
        return { [self] in
            try requireBrokersOn()
            guard mayCallBroker else { return MSALDeviceInformation(brokerVersion: nil) }
            do {
                return MSALDeviceInformation(
                    brokerVersion: try await BrokerFlow(context: context).version(correlationID))
            } catch { throw MSALAuthenticationError(translating: error, correlationID: correlationID) }
        }
    }

    func deviceMetadata() -> Result<MSALWPJMetaData, any Error> {
        Result {
            try requireBrokersOn()
            return MSALWPJMetaData()
        }
    }

    /// Throws when brokers are switched off, as MSAL for iOS and macOS does.
    private func requireBrokersOn() throws {
        guard MSALGlobalConfig.brokerAvailability == .auto else {
            throw MSALAuthenticationError(.machine(.brokerNotAvailable))
        }
    }

    var mayCallBroker: Bool { settings.usesBroker(at: settings.authority, MSALGlobalConfig.brokerAvailability) }

    func deviceTokenFailure(_ parameters: MSALDeviceTokenParameters) -> MSALAuthenticationError {
        let isComplete = parameters.resource.isFilledIn && parameters.tenantId?.isFilledIn == true
        return MSALAuthenticationError(
            isComplete ? .machine(.deviceNotRegistered) : .invalid("A device token needs a resource and a tenant."),
            correlationID: parameters.correlationId)
    }
}

extension String {
    fileprivate var isFilledIn: Bool { contains { !$0.isWhitespace } }
}
