import AuthEngine
import Foundation
import Testing

/// A browser that must not be opened.
package struct ForbiddenBrowser: BrowserLauncher {
    package init() {}

    package func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        Issue.record("A browser was opened where nothing may be shown")
        throw BrowserLaunchFailure(reason: "forbidden")
    }
}
