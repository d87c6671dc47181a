import KeyturnSystem
import MSAL
import OAuthCore

/// Holds requests to one endpoint back until the gate opens, and counts them.
package final class GatedTransport: HTTPTransport {
    private struct State {
        var isOpen = false
        var arrived = 0
        var cancelled = 0
        var held: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let transport: any HTTPTransport
    private let path: String
    private let state = Locked(State())

    package init(_ transport: any HTTPTransport, path: String = "/token") {
        self.transport = transport
        self.path = path
    }

    /// The number of held requests so far.
    package var arrived: Int { state.withLock { $0.arrived } }
    package var cancelled: Int { state.withLock { $0.cancelled } }

    /// Waits until a request is held.
    package func arrival(file: StaticString = #fileID, line: Int = #line) async throws {
        try await TestSupport.wait(until: "a request to \(path) has come", file: file, line: line) { arrived > 0 }
    }

    package func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [:] }
            return Array(state.held.values)
        }
        for continuation in held { continuation.resume() }
    }

    package func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.url.path().hasSuffix(path) { try await wait() }
        return try await transport.send(request)
    }

    private func wait() async throws(TransportFailure) {
        let number = state.withLock { state in
            state.arrived += 1
            return state.arrived
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    guard !state.isOpen, !Task.isCancelled else { return true }
                    state.held[number] = continuation
                    return false
                }
                if isFree { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.held.removeValue(forKey: number) }?.resume()
        }
        guard Task.isCancelled else { return }
        state.withLock { $0.cancelled += 1 }
        throw TransportFailure(.cancelled, reason: "cancelled")
    }
}
