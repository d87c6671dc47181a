import CMicroHTTPD
import Foundation
import KeyturnSystem
import OAuthCore

/// The body of a request that comes in pieces.
package struct RequestBody: Sendable {
    /// `nil` if the client doesn't announce it.
    package let length: Int64?
    private let pipe: BytePipe

    init(length: Int64?, _ pipe: BytePipe) {
        self.length = length
        self.pipe = pipe
    }

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
        body = upload.map { RequestBody(length: length, $0) }
    }

    // The handler's side

    /// Begins the response. Its body, if it has none, comes from ``write(_:)``.
    package func begin(_ head: HTTPResponse, isStreamed: Bool) throws(SystemLimit) {
        let pipe = isStreamed ? try BytePipe() : nil
        state.withLock { state in
            guard state.head == nil else { return }
            state.head = head
            state.download = pipe
        }
        hasHead.signal()
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
        let task = state.withLock { state in
            state.isOver = true
            return state.task
        }
        task?.cancel()
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
        guard keyturn_http_reply_stream(exchange, UInt32(clamping: head.status), length, pipe.readingDescriptor) == 1
        else {
            return
        }
        head.sendHeaders(on: exchange)
    }

    var isWhole: Bool { state.withLock { $0.download }?.isWhole ?? false }

    /// - Parameter isComplete: whether the client has got the whole response. Then the handler ends by itself.
    func end(isComplete: Bool) {
        upload?.stopWriting(isWhole: false)
        if !isComplete { cancel() }
        state.withLock { $0.download }?.stopReading()
    }
}

/// Answers requests: whole ones, or those whose bodies are streamed.
package struct StreamHandler: Sendable {
    /// The response that rejects a request before its body is read; `nil` to go on.
    let admit: @Sendable (HTTPRequest) -> HTTPResponse?
    /// Responds, and returns whether the response is whole.
    let respond: @Sendable (HTTPRequest, StreamedExchange) async -> Bool
    /// The response to a request that can't be read.
    let reject: @Sendable (_ status: Int, _ reason: String) -> HTTPResponse
    /// Seconds for the response to a whole request; `nil` to stream.
    private(set) var seconds: Int?

    var isStreamed: Bool { seconds == nil }

    package init(
        admit: @escaping @Sendable (HTTPRequest) -> HTTPResponse?,
        reject: @escaping @Sendable (_ status: Int, _ reason: String) -> HTTPResponse,
        respond: @escaping @Sendable (HTTPRequest, StreamedExchange) async -> Bool
    ) {
        self.admit = admit
        self.reject = reject
        self.respond = respond
    }

    /// Answers whole requests. A handler needs much less time, so that one that hangs doesn't keep its connection's thread.
    init(whole handler: @escaping LoopbackServer.Handler) {
        self.init(admit: { _ in nil }, reject: Self.reject) { request, exchange in
            (try? exchange.begin(await handler(request), isStreamed: false)) != nil
        }
        seconds = 120
    }

    @Sendable private static func reject(status: Int, reason: String) -> HTTPResponse {
        var headers: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8", "Connection": "close"]
        if status == 405 { headers["Allow"] = "GET, POST" }
        return HTTPResponse(status: status, headers: headers, body: Array("\(reason)\n".utf8))
    }
}
