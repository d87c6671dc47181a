import Foundation

/// One HTTP exchange of a flow, after it is over, for a person to inspect. Not in MSAL for iOS and macOS.
///
/// Secrets were taken out where it was made: it may be shown and, by the parameters' shareable values, saved and sent.
public struct MSALFlowExchange: Sendable, Equatable {
    /// Between whom it was.
    public enum Direction: String, Sendable, CaseIterable {
        /// This program asked the authority, which answered.
        case backChannel
        /// The browser was sent to the authority. What it did there is not seen from here.
        case frontChannelRequest
        /// The browser came back to the redirect URI.
        case frontChannelResponse
    }

    /// Its place among the exchanges of the request, from 1.
    public let number: Int
    /// Between whom it was.
    public let direction: Direction
    /// What the request is logged under.
    public let correlationId: UUID
    /// When it began.
    public let startDate: Date
    /// Seconds until the answer was there, or until it was given up.
    public let duration: TimeInterval
    /// As in "GET".
    public let method: String
    /// Scheme, host and path. The query is among the parameters.
    public let address: String
    /// The status of the answer; `nil` when none came or the browser got it.
    public let status: Int?
    /// The answer's media type, without its parameters.
    public let mediaType: String?
    /// Bytes of the request's body.
    public let requestSize: Int
    /// Bytes of the answer's body.
    public let responseSize: Int
    /// What was asked and answered, in the order of the messages; members of JSON by name.
    public let parameters: [MSALFlowParameter]
    /// Why no answer came, in a line.
    public let failure: String?

    /// As it happened.
    public init(
        number: Int, direction: Direction, correlationId: UUID, startDate: Date, duration: TimeInterval = 0,
        method: String = "GET", address: String, status: Int? = nil, mediaType: String? = nil, requestSize: Int = 0,
        responseSize: Int = 0, parameters: [MSALFlowParameter] = [], failure: String? = nil
    ) {
        self.number = number
        self.direction = direction
        self.correlationId = correlationId
        self.startDate = startDate
        self.duration = duration
        self.method = method
        self.address = address
        self.status = status
        self.mediaType = mediaType
        self.requestSize = requestSize
        self.responseSize = responseSize
        self.parameters = parameters
        self.failure = failure
    }
}
