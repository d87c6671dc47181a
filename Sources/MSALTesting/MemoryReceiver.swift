import AuthEngine
import Foundation
import Locks
import OAuthCore

/// A receiver without a socket. It binds port 51234 in name only; a test or a browser double calls ``deliver(_:)``.
package final class MemoryReceiver: RedirectReceiver {
    private struct State {
        var listeners: [Int: @Sendable (URL) -> Bool] = [:]
        var opened = 0
        var closed = 0
    }

    private let state = Locked(State())

    package init() {}

    package var opened: Int { state.withLock { $0.opened } }
    package var closed: Int { state.withLock { $0.closed } }

    /// What a request to the listener does. `false` when nobody listens or the address was not awaited.
    @discardableResult
    package func deliver(_ url: URL) -> Bool {
        state.withLock { $0.listeners.values }.contains { $0(url) }
    }

    package func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        let number = state.withLock { state in
            state.opened += 1
            state.listeners[state.opened] = deliver
            return state.opened
        }
        var components = URLComponents(url: redirect.url, resolvingAgainstBaseURL: false)
        if redirect.way == .loopback { components?.port = redirect.url.port ?? 51234 }
        return Open(receiver: self, number: number, redirectURI: components?.url ?? redirect.url)
    }

    private func close(_ number: Int) {
        state.withLock {
            $0.listeners[number] = nil
            $0.closed += 1
        }
    }

    private struct Open: OpenRedirectReceiver {
        let receiver: MemoryReceiver
        let number: Int
        let redirectURI: URL

        func close() async { receiver.close(number) }
    }
}
