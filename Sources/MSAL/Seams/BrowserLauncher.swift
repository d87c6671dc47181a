import Foundation
import OAuthCore

/// Opens a page in a browser. Returns when the browser has started. A browser that uses the terminal keeps it until the
/// browser exits or the task is cancelled.
package protocol BrowserLauncher: Sendable {
    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure)

    /// Throws if another user's process would serve the page, because the user may type a password there. Call this
    /// before any browser or user gets the page.
    func checkServer(of page: URL) throws(TransportFailure)
}

extension BrowserLauncher {
    /// Launchers in memory connect to no port.
    package func checkServer(of page: URL) {}
}

package struct BrowserPage: Sendable {
    package var url: URL
    /// Whether to open a private window. Not every browser supports it.
    package var isPrivate = false
    /// Lends the terminal to a browser that runs in one, or `nil` if it isn't available.
    package var lendTerminal: TerminalLender?
}

/// Releases the terminal, awaits `browsing`, and takes the terminal back.
package typealias TerminalLender = @Sendable (_ browsing: @Sendable () async -> Void) async -> Void

/// No browser was started. The user can still open the URL by hand if the program shows it.
package typealias BrowserLaunchFailure = ReasonedFailure<BrowserLaunchFailureKind>

package enum BrowserLaunchFailureKind: Sendable, Equatable {
    /// The user's browser command failed. It may have opened the page nevertheless.
    case commandFailed
    /// No program was started: no command is configured or can be started, and the system has no browser.
    case noBrowser
}

extension BrowserLaunchFailure {
    package init(reason: String) { self.init(.commandFailed, reason: reason) }
}
