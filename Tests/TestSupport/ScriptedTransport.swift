import KeyturnSystem
import MSAL
import OAuthCore

/// Responds to each request with the next line of a script, and records the requests.
package final class ScriptedTransport: HTTPTransport {
    package typealias Answer = @Sendable (HTTPRequest) throws(TransportFailure) -> HTTPResponse

    private struct State {
        var answers: [Answer]
        var requests: [HTTPRequest] = []
    }

    private let state: Locked<State>

    package init(_ answers: [Answer]) {
        state = Locked(State(answers: answers))
    }

    package var requests: [HTTPRequest] { state.withLock { $0.requests } }

    package func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let answer: Answer? = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else { throw TransportFailure(.couldNotConnect, reason: "the script has ended") }
        return try answer(request)
    }
}
