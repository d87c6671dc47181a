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

/// Receives the authorization response at a redirect URI.
package protocol RedirectReceiver: Sendable {
    /// Starts to listen for `redirect`. Call this before opening the browser.
    ///
    /// Passes each URL with the right path to `deliver`. When that returns `false`, rejects the URL and keeps listening.
    func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver
}

package protocol OpenRedirectReceiver: Sendable {
    /// The redirect URI for the authority, with the actual port.
    var redirectURI: URL { get }

    /// The listening address, if the browser can reach it only through a forwarded port.
    var forwarding: String? { get }

    /// Who comes, each kind once. For one task only.
    var visits: AsyncStream<RedirectVisit> { get }

    /// Stops listening. Waits briefly for a response page that is still being sent.
    func close() async
}

extension OpenRedirectReceiver {
    package var forwarding: String? { nil }
    package var visits: AsyncStream<RedirectVisit> { AsyncStream { $0.finish() } }
}

/// A request that came to the redirect URI without being the response.
package enum RedirectVisit: Sendable, CaseIterable {
    /// With https, which a listener has no certificate for.
    case secure
    /// With a larger header than the receiver reads.
    case oversized
    /// With a response to another path: the authority accepts another redirect URI than this one.
    case elsewhere
    /// With any content, perhaps the response.
    case request

    /// The largest header, with the target of the request.
    package static let mostHeaderBytes = 256 << 10
}

/// Tells the program of the progress of an interactive sign-in.
package protocol WebAuthNotices: Sendable {
    func post(_ notice: WebAuthNotice)
}

/// URLs never contain a code.
package enum WebAuthNotice: Sendable, Equatable {
    case didStartLoad(URL)
    case didFinishLoad(URL)
    case didComplete(URL)
    case didFail(MSALAuthenticationError)

    package var name: String {
        switch self {
        case .didStartLoad: MSALWebAuthDidStartLoadNotification
        case .didFinishLoad: MSALWebAuthDidFinishLoadNotification
        case .didComplete: MSALWebAuthDidCompleteNotification
        case .didFail: MSALWebAuthDidFailNotification
        }
    }

    package var userInfo: [String: Any] {
        switch self {
        case .didStartLoad(let url), .didFinishLoad(let url), .didComplete(let url): ["url": url]
        case .didFail(let error): ["error": error]
        }
    }
}
