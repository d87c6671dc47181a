import CMicroHTTPD
import Foundation
import KeyturnSystem
import OAuthCore

/// Passes requests from libmicrohttpd's threads to the handler's tasks, and the responses back.
final class Exchanges: Sendable {
    private let port: UInt16
    private let scheme: String
    private let handler: LoopbackServer.Handler
    /// Called when a client begins a TLS handshake at a server without TLS.
    let tlsCame: @Sendable () -> Void
    /// The pool of the task that started the server, because libmicrohttpd's threads have none.
    private let pool = ThreadPool.current
    /// Seconds for a response.
    private let limit: Int
    private let state = Locked(State())

    private struct State {
        var waiting: [UInt64: Waiting] = [:]
        var nextID: UInt64 = 0
        var isAbandoned = false
    }

    /// A thread that waits for a task.
    private final class Waiting: Sendable {
        let response = Locked<HTTPResponse?>(nil)
        let task = Locked<Task<Void, Never>?>(nil)
        let done = DispatchSemaphore(value: 0)
    }

    init(
        port: UInt16, scheme: String, limit: Int = usualLimit, handler: @escaping LoopbackServer.Handler,
        tlsCame: @escaping @Sendable () -> Void
    ) {
        self.limit = limit
        self.tlsCame = tlsCame
        self.port = port
        self.scheme = scheme
        self.handler = handler
    }

    /// What libmicrohttpd calls. Not retained, because the server and all its calls end before the exchanges are released.
    var handlers: keyturn_http_handlers {
        keyturn_http_handlers(
            context: Unmanaged.passUnretained(self).toOpaque(),
            came: { context, exchange in
                guard let exchange else { return }
                Exchanges.exchanges(context)?.respond(exchange)
            },
            tls_came: { Exchanges.exchanges($0)?.tlsCame() }, may_connect: nil, began: nil, body_came: nil,
            is_whole: nil,
            ended: nil)
    }

    private static func exchanges(_ context: UnsafeMutableRawPointer?) -> Exchanges? {
        context.map { Unmanaged<Exchanges>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Blocks the connection's thread until there is a response.
    func respond(_ exchange: OpaquePointer) {
        let response =
            switch HTTPRequest.read(from: exchange, scheme: scheme, port: port) {
            case .success(let request): serve(request)
            case .failure(let rejection): rejection.response
            }
        response.send(on: exchange)
    }

    func serve(_ request: HTTPRequest) -> HTTPResponse {
        let waiting = Waiting()
        let id: UInt64? = state.withLock { state in
            guard !state.isAbandoned else { return nil }
            state.nextID += 1
            state.waiting[state.nextID] = waiting
            return state.nextID
        }
        guard let id else { return Self.closing }
        let task = Task(executorPreference: pool) { [handler, pool] in
            let response = await ThreadPool.$current.withValue(pool) { await handler(request) }
            waiting.response.withLock { $0 = response }
            waiting.done.signal()
        }
        waiting.task.withLock { $0 = task }
        let isLate = waiting.done.wait(timeout: .now() + .seconds(limit)) == .timedOut
        let wasAbandoned = state.withLock { state in
            state.waiting[id] = nil
            return state.isAbandoned
        }
        if wasAbandoned || isLate { task.cancel() }
        return waiting.response.withLock { $0 } ?? (isLate ? Self.tooLate : Self.closing)
    }

    /// Releases all waiting threads without waiting for their tasks, which may need the calling thread.
    func abandon() {
        let waiting = state.withLock { state in
            state.isAbandoned = true
            return Array(state.waiting.values)
        }
        for one in waiting {
            one.task.withLock { $0?.cancel() }
            one.done.signal()
        }
    }

    /// A handler needs much less, so that one that hangs doesn't keep its connection's thread.
    static let usualLimit = 120

    private static let tooLate = HTTPResponse(status: 504, headers: ["Connection": "close"])
    private static let closing = HTTPResponse(status: 503, headers: ["Connection": "close"])
}
