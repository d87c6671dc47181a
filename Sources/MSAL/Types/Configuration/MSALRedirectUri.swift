import Foundation
import OAuthCore

/// A valid redirect URI (MSAL for iOS and macOS, `MSALRedirectUri`).
public final class MSALRedirectUri: NSObject, NSCopying, Sendable {
    /// The redirect URI.
    public let url: URL

    /// Whether identity brokers accept the redirect URI.
    public let brokerCapable: Bool

    init(_ redirect: RedirectURI) {
        url = redirect.url
        brokerCapable = redirect.isBrokerCapable
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
