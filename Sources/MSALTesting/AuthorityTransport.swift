import DemoAuthority
import Foundation
import KeyturnSystem
import MSAL
import OAuthCore

/// Passes requests to the built-in authority without a network, and records them.
package final class AuthorityTransport: HTTPTransport {
    package enum Trouble: Sendable, Equatable {
        case offline
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
        (self.origin, self.time, self.admitsAll) = (origin, time, admitsAll)
        state = Locked(State(authority: authority))
    }

    /// The requests since the last ``forget()``.
    package var requests: [HTTPRequest] { state.withLock { $0.requests } }

    package func forget() { state.withLock { $0.requests = [] } }

    package func trouble(_ trouble: Trouble?) { state.withLock { $0.trouble = trouble } }

    /// Responds to token requests in place of the authority, which then spends nothing; `nil` ends that.
    func play(tokenResponse: HTTPResponse?) { state.withLock { $0.tokenResponse = tokenResponse } }

    /// Runs `work` on the authority directly, without HTTP.
    package func atAuthority<T: Sendable>(_ work: @Sendable (inout DemoAuthority) throws -> T) rethrows -> T {
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
                return .success(state.tamper?(request, response) ?? response)
            }
        }
        let response = try result.get()
        // Nothing waits.
        let isLate = response.secondsPerByte * Double(response.body.count) > limit
        if isLate { throw TransportFailure(.timedOut, reason: "timed out") }
        return response
    }
}

struct LimitedTransport: HTTPTransport {
    let transport: AuthorityTransport
    let seconds: Double

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await transport.send(request, within: seconds)
    }
}
