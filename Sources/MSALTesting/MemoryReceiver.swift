import DemoAuthority
import Foundation
import KeyturnSystem
import MSAL
import OAuthCore

/// A receiver without a socket. Pretends to use port 51234; call ``deliver(_:)`` in place of an HTTP request.
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

    /// Delivers a URL to the listeners. Returns `false` when none accepts it.
    @discardableResult
    package func deliver(_ url: URL) -> Bool { state.withLock { $0.listeners.values }.contains { $0(url) } }

    package func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        let number = state.withLock { state in
            state.opened += 1
            state.listeners[state.opened] = deliver
            return state.opened
        }
        var components = URLComponents(url: redirect.url, resolvingAgainstBaseURL: false)
        if redirect.kind == .loopback { components?.port = redirect.url.port ?? 51234 }
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

/// A browser with a scripted user, who follows the authority's pages to the redirect URI.
package struct FollowingBrowser: BrowserLauncher {
    private let user: ScriptedUser
    private let receiver: MemoryReceiver
    private let change: @Sendable (URL) -> URL

    /// - Parameter change: changes the URL on the way to the receiver.
    package init(user: ScriptedUser, receiver: MemoryReceiver, change: @escaping @Sendable (URL) -> URL = { $0 }) {
        (self.user, self.receiver, self.change) = (user, receiver, change)
    }

    package func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        do {
            receiver.deliver(change(try await user.walk(from: page.url)))
        } catch {
            throw BrowserLaunchFailure(.noBrowser, reason: "The scripted user got stuck: \(error)")
        }
    }
}
