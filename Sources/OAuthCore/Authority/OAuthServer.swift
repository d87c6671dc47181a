import Foundation

/// What is known, besides its URL, about an authorization server without OpenID Connect. It issues no ID tokens, so the
/// account is named by a request with the access token.
package struct OAuthServer: Sendable, Hashable {
    package struct Endpoints: Sendable, Hashable {
        package var authorization: URL
        package var token: URL
        package var device: URL?
        package var revocation: URL?

        package init(authorization: URL, token: URL, device: URL? = nil, revocation: URL? = nil) {
            (self.authorization, self.token, self.device, self.revocation) = (authorization, token, device, revocation)
        }
    }

    /// Where the server describes the owner of an access token, and the member of the JSON object with the username.
    package struct Account: Sendable, Hashable {
        package var address: URL
        package var member: String

        package init(address: URL, member: String) {
            (self.address, self.member) = (address, member)
        }
    }

    /// The endpoints, or `nil` to read them in the server's metadata (RFC 8414).
    package var endpoints: Endpoints?
    package var account: Account?

    package init(endpoints: Endpoints? = nil, account: Account? = nil) {
        (self.endpoints, self.account) = (endpoints, account)
    }

    var addresses: [URL] {
        [endpoints?.authorization, endpoints?.token, endpoints?.device, endpoints?.revocation, account?.address]
            .compactMap(\.self)
    }

    /// Adds what is known about a server that has no metadata (docs/configuration.md).
    func completed(at url: URL) -> OAuthServer {
        guard endpoints == nil, url.origin == "https://github.com" else { return self }
        func address(_ text: String) -> URL { URL(string: text) ?? url }
        return OAuthServer(
            endpoints: Endpoints(
                authorization: address("https://github.com/login/oauth/authorize"),
                token: address("https://github.com/login/oauth/access_token"),
                device: address("https://github.com/login/device/code")),
            account: account ?? Account(address: address("https://api.github.com/user"), member: "login"))
    }
}
