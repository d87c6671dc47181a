import Foundation
import MSAL

/// A user who closes the page at once.
struct CancellingBrowser: BrowserLauncher {
    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        MSALPublicClientApplication.cancelCurrentWebAuthSession()
    }
}
