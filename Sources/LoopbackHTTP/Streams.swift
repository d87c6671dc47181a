import CMicroHTTPD
import KeyturnSystem
import OAuthCore

/// The streamed exchanges of a server.
final class Streams: Sendable {
    private let port: UInt16
    private let handler: StreamHandler
    /// The pool of the task that started the server, because libmicrohttpd's threads have none.
    private let pool = ThreadPool.current
    private let state = Locked(State())

    private struct State {
        var running: [ObjectIdentifier: StreamedExchange] = [:]
        var isAbandoned = false
    }

    init(port: UInt16, _ handler: StreamHandler) {
        self.port = port
        self.handler = handler
    }

    /// Begins an exchange when the header of its request has come.
    func begin(_ exchange: OpaquePointer) {
        switch HTTPRequest.read(from: exchange, scheme: "http", port: port, relays: true) {
        case .failure(let rejection):
            handler.reject(rejection.response.status, rejection.reason).send(on: exchange)
        case .success(let request):
            if let rejection = PeerCheck.rejection(of: request, port: port) {
                return handler.reject(rejection.response.status, rejection.reason).send(on: exchange)
            }
            if let response = handler.admit(request) { return response.send(on: exchange) }
            guard let stream = try? StreamedExchange(request), add(stream) else {
                return handler.reject(503, "There is no room for another request. Try again.").send(on: exchange)
            }
            keyturn_http_set_state(exchange, Unmanaged.passRetained(stream).toOpaque())
            stream.begin(
                Task(executorPreference: pool) { [handler, pool] in
                    let isWhole = await ThreadPool.$current.withValue(pool) { await handler.respond(request, stream) }
                    stream.finish(isWhole: isWhole)
                })
        }
    }

    /// What libmicrohttpd calls. Not retained, because the server and all its calls end before the streams are released.
    var handlers: keyturn_http_handlers {
        keyturn_http_handlers(
            context: Unmanaged.passUnretained(self).toOpaque(),
            came: { _, exchange in
                guard let exchange, let stream = Streams.stream(keyturn_http_state(exchange)) else { return }
                stream.respond(on: exchange)
            },
            tls_came: nil,
            may_connect: { context, address, port in
                guard let context, let address else { return 0 }
                let streams = Unmanaged<Streams>.fromOpaque(context).takeUnretainedValue()
                return PeerCheck.isOwn(String(cString: address), port, of: streams.port) ? 1 : 0
            },
            began: { context, exchange in
                guard let context, let exchange else { return }
                Unmanaged<Streams>.fromOpaque(context).takeUnretainedValue().begin(exchange)
            },
            body_came: { state, bytes, length in
                Streams.stream(state)?.take(UnsafeRawBufferPointer(start: bytes, count: length))
            },
            is_whole: { state in Streams.stream(state)?.isWhole == true ? 1 : 0 },
            ended: { context, state, isComplete in
                guard let context, let state else { return }
                let stream = Unmanaged<StreamedExchange>.fromOpaque(state).takeRetainedValue()
                Unmanaged<Streams>.fromOpaque(context).takeUnretainedValue().end(
                    stream, isComplete: isComplete == 1)
            })
    }

    private static func stream(_ state: UnsafeMutableRawPointer?) -> StreamedExchange? {
        state.map { Unmanaged<StreamedExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private func add(_ stream: StreamedExchange) -> Bool {
        state.withLock { state in
            guard !state.isAbandoned else { return false }
            state.running[ObjectIdentifier(stream)] = stream
            return true
        }
    }

    private func end(_ stream: StreamedExchange, isComplete: Bool) {
        state.withLock { _ = $0.running.removeValue(forKey: ObjectIdentifier(stream)) }
        stream.end(isComplete: isComplete)
    }

    /// Ends all exchanges: their tasks let the connections' threads go.
    func abandon() {
        let running = state.withLock { state in
            state.isAbandoned = true
            return Array(state.running.values)
        }
        for stream in running { stream.cancel() }
    }
}
