import Foundation

/// What only an identity broker, or a device that is registered with an organisation, can answer.
///
/// Without one the answers are those of a person's own device, or the error that says what is missing.
extension MSALPublicClientApplication {
    /// The redirect URI that sign-ins use: the configured one, or the default that was derived. An addition of this
    /// library.
    public var redirectUri: MSALRedirectUri { MSALRedirectUri(settings.redirect) }

    func deviceInformationCall(
        _ parameters: MSALParameters?
    ) -> @Sendable () async throws -> MSALDeviceInformation {
        let correlationID = dependencies.random.uuid()
        let context = context(parameters ?? MSALParameters(), correlationID)
        return { [self] in
            try requireBrokersOn()
            guard mayAskBroker else { return MSALDeviceInformation(brokerVersion: nil) }
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

    /// Upstream's condition too: without a broker to ask, the device counts as the user's own.
    private func requireBrokersOn() throws {
        guard MSALGlobalConfig.brokerAvailability == .auto else {
            throw MSALAuthenticationError(.machine(.brokerNotAvailable), correlationID: nil)
        }
    }

    var mayAskBroker: Bool {
        settings.brokerUse.serves(settings.authority, MSALGlobalConfig.brokerAvailability)
    }

    func deviceTokenFailure(_ parameters: MSALDeviceTokenParameters) -> MSALAuthenticationError {
        guard parameters.resource.isFilledIn, parameters.tenantId?.isFilledIn == true else {
            return MSALAuthenticationError(
                .caller(.invalidParameter("A device token needs a resource and a tenant.")),
                correlationID: parameters.correlationId)
        }
        return MSALAuthenticationError(.machine(.deviceNotRegistered), correlationID: parameters.correlationId)
    }
}

extension String {
    fileprivate var isFilledIn: Bool { contains { !$0.isWhitespace } }
}
