import Foundation
import MSAL

/// A user who closes the page at once.
package struct CancellingBrowser: BrowserLauncher {
    package init() {}

    package func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        MSALPublicClientApplication.cancelCurrentWebAuthSession()
    }
}
