import Foundation

/// Shows a page to the person. Returns when the browser was started, not when the person is done.
package protocol BrowserLauncher: Sendable {
    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure)
}

/// A page to show.
package struct BrowserPage: Sendable, Equatable {
    package var url: URL
    /// Asks for a window that shares no session with the others and leaves none. Not every browser can be told so.
    package var isPrivate: Bool

    package init(url: URL, isPrivate: Bool = false) {
        self.url = url
        self.isPrivate = isPrivate
    }
}

/// No browser could be started. The person can still open the address by hand, so this never ends a sign-in.
package struct BrowserLaunchFailure: Error, Sendable, Equatable {
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
