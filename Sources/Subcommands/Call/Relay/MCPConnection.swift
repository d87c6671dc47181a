import Foundation
import JSON
import KeyturnSystem
import MSAL
import OAuthCore

/// The requests to one server, each with a token if the server requires one.
struct MCPConnection: Sendable {
    let url: URL
    let headers: HTTPHeaders
    let desk: TokenDesk
    @Boxed private var demand: Demand
    private let transport: CurlTransport

    init(_ call: APICall, _ desk: TokenDesk, _ demand: Demand, in environment: [String: String]) {
        (url, headers, self.desk, self.demand) = (call.url, call.headers, desk, demand)
        // Without a byte, a request ends after 600 seconds: as long as a tool may work.
        transport = CurlTransport(
            named: desk.profile.certificateAuthorityFile, environment: environment,
            limits: .init(totalSeconds: .infinity, idleSeconds: 600, bodyBytes: MCPMessage.mostBytes))
    }

    /// Passes a stream of events to `reception` while it arrives. Returns the last request and its response, with its body unless
    /// that is a stream.
    ///
    /// - Parameter mayInteract: whether a challenge may open the browser.
    func send(
        _ method: HTTPRequest.Method, _ body: [UInt8] = [], _ own: HTTPHeaders, mayInteract: Bool = false,
        into reception: MCPReception? = nil
    ) async throws -> (APICall, HTTPResponse) {
        var call = APICall(method, url, headers: headers, body: body)
        for field in own.fields { call.headers[field.name] = field.value }
        let conversation = APIConversation(first: call) { [transport] call in
            // A tool may take its time.
            try await MSALHTTPConfig.$slowRequests.withValue(nil) {
                try await transport.send(call.request) { head, piece in
                    guard let reception, MCPOutcome.isStream(head) else { return .collected }
                    return reception.take(head, piece)
                }
            }
        }
        return try await conversation.run { try await desk.token(for: demand, after: $0, mayInteract: mayInteract) }
    }
}

extension MCPConnection {
    /// Returns the last request with its response, or `nil` if that is a stream that broke.
    func post(
        _ message: MCPMessage, _ session: MCPSession, _ reception: MCPReception
    ) async throws -> (call: APICall, response: HTTPResponse)? {
        var headers = session.headers(for: message)
        headers["Content-Type"] = "application/json"
        headers["Accept"] = "application/json, text/event-stream"
        do {
            return try await send(.post, message.bytes, headers, mayInteract: true, into: reception)
        } catch  where reception.hasBegun && !Task.isCancelled {
            return nil
        }
    }

    /// Gets a stream of the server. Returns `false` if the server has none.
    func listen(_ reception: MCPReception, _ session: MCPSession, after id: String?) async throws -> Bool {
        reception.restart()
        var headers = session.headers
        headers["Accept"] = "text/event-stream"
        headers["Last-Event-ID"] = id
        do {
            let response = try await send(.get, [], headers, into: reception).1
            // 409: the server still has the former stream.
            return MCPOutcome.isStream(response) || response.status >= 500 || [409, 429].contains(response.status)
        } catch {
            try Task.checkCancellation()
            // The server may come back.
            return true
        }
    }

    /// Whether a server has only the transport of 2024-11-05, whose stream begins with the event `endpoint`.
    func isOld() async -> Bool {
        let isOld = Locked(false)
        let reception = MCPReception { _, event in
            isOld.withLock { $0 = event.name == "endpoint" }
            return true
        }
        _ = await within(.seconds(3)) { try? await listen(reception, MCPSession(), after: nil) }
        return isOld.withLock(\.self)
    }
}

/// A stream of events while it arrives, on one connection or on several after one another.
final class MCPReception: Sendable {
    /// Takes an event. Returns whether the rest of the stream isn't needed.
    typealias Sink = @Sendable (HTTPResponse, EventStream.Event) throws(TextSinkFailure) -> Bool

    private struct State {
        var stream = EventStream()
        var hasBegun = false
        var isEnough = false
        var count = 0
        var isTooLarge = false
    }

    private let state = Locked(State())
    private let sink: Sink

    init(_ sink: @escaping Sink) { self.sink = sink }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }
    var isEnough: Bool { state.withLock { $0.isEnough } }
    var isTooLarge: Bool { state.withLock { $0.isTooLarge } }
    var lastID: String? { state.withLock { $0.stream.lastID } }
    var count: Int { state.withLock { $0.count } }

    func restart() { state.withLock { $0.stream.restart() } }

    /// How long to wait before the next connection: as the server says, else twice as long after each vain attempt.
    func pause(afterVain attempts: Int) -> Duration {
        let usual = 1000 << min(attempts, 5)
        return .milliseconds(min(max(state.withLock { $0.stream.retry } ?? usual, 100), 30_000))
    }

    func take(_ head: HTTPResponse, _ piece: [UInt8]) -> CurlTransport.BodyPiece {
        let events: [EventStream.Event]? = state.withLock { state in
            state.hasBegun = true
            let events = try? state.stream.take(piece)
            if events == nil { state.isTooLarge = true }
            return events
        }
        guard let events else { return .stop }
        for event in events {
            state.withLock { $0.count += 1 }
            // Not under the lock, because the sink waits for whoever reads the output. It keeps its failure.
            let isEnough = (try? sink(head, event)) ?? true
            state.withLock { $0.isEnough = isEnough }
            if isEnough { return .stop }
        }
        return .taken
    }
}

enum MCPFailure {
    static let noResponse = Failure(
        .failed, name: "noResponse", "The server accepted the request without a response.",
        nextStep: "Ask the server's operator.")
    static let noMessage = Failure(
        .failed, name: "noMessage", "The server's response isn't a JSON-RPC response.",
        nextStep: "Check that the URL is that of a server for agents (MCP).")
    static let tooLarge = Failure(
        .failed, name: "bodyTooLarge",
        "The server's message is larger than the limit of \(MCPMessage.mostBytes >> 20) MiB.",
        nextStep: "Request less at once.")
    static let brokenStream = Failure(
        .network, name: "brokenStream", "The connection ended before the response.",
        nextStep: "The server may have done the work: look before you repeat it.")
    static let sessionLost = Failure(
        .failed, name: "sessionLost", "The server ended the session and starts no equal one.",
        nextStep: "Connect the client again.")
    static let oldTransport = Failure(
        .failed, name: "oldTransport", "The server has only the former transport (HTTP+SSE, 2024-11-05).",
        nextStep: "Look for its URL for Streamable HTTP, which often ends in /mcp.")
}

struct ServersError: Error {
    let body: [UInt8]
    let failure: Failure

    init(_ response: HTTPResponse, to call: APICall) {
        body = response.body
        failure = APIConversation.failure(response, to: call, hasBody: false) ?? MCPFailure.noMessage
    }
}

extension Failure {
    var dataOfError: JSONValue {
        JSONValue(members: [
            "domain": .string(domain), "code": JSONValue(code), "name": .string(name), "nextStep": .string(advice),
        ])
    }
}
