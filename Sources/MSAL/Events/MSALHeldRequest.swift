import Foundation
import OAuthCore

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
        self.exchange = exchange
        self.isEditable = isEditable
        self.expiresOn = expiresOn
        self.problem = problem
    }

    /// Why a change of it makes no request; `nil` if it does.
    package func problem(of edit: MSALRequestEdit) -> String? {
        let sent = exchange.parameters.filter { $0.place == .query || $0.place == .requestBody }
        return edit.problem(in: Parameters(sent.map { Parameters.Pair(name: $0.name, value: $0.value) }))
    }
}
