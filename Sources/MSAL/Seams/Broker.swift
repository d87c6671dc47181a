import Foundation
import OAuthCore

/// The identity broker of the user's session, which gets tokens for an organisation's accounts.
package protocol Broker: Sendable {
    /// Returns whether a broker is available. Queries only the bus, not the broker, and returns quickly.
    func presence() -> BrokerPresence

    /// Sends a request and returns the text of the response.
    ///
    /// `limit` is in seconds; `nil` waits for the user without limit. Cancelling the task throws
    /// ``BrokerFailure/Kind/cancelled`` and sends `whenCancelled` to the broker, with only a short wait for its
    /// response.
    func response(
        to request: BrokerRequest, correlationID: UUID, within limit: Double?, whenCancelled: BrokerRequest?
    ) async throws(BrokerFailure) -> Secret
}

package enum BrokerPresence: Sendable, Equatable {
    case running
    /// The bus starts the broker when it is called.
    case startable
    /// No broker is available. The reason is a sentence.
    case absent(String)

    package var isThere: Bool {
        if case .absent = self { return false }
        return true
    }
}
