import Foundation
import OAuthCore

/// Receives the authorization response at a redirect URI.
package protocol RedirectReceiver: Sendable {
    /// Starts to listen for `redirect`. Call this before opening the browser.
    ///
    /// Each URL with the right path is passed to `deliver`. When that returns `false`, the receiver rejects the URL and
    /// keeps listening.
    func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver
}

/// A receiver that is listening.
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
