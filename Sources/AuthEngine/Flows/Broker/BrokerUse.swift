import OAuthCore

/// Whether an application's requests may go to an identity broker.
package struct BrokerUse: Sendable, Equatable {
    /// The configuration asks for it, so whoever follows the flow hears that there is none.
    private var isEnabled: Bool
    /// The redirect URI is one that brokers answer to.
    private var isCapable: Bool
    /// Inside of another application that one is the broker.
    private var isNested: Bool

    init(isEnabled: Bool, isCapable: Bool, isNested: Bool) {
        self.isEnabled = isEnabled
        self.isCapable = isCapable
        self.isNested = isNested
    }

    /// Brokers serve Entra alone (docs/upstream-behaviour.md §13).
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

    /// Nor do they give bound tokens.
    func serves(_ request: TokenRequestSnapshot) -> Bool {
        request.scheme == .bearer && serves(request.authority, request.brokerAvailability, request.brokerPreference)
    }

    /// Whether it is worth a word that there is none.
    func isWanted(_ preference: MSALBrokerPreference) -> Bool { isEnabled || preference != .asConfigured }
}
