import AuthEngine
import Foundation
import OAuthCore

/// Receives answers whichever way the redirect URI has them come back.
package struct WaysBack: RedirectReceiver {
    private let loopback: any RedirectReceiver
    private let opened: any RedirectReceiver

    /// - Parameters:
    ///   - loopback: for addresses that the program itself listens on.
    ///   - opened: for addresses that the desktop opens a program with.
    package init(loopback: any RedirectReceiver, opened: any RedirectReceiver) {
        self.loopback = loopback
        self.opened = opened
    }

    package func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        switch redirect.way {
        case .loopback: try await loopback.open(redirect, deliver: deliver)
        case .customScheme, .httpsLink: try await opened.open(redirect, deliver: deliver)
        }
    }
}
