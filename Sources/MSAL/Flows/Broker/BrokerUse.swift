import OAuthCore

/// Whether an application can use an identity broker.
package struct BrokerUse: Sendable, Equatable {
    /// Whether the configuration enables the broker, so that its absence is reported.
    var isEnabled: Bool
    /// Whether brokers accept the redirect URI.
    var isCapable: Bool
    /// Whether a host application acts as the broker.
    var isNested: Bool

    /// Whether a broker may be used. Brokers support only Microsoft Entra ID (docs/upstream-behaviour.md §13).
    func serves(
        _ authority: Authority, _ availability: MSALBrokeredAvailability,
        _ preference: MSALBrokerPreference = .asConfigured
    ) -> Bool {
        guard availability == .auto, !isNested, authority.tenant != nil else { return false }
        switch preference {
        case .asConfigured: return isEnabled || isCapable
        case .first, .only: return true
        case .never: return false
        }
    }

    /// Whether a broker may be used for the request. Brokers issue no bound tokens.
    func serves(_ request: TokenRequestSnapshot) -> Bool {
        request.scheme == .bearer && serves(request.authority, request.brokerAvailability, request.brokerPreference)
    }

    /// Whether to report the absence of a broker.
    func isWanted(_ preference: MSALBrokerPreference) -> Bool { isEnabled || preference != .asConfigured }
}
