import Foundation
import OAuthCore

/// Receives authorization responses in the way that the redirect URI requires.
struct RoutingReceiver: RedirectReceiver {
    /// For loopback redirect URIs.
    let loopback: any RedirectReceiver
    /// For URLs that the desktop opens the program with.
    let opened: any RedirectReceiver

    func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        switch redirect.kind {
        case .loopback: try await loopback.open(redirect, deliver: deliver)
        case .customScheme, .httpsLink: try await opened.open(redirect, deliver: deliver)
        }
    }
}
