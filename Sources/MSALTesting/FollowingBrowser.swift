import DemoAuthority
import Foundation
import MSAL
import OAuthCore

/// A browser with a scripted user, who follows the authority's pages to the redirect URI.
package struct FollowingBrowser: BrowserLauncher {
    private let user: ScriptedUser
    private let receiver: MemoryReceiver
    private let change: @Sendable (URL) -> URL

    /// - Parameter change: changes the URL on the way to the receiver.
    package init(
        user: ScriptedUser, receiver: MemoryReceiver, change: @escaping @Sendable (URL) -> URL = { $0 }
    ) {
        self.user = user
        self.receiver = receiver
        self.change = change
    }

    package func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        do {
            let landing = try await user.walk(from: page.url)
            receiver.deliver(change(landing))
        } catch {
            throw BrowserLaunchFailure(.noBrowser, reason: "The scripted user got stuck: \(error)")
        }
    }
}
