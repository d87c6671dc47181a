import CMicroHTTPD
import Foundation
import Locks
import OAuthCore
import Tasks

/// Carries requests from libmicrohttpd's threads to the handler's tasks, and the answers back.
final class Exchanges: Sendable {
    private let port: UInt16
    private let scheme: String
    private let handler: LoopbackServer.Handler
    /// Where the tasks of the one that started the server run; libmicrohttpd's threads know none.
    private let pool = ThreadPool.current
    private let state = Locked(State())

    private struct State {
        var waiting: [UInt64: Waiting] = [:]
        var nextID: UInt64 = 0
        var isAbandoned = false
    }

    /// One thread that waits for one task.
    private final class Waiting: Sendable {
        let response = Locked<HTTPResponse?>(nil)
        let task = Locked<Task<Void, Never>?>(nil)
        let done = DispatchSemaphore(value: 0)
    }

    init(port: UInt16, scheme: String, handler: @escaping LoopbackServer.Handler) {
        self.port = port
        self.scheme = scheme
        self.handler = handler
    }

    /// Called on the connection's thread, which it blocks until there is an answer.
    func answer(_ exchange: OpaquePointer) {
        let response =
            switch HTTPRequest.read(from: exchange, scheme: scheme, port: port) {
            case .success(let request): answer(request)
            case .failure(let refusal): refusal.response
            }
        response.send(on: exchange)
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
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
        waiting.done.wait()
        let wasAbandoned = state.withLock { state in
            state.waiting[id] = nil
            return state.isAbandoned
        }
        if wasAbandoned { task.cancel() }
        return waiting.response.withLock { $0 } ?? Self.closing
    }

    /// Frees every waiting thread, without waiting for its task: tasks may need the thread that calls this.
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

    private static let closing = HTTPResponse(status: 503, headers: ["Connection": "close"])
}
