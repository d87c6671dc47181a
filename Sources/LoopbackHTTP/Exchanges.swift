import CMicroHTTPD
import KeyturnSystem
import OAuthCore

/// Passes requests from libmicrohttpd's threads to the handler's tasks, and the responses back.
final class Exchanges: Sendable {
    private let port: UInt16
    private let scheme: String
    private let handler: any StreamHandler
    /// For the response to a whole request; `nil` to stream.
    private let seconds: Int?
    /// Called when a client begins a TLS handshake at a server without TLS.
    private let tlsCame: @Sendable () -> Void
    /// The pool of the task that started the server, because libmicrohttpd's threads have none.
    private let pool = ThreadPool.current
    private let state = Locked(State())

    private struct State {
        var running: [ObjectIdentifier: StreamedExchange] = [:]
        var isAbandoned = false
    }

    init(
        port: UInt16, scheme: String, _ handler: any StreamHandler, seconds: Int?,
        tlsCame: @escaping @Sendable () -> Void
    ) {
        (self.port, self.scheme, self.handler) = (port, scheme, handler)
        (self.seconds, self.tlsCame) = (seconds, tlsCame)
    }

    private var isStreamed: Bool { seconds == nil }

    /// What libmicrohttpd calls. Not retained, because the server and all its calls end before the exchanges are released.
    var handlers: keyturn_http_handlers {
        var handlers = keyturn_http_handlers(
            context: Unmanaged.passUnretained(self).toOpaque(),
            came: { context, exchange in
                guard let exchange, let exchanges = Exchanges.exchanges(context) else { return }
                if !exchanges.isStreamed { exchanges.begin(exchange) }
                Exchanges.stream(keyturn_http_state(exchange))?.respond(on: exchange)
            },
            tls_came: { Exchanges.exchanges($0)?.tlsCame() }, may_connect: nil, began: nil,
            body_came: { state, bytes, length in
                Exchanges.stream(state)?.take(UnsafeRawBufferPointer(start: bytes, count: length))
            },
            is_whole: { state in Exchanges.stream(state)?.isWhole == true ? 1 : 0 },
            ended: { context, state, isComplete in
                guard let state else { return }
                let stream = Unmanaged<StreamedExchange>.fromOpaque(state).takeRetainedValue()
                Exchanges.exchanges(context)?.end(stream, isComplete: isComplete == 1)
            })
        guard isStreamed else { return handlers }
        handlers.may_connect = { context, address, port in
            guard let address, let exchanges = Exchanges.exchanges(context) else { return 0 }
            return PeerCheck.isOwn(String(cString: address), port, of: exchanges.port) ? 1 : 0
        }
        handlers.began = { context, exchange in
            guard let exchange else { return }
            Exchanges.exchanges(context)?.begin(exchange)
        }
        return handlers
    }

    private static func exchanges(_ context: UnsafeMutableRawPointer?) -> Exchanges? {
        context.map { Unmanaged<Exchanges>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func stream(_ state: UnsafeMutableRawPointer?) -> StreamedExchange? {
        state.map { Unmanaged<StreamedExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Begins an exchange when its request has come, or the header of one that is streamed.
    private func begin(_ exchange: OpaquePointer) {
        do throws(RejectedRequest) {
            let request = try HTTPRequest(exchange, scheme: scheme, port: port, relays: isStreamed)
            if isStreamed, let rejection = PeerCheck.rejection(of: request, port: port) { throw rejection }
            if let response = handler.admit(request) { return response.send(on: exchange) }
            guard let stream = try? StreamedExchange(request, seconds: seconds), add(stream) else {
                throw RejectedRequest(status: 503, "There is no room for another request. Try again.")
            }
            keyturn_http_set_state(exchange, Unmanaged.passRetained(stream).toOpaque())
            stream.begin(
                Task(executorPreference: pool) { [handler, pool] in
                    let isWhole = await ThreadPool.$current.withValue(pool) {
                        await handler.respond(to: request, on: stream)
                    }
                    stream.finish(isWhole: isWhole)
                })
        } catch {
            handler.reject(error.status, error.reason).send(on: exchange)
        }
    }

    private func add(_ stream: StreamedExchange) -> Bool {
        state.withLock { state in
            if !state.isAbandoned { state.running[ObjectIdentifier(stream)] = stream }
            return !state.isAbandoned
        }
    }

    private func end(_ stream: StreamedExchange, isComplete: Bool) {
        state.withLock { _ = $0.running.removeValue(forKey: ObjectIdentifier(stream)) }
        stream.end(isComplete: isComplete)
    }

    /// Lets all connections' threads go without waiting for their tasks, which may need the calling thread.
    func abandon() {
        let running = state.withLock { state in
            state.isAbandoned = true
            return Array(state.running.values)
        }
        for stream in running { stream.cancel() }
    }
}
