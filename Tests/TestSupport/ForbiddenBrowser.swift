import AuthEngine
import Foundation

// The toolchain has no Testing to link into a program, and the benchmarks are one.
#if canImport(Testing)
import Testing
#endif

/// A browser that must not be opened.
package struct ForbiddenBrowser: BrowserLauncher {
    package init() {}

    package func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        #if canImport(Testing)
        Issue.record("A browser was opened where nothing may be shown")
        #endif
        throw BrowserLaunchFailure(reason: "forbidden")
    }
}
