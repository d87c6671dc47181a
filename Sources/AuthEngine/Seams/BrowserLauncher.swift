import Foundation

/// Shows a page to the person. Returns when the browser was started, not when the person is done.
package protocol BrowserLauncher: Sendable {
    func open(_ url: URL) async throws(BrowserLaunchFailure)
}

/// No browser could be started. The person can still open the address by hand, so this never ends a sign-in.
package struct BrowserLaunchFailure: Error, Sendable, Equatable {
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
