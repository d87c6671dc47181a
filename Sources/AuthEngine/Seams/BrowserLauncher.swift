import Foundation

/// Shows a page to the person. Returns when the browser was started, not when the person is done; one that takes the
/// terminal has it until it ends, or until the task is cancelled.
package protocol BrowserLauncher: Sendable {
    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure)
}

/// A page to show.
package struct BrowserPage: Sendable {
    package var url: URL
    /// Asks for a window that shares no session with the others and leaves none. Not every browser can be told so.
    package var isPrivate: Bool
    /// Makes this terminal free for a browser that draws in one; nil: it is not to be had.
    package var lendTerminal: TerminalLender?

    package init(url: URL, isPrivate: Bool = false, lendTerminal: TerminalLender? = nil) {
        self.url = url
        self.isPrivate = isPrivate
        self.lendTerminal = lendTerminal
    }
}

/// Frees the terminal, awaits what it is given, and takes the terminal back.
package typealias TerminalLender = @Sendable (_ browsing: @Sendable () async -> Void) async -> Void

/// No browser could be started. The person can still open the address by hand, so this never ends a sign-in.
package struct BrowserLaunchFailure: Error, Sendable, Equatable {
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
