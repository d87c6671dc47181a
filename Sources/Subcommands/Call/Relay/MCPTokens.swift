import Foundation
import KeyturnSystem
import MSAL

/// The token of a relay, whose requests run at the same time: one of them gets it, and the others wait for it.
final class MCPTokens: Sendable {
    /// Gets the token for a demand: silently, or with a sign-in if that is allowed.
    ///
    /// `isShortLived`: the authority's tokens live so shortly that the cache would renew each at once. Another process's is
    /// then as good as a new one.
    typealias Source =
        @Sendable (
            _ demand: TokenDemand, _ mayInteract: Bool, _ isShortLived: Bool
        ) async throws -> TokenDemand.Outcome?

    private struct Flight {
        let demand: String
        let task: Task<TokenDemand.Outcome?, any Error>
    }

    private struct State {
        var held: TokenDemand.Outcome?
        var heldUntil = Date.distantPast
        var isShortLived = false
        var flight: Flight?
        /// The demands for which the user did not sign in. Another window would open for each further request.
        var prompted: Set<String> = []
    }

    private enum Choice {
        case held(TokenDemand.Outcome?)
        case own(Flight)
        case other(Flight)
    }

    private let state = Locked(State())
    private let source: Source
    private let now: @Sendable () -> Date
    private let limits: RejectionLimits

    init(now: @escaping @Sendable () -> Date, _ limits: RejectionLimits, _ source: @escaping Source) {
        self.source = source
        self.limits = limits
        self.now = now
    }

    /// The token for a demand.
    ///
    /// - Parameter rejected: the header with which the server demands another one.
    func token(
        for demand: TokenDemand, insteadOf rejected: String?, mayInteract: Bool
    ) async throws -> TokenDemand.Outcome? {
        while true {
            switch choice(demand, rejected, mayInteract) {
            case .held(let outcome): return outcome
            case .own(let flight): return try await flight.task.value
            case .other(let flight): _ = await flight.task.result
            }
            try Task.checkCancellation()
        }
    }

    /// Ends a sign-in that is still waiting for the user.
    func cancel() { state.withLock { $0.flight }?.task.cancel() }

    private func choice(_ demand: TokenDemand, _ rejected: String?, _ mayInteract: Bool) -> Choice {
        let now = now()
        return state.withLock { state in
            let isHeld = now < state.heldUntil
            if isHeld, demand.means == .first { return .held(state.held) }
            // Another request has replaced the token since.
            if isHeld, let held = state.held, let rejected, held.result.authorizationHeader != rejected {
                return .held(held)
            }
            let key = demand.key
            if let flight = state.flight { return flight.demand == key ? .own(flight) : .other(flight) }
            var demand = demand
            if demand.means == .refreshed { demand.mayRefresh = limits.allowsRefresh(of: state.held?.result.expiresOn) }
            let mayInteract = mayInteract && !state.prompted.contains(key)
            let isShortLived = state.isShortLived
            let task = Task(executorPreference: ThreadPool.current) { [self, demand] in
                let result: Result<TokenDemand.Outcome?, any Error>
                do { result = .success(try await source(demand, mayInteract, isShortLived)) } catch {
                    result = .failure(error)
                }
                return try land(result, demand, wasInteractive: mayInteract)
            }
            let flight = Flight(demand: key, task: task)
            state.flight = flight
            return .own(flight)
        }
    }

    private func land(
        _ result: Result<TokenDemand.Outcome?, any Error>, _ demand: TokenDemand, wasInteractive: Bool
    ) throws -> TokenDemand.Outcome? {
        let now = now()
        state.withLock { state in
            state.flight = nil
            switch result {
            case .success(let outcome):
                let token = outcome?.result
                // The held token stays if there is no other one.
                guard token != nil || demand.means == .first else { return }
                state.held = outcome
                state.held?.isOfSignIn = false
                state.heldUntil = Self.end(of: token?.expiresOn, now)
                if let token, !token.isFromCache, let expiry = token.expiresOn {
                    state.isShortLived = expiry.timeIntervalSince(now) < Self.shortLife
                }
                if token != nil { state.prompted = [] }
            case .failure(let error):
                guard wasInteractive, demand.means != .first, Failure(reporting: error).exitCode != .network else {
                    return
                }
                state.prompted.insert(demand.key)
            }
        }
        return try result.get()
    }

    /// How long to use a token without another look into the cache, which knows of sign-outs and of the user's other programs.
    /// It renews tokens of a short life each time, so those are used almost to their end.
    static func end(of expiry: Date?, _ now: Date) -> Date {
        let life = expiry?.timeIntervalSince(now) ?? .infinity
        return now + (life < shortLife ? life * 0.9 : longestUse)
    }

    private static let shortLife: TimeInterval = 150
    private static let longestUse: TimeInterval = 10
}
