import Foundation

/// Calls that need an identity broker or a registered device.
///
/// Without one they return the values of a personal device, or an error that names what is missing.
extension MSALPublicClientApplication {
    /// The redirect URI of sign-ins: the configured one or the default. Not in MSAL for iOS and macOS.
    public var redirectUri: MSALRedirectUri { MSALRedirectUri(settings.redirect) }

    func deviceInformationCall(
        _ parameters: MSALParameters?
    ) -> @Sendable () async throws -> MSALDeviceInformation {
        let correlationID = dependencies.random.uuid()
        let context = context(parameters ?? MSALParameters(), correlationID)
        return { [self] in
            try requireBrokersOn()
            guard mayCallBroker else { return MSALDeviceInformation(brokerVersion: nil) }
            do {
                return MSALDeviceInformation(
                    brokerVersion: try await BrokerFlow(context: context).version(correlationID))
            } catch {
                throw MSALAuthenticationError(translating: error, correlationID: correlationID)
            }
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

    var mayCallBroker: Bool {
        settings.brokerUse.serves(settings.authority, MSALGlobalConfig.brokerAvailability)
    }

    func deviceTokenFailure(_ parameters: MSALDeviceTokenParameters) -> MSALAuthenticationError {
        guard parameters.resource.isFilledIn, parameters.tenantId?.isFilledIn == true else {
            return MSALAuthenticationError(
                .invalid("A device token needs a resource and a tenant."),
                correlationID: parameters.correlationId)
        }
        return MSALAuthenticationError(.machine(.deviceNotRegistered), correlationID: parameters.correlationId)
    }
}

extension String {
    fileprivate var isFilledIn: Bool { contains { !$0.isWhitespace } }
}
