import Foundation
import OAuthCore

/// What an authority publishes about itself (OpenID Connect Discovery §3). An addition of this library.
public final class MSALAuthorityMetadata: NSObject, Sendable {
    /// Who its tokens say they are from. `{tenantid}` stands in it for the tenant where there are many.
    public let issuer: String

    /// Where the browser is sent.
    public let authorizationEndpoint: URL

    /// Where codes and refresh tokens are exchanged.
    public let tokenEndpoint: URL

    /// Where a code for another device is asked for (RFC 8628); `nil` when it offers none.
    public let deviceAuthorizationEndpoint: URL?

    /// Where the browser's session is ended; `nil` when it offers that to nobody.
    public let endSessionEndpoint: URL?

    /// The ways to bind a code to the one who asked for it (RFC 7636); `nil` when it does not say.
    public let codeChallengeMethods: [String]?

    init(_ configuration: OpenIDConfiguration) {
        issuer = configuration.issuer.text
        authorizationEndpoint = configuration.authorizationEndpoint
        tokenEndpoint = configuration.tokenEndpoint
        deviceAuthorizationEndpoint = configuration.deviceAuthorizationEndpoint
        endSessionEndpoint = configuration.endSessionEndpoint
        codeChallengeMethods = configuration.codeChallengeMethods
    }
}
