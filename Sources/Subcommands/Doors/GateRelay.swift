import Foundation
import KeyturnSystem
import LoopbackHTTP
import MSAL
import OAuthCore

/// One request and its response on their way through a gate.
final class GateRelay: Sendable {
    struct Sent: Sendable {
        /// For the line of the log.
        var outcome = "client left"
        var bytes = 0
        var isWhole = false
    }

    let stream: StreamedExchange
    private let origin: URL
    private let door: String
    private let state = Locked(State())

    private struct State {
        var sent = Sent()
        var hasBegun = false
        var rejection: HTTPResponse?
        var dropped = 0
    }

    init(stream: StreamedExchange, origin: URL, door: String) {
        self.stream = stream
        self.origin = origin
        self.door = door
    }

    var sent: Sent { state.withLock { $0.sent } }

    /// Sends the request, and passes the response on while it comes. Returns the head of a 401, which isn't passed on, or an empty
    /// success.
    func send(_ request: HTTPRequest, _ body: RelayedBody?, by transport: CurlTransport) async throws -> HTTPResponse {
        state.withLock { $0.rejection = nil }
        do throws(TransportFailure) {
            let source = body?.source ?? ([.get, .head].contains(request.method) ? nil : RelayedBody.empty)
            _ = try await transport.relay(request, from: source) { [self] head, piece in
                take(piece, of: head, isHead: request.method == .head)
            }
        } catch {
            // A rejection's body may be cut.
            guard let rejection = state.withLock({ $0.rejection }) else { throw error }
            return rejection
        }
        return state.withLock { state in
            state.sent.isWhole = state.rejection == nil
            return state.rejection ?? HTTPResponse(status: 200)
        }
    }

    /// The most of a rejection's body to read, so that the connection can be used again.
    private static let mostDropped = 64 << 10

    private func take(_ piece: [UInt8], of head: HTTPResponse, isHead: Bool) -> CurlTransport.BodyPiece {
        if head.status == 401 {
            return state.withLock { state in
                var rejection = state.rejection ?? head
                rejection.body += piece.prefix(
                    HTTPResponse.mostReason - min(rejection.body.count, HTTPResponse.mostReason))
                state.rejection = rejection
                state.dropped += piece.count
                return state.dropped > Self.mostDropped ? .stop : .taken
            }
        }
        if !state.withLock({ $0.hasBegun }) {
            var response = HTTPResponse(
                status: head.status, headers: GateHeaders.response(head, from: origin, at: door))
            response.version = head.version
            let isEmpty = [204, 304].contains(head.status) || (response.headers["Content-Length"] == "0" && !isHead)
            guard begin(response, isStreamed: !isEmpty) else { return .stop }
        }
        guard !piece.isEmpty else { return .taken }
        guard stream.write(piece) else { return .stop }
        state.withLock { $0.sent.bytes += piece.count }
        return .taken
    }

    private func begin(_ response: HTTPResponse, isStreamed: Bool) -> Bool {
        guard (try? stream.begin(response, isStreamed: isStreamed)) != nil else { return false }
        state.withLock { state in
            state.hasBegun = true
            state.sent.outcome = "\(response.status)"
        }
        return true
    }

    /// Responds in the place of the origin.
    func reply(_ problem: DoorProblem) {
        let response = problem.response
        guard begin(response, isStreamed: false) else { return }
        state.withLock { state in
            state.sent.bytes = response.body.count
            state.sent.isWhole = true
        }
    }

    func fail(_ failure: Failure) {
        let hasBegun = state.withLock { state in
            if state.hasBegun { state.sent.outcome += " cut:" }
            return state.hasBegun
        }
        guard !hasBegun, failure.exitCode != .cancelled else { return }
        reply(DoorProblem(failure))
    }
}
