import Foundation
import KeyturnSystem
import MSAL
import OAuthCore

/// A broker that follows a script and records its requests.
package final class ScriptedBroker: Broker {
    /// Returns the JSON response to a request.
    package typealias Script = @Sendable (BrokerRequest) async throws(BrokerFailure) -> String

    private struct State {
        var presence = BrokerPresence.absent("No identity broker is on the session bus.")
        var requests: [BrokerRequest] = []
        var limits: [Double?] = []
        var script: Script?
    }

    private let state = Locked(State())

    package init() {}

    package var requests: [BrokerRequest] { state.withLock { $0.requests } }
    package var methods: [BrokerRequest.Method] { requests.map(\.method) }
    /// The time limit of each call in seconds, or `nil` for a call without one.
    package var limits: [Double?] { state.withLock { $0.limits } }

    /// Makes the broker available with a script.
    package func run(as presence: BrokerPresence = .running, _ script: @escaping Script) {
        state.withLock {
            $0.presence = presence
            $0.script = script
        }
    }

    package func presence() -> BrokerPresence { state.withLock { $0.presence } }

    package func response(
        to request: BrokerRequest, correlationID: UUID, within limit: Double?, whenCancelled: BrokerRequest?
    ) async throws(BrokerFailure) -> Secret {
        let script = state.withLock { state in
            state.requests.append(request)
            state.limits.append(limit)
            return state.script
        }
        guard let script else { throw BrokerFailure(.absent, reason: "There is none.") }
        do { return Secret(try await script(request)) } catch {
            if error.kind == .cancelled, let whenCancelled { state.withLock { $0.requests.append(whenCancelled) } }
            throw error
        }
    }
}
