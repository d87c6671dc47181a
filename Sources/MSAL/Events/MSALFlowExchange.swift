import Foundation
import OAuthCore

/// A finished HTTP exchange of a flow, for inspection. Not in MSAL for iOS and macOS.
///
/// Exchanges contain no secrets. You can show them; to save or send them, use ``MSALFlowParameter/shareableValue``.
public struct MSALFlowExchange: Sendable, Equatable {
    /// The parties of an exchange.
    public enum Direction: String, Sendable, CaseIterable {
        /// A request of this program to the authority, and the response.
        case backChannel
        /// A page of the authority that was opened in the browser. The program doesn't see what happens there.
        case frontChannelRequest
        /// The redirect of the browser to the redirect URI.
        case frontChannelResponse
        /// A request of this program to an API, and the response.
        case resource
    }

    /// The number of the exchange within the request, from 1.
    public package(set) var number: Int
    /// The parties of the exchange.
    public let direction: Direction
    /// The ID of the request in logs.
    public let correlationId: UUID
    /// The time at which the exchange started.
    public let startDate: Date
    /// Seconds until the response or the failure.
    public let duration: TimeInterval
    /// The HTTP method, such as "GET".
    public let method: String
    /// The scheme, host and path of the URL. The query is in ``parameters``.
    public let address: String
    /// The HTTP status, or `nil` without a response or when the browser received it.
    public let status: Int?
    /// The media type of the response, without its parameters.
    public let mediaType: String?
    /// The size of the request body in bytes.
    public let requestSize: Int
    /// The size of the response body in bytes.
    public let responseSize: Int
    /// The parameters of the request and the response, in order; members of JSON sorted by name.
    public let parameters: [MSALFlowParameter]
    /// What the user changed in the request, without values (``MSALRequestEdit``).
    public let changes: [String]
    /// The reason why no response arrived, in one line.
    public let failure: String?

    /// Creates an exchange.
    public init(
        number: Int, direction: Direction, correlationId: UUID, startDate: Date, duration: TimeInterval = 0,
        method: String = "GET", address: String, status: Int? = nil, mediaType: String? = nil, requestSize: Int = 0,
        responseSize: Int = 0, parameters: [MSALFlowParameter] = [], changes: [String] = [], failure: String? = nil
    ) {
        (self.number, self.direction, self.correlationId) = (number, direction, correlationId)
        (self.startDate, self.duration, self.method, self.address) = (startDate, duration, method, address)
        (self.status, self.mediaType, self.requestSize) = (status, mediaType, requestSize)
        (self.responseSize, self.parameters, self.changes, self.failure) = (responseSize, parameters, changes, failure)
    }
}

/// A request that a flow is about to send, and holds until a person releases it (`keyturn step`). Not in MSAL for iOS and macOS.
///
/// It contains no secrets. See ``MSALParameters/flowRequestHandler``.
public struct MSALHeldRequest: Sendable, Equatable {
    /// The request as its exchange will show it, without a response.
    public let exchange: MSALFlowExchange
    /// Whether its parameters can be changed: it's a form, or a page for the browser.
    public let isEditable: Bool
    /// The time until which the authority accepts it, or `nil` if it has not said so.
    public let expiresOn: Date?
    /// Why the last changes make no request, so that it's held again.
    public let problem: String?

    /// Creates a held request.
    public init(exchange: MSALFlowExchange, isEditable: Bool, expiresOn: Date? = nil, problem: String? = nil) {
        (self.exchange, self.isEditable, self.expiresOn, self.problem) = (exchange, isEditable, expiresOn, problem)
    }

    /// Why a change of it makes no request; `nil` if it does.
    package func problem(of edit: MSALRequestEdit) -> String? {
        let sent = exchange.parameters.filter { $0.place == .query || $0.place == .requestBody }
        return edit.problem(in: Parameters(sent.map { Parameters.Pair(name: $0.name, value: $0.value) }))
    }
}
