import AuthEngine
import Foundation
import Locks
import OAuthCore

/// A receiver without a socket. It binds port 51234 in name only; a test or a browser double calls ``deliver(_:)``.
package final class MemoryReceiver: RedirectReceiver {
    private struct State {
        var deliver: (@Sendable (URL) -> Bool)?
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
        state.withLock { $0.deliver }?(url) ?? false
    }

    package func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        state.withLock {
            $0.deliver = deliver
            $0.opened += 1
        }
        var components = URLComponents(url: redirect.url, resolvingAgainstBaseURL: false)
        if redirect.way == .loopback { components?.port = redirect.url.port ?? 51234 }
        return Open(receiver: self, redirectURI: components?.url ?? redirect.url)
    }

    private func close() {
        state.withLock {
            $0.deliver = nil
            $0.closed += 1
        }
    }

    private struct Open: OpenRedirectReceiver {
        let receiver: MemoryReceiver
        let redirectURI: URL

        func close() async { receiver.close() }
    }
}
