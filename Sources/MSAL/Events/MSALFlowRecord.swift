import Foundation

/// The record of one token request. Not in MSAL for iOS and macOS.
///
/// Records contain no secrets. See ``MSALPublicClientApplicationConfig/flowRecordHandler``.
public struct MSALFlowRecord: Sendable {
    /// Whether a request involves the user.
    public enum Kind: String, Sendable, CaseIterable {
        /// A sign-in with a browser, a broker or a code.
        case interactive
        /// A request with cached tokens.
        case silent
    }

    /// Whether the request involved the user.
    public let kind: Kind
    /// The ID of the request in logs.
    public let correlationId: UUID
    /// The time at which the request started.
    public let startDate: Date
    /// The time at which the request ended.
    public let endDate: Date
    /// The steps, in order.
    public let events: [MSALFlowEvent]
    /// The HTTP exchanges, in order.
    public let exchanges: [MSALFlowExchange]
    /// The error, or `nil` when the request returned a token.
    public let failure: MSALAuthenticationError?

    /// Creates a record.
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
