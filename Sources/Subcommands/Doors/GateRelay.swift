import Foundation
import KeyturnSystem
import LoopbackHTTP
import MSAL
import OAuthCore

/// One request and its response.
final class GateRelay: Sendable {
    struct Sent: Sendable {
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
        (self.stream, self.origin, self.door) = (stream, origin, door)
    }

    var sent: Sent { state.withLock { $0.sent } }

    /// Passes the response on while it comes. Returns the head of a 401, which isn't passed on, or an empty success.
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

    private func take(_ piece: [UInt8], of head: HTTPResponse, isHead: Bool) -> CurlTransport.BodyPiece {
        if head.status == 401 {
            return state.withLock { state in
                var rejection = state.rejection ?? head
                rejection.body += piece.prefix(max(0, HTTPResponse.mostReason - rejection.body.count))
                state.rejection = rejection
                state.dropped += piece.count
                // So much is read so that the connection can be used again.
                return state.dropped > 64 << 10 ? .stop : .taken
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
        guard stream.begin(response, isStreamed: isStreamed) else { return false }
        state.withLock { ($0.hasBegun, $0.sent.outcome) = (true, "\(response.status)") }
        return true
    }

    func reply(_ problem: DoorProblem) {
        let response = problem.response
        guard begin(response, isStreamed: false) else { return }
        state.withLock { ($0.sent.bytes, $0.sent.isWhole) = (response.body.count, true) }
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

/// The body of a request that can be sent again while little of it has been read.
final class RelayedBody: Sendable {
    private static let most = 64 << 10

    private struct State {
        var read: [UInt8] = []
        var isRepeatable = true
    }

    private let body: RequestBody
    private let state = Locked(State())

    init(_ body: RequestBody) { self.body = body }

    var isRepeatable: Bool { state.withLock { $0.isRepeatable } }

    /// A request without a body, but with a method that may have one.
    static let empty = CurlTransport.BodySource(length: 0) { _ in 0 }

    /// The body from its beginning. Only one source is read at a time.
    var source: CurlTransport.BodySource {
        let position = Locked(0)
        return CurlTransport.BodySource(length: body.length) { [self] room in
            position.withLock { position in
                let count = read(from: position, into: limited(room, at: position))
                if count > 0 { position += count }
                return count
            }
        }
    }

    /// No more room than for the announced length: what follows would be another request.
    private func limited(_ room: UnsafeMutableRawBufferPointer, at position: Int) -> UnsafeMutableRawBufferPointer {
        let left = body.length.map { max(0, Int($0) - position) } ?? room.count
        return UnsafeMutableRawBufferPointer(rebasing: room.prefix(left))
    }

    private func read(from position: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
        guard !room.isEmpty else { return 0 }
        let again = state.withLock { $0.read.dropFirst(position) }
        guard again.isEmpty else {
            room.copyBytes(from: again.prefix(room.count))
            return min(again.count, room.count)
        }
        let count = body.read(into: room)
        if count > 0 { remember(room.prefix(count)) }
        // Less than announced.
        return count == 0 && body.length != nil ? -1 : count
    }

    private func remember(_ piece: Slice<UnsafeMutableRawBufferPointer>) {
        state.withLock { state in
            guard state.isRepeatable, state.read.count + piece.count <= Self.most else {
                state = State(read: [], isRepeatable: false)
                return
            }
            state.read += piece
        }
    }
}
