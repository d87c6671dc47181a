import Foundation
import MSAL

// The toolchain has no Testing library for programs, and the benchmarks are one.
#if canImport(Testing)
import Testing
#endif

/// A browser that must not be opened.
package struct ForbiddenBrowser: BrowserLauncher {
    package init() {}

    package func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        #if canImport(Testing)
        Issue.record("A browser was opened in a silent call")
        #endif
        throw BrowserLaunchFailure(reason: "forbidden")
    }
}
