import DemoAuthority
import Foundation
import KeyturnSystem
import MSAL
import OAuthCore

/// Passes requests to the built-in authority without a network, and records them.
package final class AuthorityTransport: HTTPTransport {
    /// A simulated fault of the network or the authority.
    package enum Trouble: Sendable, Equatable {
        case offline
        /// This computer has no network.
        case unplugged
        case status(Int)
    }

    private struct State {
        var authority: DemoAuthority
        var requests: [HTTPRequest] = []
        var trouble: Trouble?
        var tokenResponse: HTTPResponse?
        var tamper: (@Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse)?
    }

    package let origin: URL
    private let time: any TimeSource
    /// Whether the authority is at every host, and has the tenants and scopes that requests name.
    private let admitsAll: Bool
    private let state: Locked<State>

    package init(origin: URL, authority: DemoAuthority, time: any TimeSource, admitsAll: Bool = false) {
        self.admitsAll = admitsAll
        self.origin = origin
        self.time = time
        state = Locked(State(authority: authority))
    }

    /// The requests since the last ``forget()``.
    package var requests: [HTTPRequest] { state.withLock { $0.requests } }

    package func forget() { state.withLock { $0.requests = [] } }

    package func trouble(_ trouble: Trouble?) { state.withLock { $0.trouble = trouble } }

    /// Responds to token requests in place of the authority, which then spends nothing; `nil` ends that.
    func play(tokenResponse: HTTPResponse?) { state.withLock { $0.tokenResponse = tokenResponse } }

    /// Runs `work` on the authority directly, without HTTP.
    package func atAuthority<Result: Sendable>(_ work: @Sendable (inout DemoAuthority) throws -> Result) rethrows
        -> Result
    {
        try state.withLock { try work(&$0.authority) }
    }

    /// Changes every response in transit, to simulate a faulty authority.
    package func tamper(_ change: (@Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse)?) {
        state.withLock { $0.tamper = change }
    }

    package func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await send(request, within: MSALHTTPConfig().timeoutIntervalForRequest)
    }

    /// - Parameter limit: seconds after which a response would be too late.
    func send(_ request: HTTPRequest, within limit: Double) async throws(TransportFailure) -> HTTPResponse {
        if Task.isCancelled { throw TransportFailure(.cancelled, reason: "cancelled") }
        let now = time.now()
        let result: Result<HTTPResponse, TransportFailure> = state.withLock { [admitsAll] state in
            state.requests.append(request)
            if admitsAll { state.authority.admit(request) }
            switch state.trouble {
            case .offline: return .failure(TransportFailure(.couldNotConnect, reason: "connection refused"))
            case .unplugged:
                let host = request.url.host() ?? "the server"
                return .failure(TransportFailure(.offline, reason: "Can't resolve \(host) (DNS)."))
            case .status(let status): return .success(HTTPResponse(status: status))
            case nil:
                let played = request.url.lastPathComponent == "token" ? state.tokenResponse : nil
                let response = played ?? state.authority.respond(to: request, at: now)
                return Self.arrived(state.tamper?(request, response) ?? response, within: limit)
            }
        }
        return try result.get()
    }

    /// The response, or a timeout if it would take longer than the limit. Nothing waits.
    private static func arrived(
        _ response: HTTPResponse, within limit: Double
    ) -> Result<HTTPResponse, TransportFailure> {
        guard response.secondsPerByte * Double(response.body.count) > limit else { return .success(response) }
        return .failure(TransportFailure(.timedOut, reason: "timed out"))
    }
}

/// The transport of one application, with its time limit.
struct LimitedTransport: HTTPTransport {
    let transport: AuthorityTransport
    let seconds: Double

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await transport.send(request, within: seconds)
    }
}
