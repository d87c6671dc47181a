import Foundation
import OAuthCore

/// The identity broker of the person's session: it knows accounts of the organisation and gets tokens for them.
package protocol Broker: Sendable {
    /// Whether there is one to ask. Only the bus is asked, never the broker, and for a moment at most.
    func presence() -> BrokerPresence

    /// Sends one request. The answer is its text, which the engine reads.
    ///
    /// `limit` is in seconds; `nil` waits for as long as the person takes. Cancelling the calling task ends the call with
    /// ``BrokerFailure/Kind/cancelled``; then the broker is sent `whenCancelled`, and nobody waits long for its answer.
    func answer(
        to request: BrokerRequest, correlationID: UUID, within limit: Double?, whenCancelled: BrokerRequest?
    ) async throws(BrokerFailure) -> Secret
}

package enum BrokerPresence: Sendable, Equatable {
    case running
    /// The bus starts it when it is called.
    case startable
    /// Why, as a sentence.
    case absent(String)

    package var isThere: Bool {
        if case .absent = self { return false }
        return true
    }
}
