import Foundation

/// One request for a token as it went, from its first step to its end. Not in MSAL for iOS and macOS.
///
/// See ``MSALPublicClientApplicationConfig/flowRecordHandler``. Secrets were taken out of it where it was made.
public struct MSALFlowRecord: Sendable {
    /// Whether the person was asked.
    public enum Kind: String, Sendable, CaseIterable {
        /// In a browser, or by a code.
        case interactive
        /// With what was kept.
        case silent
    }

    /// Whether the person was asked.
    public let kind: Kind
    /// What the request is logged under.
    public let correlationId: UUID
    /// When it began.
    public let startDate: Date
    /// When it was over.
    public let endDate: Date
    /// Its steps, in their order.
    public let events: [MSALFlowEvent]
    /// What went over the wire, in its order.
    public let exchanges: [MSALFlowExchange]
    /// What it failed with; `nil` when it gave a token.
    public let failure: MSALAuthenticationError?

    /// As it went.
    public init(
        kind: Kind, correlationId: UUID, startDate: Date, endDate: Date, events: [MSALFlowEvent] = [],
        exchanges: [MSALFlowExchange] = [], failure: MSALAuthenticationError? = nil
    ) {
        self.kind = kind
        self.correlationId = correlationId
        self.startDate = startDate
        self.endDate = endDate
        self.events = events
        self.exchanges = exchanges
        self.failure = failure
    }
}
