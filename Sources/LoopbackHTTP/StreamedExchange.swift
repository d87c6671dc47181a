import CMicroHTTPD
import Foundation
import KeyturnSystem
import OAuthCore

/// The body of a request that comes in pieces.
package struct RequestBody: Sendable {
    /// `nil` if the client doesn't announce it.
    package let length: Int64?
    fileprivate let pipe: BytePipe

    /// Waits for the next piece. Returns its length, 0 at the end, or -1 if the client left.
    package func read(into room: UnsafeMutableRawBufferPointer) -> Int { pipe.read(into: room) }
}

/// A request and its response, between the connection's thread and the handler's task.
package final class StreamedExchange: Sendable {
    let request: HTTPRequest
    /// `nil` for a request without a body, and for one whose body has been read.
    package let body: RequestBody?
    private let upload: BytePipe?
    private let seconds: Int?
    private let state = Locked(State())
    private let hasHead = DispatchSemaphore(value: 0)

    private struct State {
        var head: HTTPResponse?
        var download: BytePipe?
        var task: Task<Void, Never>?
        var isOver = false
    }

    /// - Parameter seconds: the time limit of a response to a whole request; `nil` to stream the body.
    init(_ request: HTTPRequest, seconds: Int? = nil) throws(SystemLimit) {
        self.request = request
        self.seconds = seconds
        // A coding counts more than a length (RFC 9112 §6.3).
        let isCoded = request.headers["Transfer-Encoding"] != nil
        let length = isCoded ? nil : request.headers["Content-Length"].flatMap { Int64($0) }
        let hasBody = seconds == nil && (isCoded || length ?? 0 > 0)
        upload = hasBody ? try BytePipe() : nil
        body = upload.map { RequestBody(length: length, pipe: $0) }
    }

    // The handler's side

    /// Begins the response. Its body, if it is streamed, comes from ``write(_:)``. Returns `false` at a limit of the system.
    package func begin(_ head: HTTPResponse, isStreamed: Bool = false) -> Bool {
        let pipe = isStreamed ? try? BytePipe() : nil
        guard !isStreamed || pipe != nil else { return false }
        state.withLock { state in
            if state.head == nil { (state.head, state.download) = (head, pipe) }
        }
        hasHead.signal()
        return true
    }

    /// Waits until the client takes the bytes. Returns `false` if it has gone.
    package func write(_ bytes: [UInt8]) -> Bool {
        let (pipe, isOver) = state.withLock { ($0.download, $0.isOver) }
        guard let pipe, !isOver else { return false }
        return bytes.withUnsafeBytes(pipe.write)
    }

    /// - Parameter isWhole: whether the client has got all of the response.
    func finish(isWhole: Bool) {
        upload?.stopReading()
        state.withLock { $0.download }?.stopWriting(isWhole: isWhole)
        hasHead.signal()
    }

    func begin(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            state.task = task
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    func cancel() {
        state.withLock { state in
            state.isOver = true
            return state.task
        }?.cancel()
        hasHead.signal()
    }

    // The connection's side

    func take(_ piece: UnsafeRawBufferPointer) {
        // The rest of a body that the handler no longer reads is dropped: no reply may be queued while it comes.
        _ = upload?.write(piece)
    }

    /// Blocks the connection's thread until there is a response, with its body if that is streamed.
    func response(_ isClientGone: () -> Bool) -> (head: HTTPResponse, body: BytePipe?) {
        upload?.stopWriting(isWhole: true)
        var isLate = false
        while hasHead.wait(timeout: .now() + .seconds(seconds ?? 1)) == .timedOut {
            isLate = seconds != nil
            if isLate || isClientGone() { cancel() }
        }
        let (head, pipe) = state.withLock { ($0.head, $0.download) }
        return (head ?? HTTPResponse(status: isLate ? 504 : 503, headers: ["Connection": "close"]), pipe)
    }

    func respond(on exchange: OpaquePointer) {
        let (head, pipe) = response { keyturn_http_client_is_gone(exchange) == 1 }
        guard let pipe else { return head.send(on: exchange) }
        let length = head.headers["Content-Length"].flatMap { Int64($0) } ?? -1
        if keyturn_http_reply_stream(exchange, UInt32(clamping: head.status), length, pipe.readingDescriptor) == 1 {
            head.sendHeaders(on: exchange)
        }
    }

    var isWhole: Bool { state.withLock { $0.download }?.isWhole ?? false }

    /// - Parameter isComplete: whether the client has got the whole response. Then the handler ends by itself.
    func end(isComplete: Bool) {
        upload?.stopWriting(isWhole: false)
        if !isComplete { cancel() }
        state.withLock { $0.download }?.stopReading()
    }
}

/// Answers requests whose bodies are streamed.
package protocol StreamHandler: Sendable {
    /// The response that rejects a request before its body is read; `nil` to go on.
    func admit(_ request: HTTPRequest) -> HTTPResponse?
    /// The response to a request that can't be read.
    func reject(_ status: Int, _ reason: String) -> HTTPResponse
    /// Returns whether the response is whole.
    func respond(to request: HTTPRequest, on stream: StreamedExchange) async -> Bool
}

/// Answers whole requests.
struct WholeHandler: StreamHandler {
    /// A handler needs much less time, so that one that hangs doesn't keep its connection's thread.
    static let seconds = 120

    let handler: LoopbackServer.Handler

    func admit(_: HTTPRequest) -> HTTPResponse? { nil }

    func reject(_ status: Int, _ reason: String) -> HTTPResponse {
        var headers: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8", "Connection": "close"]
        if status == 405 { headers["Allow"] = "GET, POST" }
        return HTTPResponse(status: status, headers: headers, body: Array("\(reason)\n".utf8))
    }

    func respond(to request: HTTPRequest, on stream: StreamedExchange) async -> Bool {
        stream.begin(await handler(request))
    }
}
