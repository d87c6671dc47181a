import Foundation
import OAuthCore

/// An authorization server without OpenID Connect, such as GitHub. Not in MSAL for iOS and macOS.
///
/// It issues no ID tokens, so nothing proves who the user is. The account is named by `account`, else by the server's userinfo
/// endpoint.
open class MSALOAuthAuthority: MSALAuthority {
    /// The addresses of a server that publishes no metadata (RFC 8414).
    public struct Endpoints: Sendable, Hashable {
        /// The authorization endpoint (RFC 6749 §3.1).
        public var authorization: URL
        /// The token endpoint (RFC 6749 §3.2).
        public var token: URL
        /// The device authorization endpoint (RFC 8628 §3.1), or `nil` without one.
        public var deviceAuthorization: URL?
        /// The revocation endpoint (RFC 7009 §2), or `nil` without one.
        public var revocation: URL?

        /// - Parameters:
        ///   - authorization: the authorization endpoint (RFC 6749 §3.1).
        ///   - token: the token endpoint (RFC 6749 §3.2).
        ///   - deviceAuthorization: the device authorization endpoint (RFC 8628 §3.1), if the server has one.
        ///   - revocation: the revocation endpoint (RFC 7009 §2), if the server has one.
        public init(authorization: URL, token: URL, deviceAuthorization: URL? = nil, revocation: URL? = nil) {
            self.authorization = authorization
            self.token = token
            self.deviceAuthorization = deviceAuthorization
            self.revocation = revocation
        }
    }

    /// Where a GET request with an access token returns a JSON object that names the token's owner.
    public struct AccountSource: Sendable, Hashable {
        /// The URL of the JSON object.
        public var url: URL
        /// The member with the username, such as `login`.
        public var member: String

        /// - Parameters:
        ///   - url: the URL of the JSON object.
        ///   - member: its member with the username.
        public init(url: URL, member: String) {
            self.url = url
            self.member = member
        }
    }

    override init(value: Authority) { super.init(value: value) }

    /// Creates the authority of a server. Throws for a URL that isn't https or on this computer.
    ///
    /// - Parameters:
    ///   - url: the issuer, or the URL of its metadata; for a server without metadata, any URL that names it.
    ///   - endpoints: the endpoints, or `nil` for those of the metadata. Those of https://github.com are known.
    ///   - account: what names the user, or `nil` for the userinfo endpoint.
    public init(url: URL, endpoints: Endpoints? = nil, account: AccountSource? = nil) throws {
        let server = OAuthServer(
            endpoints: endpoints.map {
                .init(
                    authorization: $0.authorization, token: $0.token, device: $0.deviceAuthorization,
                    revocation: $0.revocation)
            },
            account: account.map { .init(address: $0.url, member: $0.member) })
        super.init(value: try Self.make(url, AuthorityRules.oauth(url, server)))
    }
}
