import Foundation
import OAuthCore

/// Stands where the person's browser will land.
package protocol RedirectReceiver: Sendable {
    /// Starts to listen for `redirect`, before the browser opens.
    ///
    /// `deliver` is called with each address that arrives on the right path; it answers `false` for one that does not
    /// belong to the waiting sign-in, and the receiver then refuses that one and waits on.
    func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver
}

/// A receiver that listens.
package protocol OpenRedirectReceiver: Sendable {
    /// The redirect URI to send to the authority: as configured, with the port that was bound.
    var redirectURI: URL { get }

    /// Where it listens, when the browser reaches that only if something forwards the redirect URI's port to it.
    var forwarding: String? { get }

    /// Stops listening. Lets a page that is being shown finish first, for a moment.
    func close() async
}

extension OpenRedirectReceiver {
    package var forwarding: String? { nil }
}
