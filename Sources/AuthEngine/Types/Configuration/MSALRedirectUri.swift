import Foundation
import OAuthCore

/// A redirect URI that passed the rules (MSAL for iOS and macOS, `MSALRedirectUri`).
public final class MSALRedirectUri: NSObject, NSCopying, Sendable {
    /// The redirect URI.
    public let url: URL

    /// Whether an identity broker would answer to it.
    public let brokerCapable: Bool

    init(_ redirect: RedirectURI) {
        url = redirect.url
        brokerCapable = redirect.isBrokerCapable
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
