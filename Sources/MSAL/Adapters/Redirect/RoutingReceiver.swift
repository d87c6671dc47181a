import Foundation
import OAuthCore

/// Receives authorization responses in the way that the redirect URI requires.
package struct RoutingReceiver: RedirectReceiver {
    private let loopback: any RedirectReceiver
    private let opened: any RedirectReceiver

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - loopback: for loopback redirect URIs.
    ///   - opened: for URLs that the desktop opens the program with.
    package init(loopback: any RedirectReceiver, opened: any RedirectReceiver) {
        self.loopback = loopback
        self.opened = opened
    }

    package func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        switch redirect.kind {
        case .loopback: try await loopback.open(redirect, deliver: deliver)
        case .customScheme, .httpsLink: try await opened.open(redirect, deliver: deliver)
        }
    }
}
