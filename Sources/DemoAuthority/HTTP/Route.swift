import Foundation
import OAuthCore

struct Route: Sendable, Equatable {
    enum Endpoint: String, Sendable {
        case home, stylesheet, errorExplanation, instanceDiscovery, userInfo, device
        case api, apiMetadata, authorizationServer
        // Those of a tenant.
        case openIDConfiguration, keys, registration, authorize, token, revocation, pushedRequest, deviceAuthorization,
            logout
        case signIn, chooseAccount, consent, secondFactor, signOut
    }

    let endpoint: Endpoint
    /// The path of the tenant, or of a user flow; nil at an endpoint without one.
    var tenant: String?
    var api: DemoAPI?
}

extension Route {
    init?(_ url: URL) {
        guard let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath else { return nil }
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        if segments.last == "" { segments.removeLast() }
        if let known = Self.fixed[segments].map({ Route(endpoint: $0) }) ?? Self.api(segments) {
            self = known
            return
        }
        // A tenant takes one segment; with a user flow it's two, or three starting with `tfp`.
        let lengths = segments.first?.lowercased() == "tfp" ? [3] : [1, 2]
        for length in lengths where segments.count > length {
            let place = segments.prefix(length).map { $0.removingPercentEncoding ?? "" }
            if let endpoint = Self.perTenant[segments.dropFirst(length).map { $0.lowercased() }],
                place.allSatisfy({ !$0.isEmpty && !$0.contains("/") })
            {
                self.init(endpoint: endpoint, tenant: place.joined(separator: "/"))
                return
            }
        }
        return nil
    }

    /// The API, and the documents at well-known paths that are inserted before another path (RFC 8414 §3.1, RFC 9728 §3.1).
    private static func api(_ segments: [String]) -> Route? {
        let path = segments.suffix(2)
        if path.first == "api", let api = path.last.flatMap(DemoAPI.init) {
            if segments.count == 2 { return Route(endpoint: .api, api: api) }
            let isMetadata = segments.dropLast(2) == [".well-known", "oauth-protected-resource"]
            return isMetadata ? Route(endpoint: .apiMetadata, api: api) : nil
        }
        guard segments.starts(with: [".well-known", "oauth-authorization-server"]), segments.last == "v2.0" else {
            return nil
        }
        return Route(endpoint: .authorizationServer, tenant: segments.dropFirst(2).dropLast().joined(separator: "/"))
    }

    private static let fixed: [[String]: Endpoint] = [
        []: .home, ["assets", "style.css"]: .stylesheet, ["error"]: .errorExplanation, ["device"]: .device,
        ["oidc", "userinfo"]: .userInfo, ["common", "discovery", "instance"]: .instanceDiscovery,
    ]

    private static let perTenant: [[String]: Endpoint] = [
        ["v2.0", ".well-known", "openid-configuration"]: .openIDConfiguration,
        ["discovery", "v2.0", "keys"]: .keys,
        ["oauth2", "v2.0", "authorize"]: .authorize,
        ["oauth2", "v2.0", "token"]: .token,
        ["oauth2", "v2.0", "revoke"]: .revocation,
        ["oauth2", "v2.0", "par"]: .pushedRequest,
        ["oauth2", "v2.0", "register"]: .registration,
        ["oauth2", "v2.0", "devicecode"]: .deviceAuthorization,
        ["oauth2", "v2.0", "logout"]: .logout,
        ["login"]: .signIn, ["select"]: .chooseAccount, ["consent"]: .consent, ["verify"]: .secondFactor,
        ["signout"]: .signOut,
    ]

    var methods: [HTTPRequest.Method] {
        switch endpoint {
        case .home, .stylesheet, .errorExplanation, .instanceDiscovery, .openIDConfiguration, .keys, .apiMetadata,
            .authorizationServer:
            [.get, .head]
        case .api: HTTPRequest.Method.allCases
        // OpenID Connect Core §3.1.2.1 and RP-Initiated Logout §2 require GET and POST.
        case .authorize, .logout, .device, .userInfo: [.get, .head, .post]
        case .token, .revocation, .pushedRequest, .registration, .deviceAuthorization, .signIn, .chooseAccount,
            .consent, .secondFactor, .signOut:
            [.post]
        }
    }

    /// Whether the endpoint is for programs, so that responses and errors are JSON.
    var isForPrograms: Bool {
        switch endpoint {
        case .instanceDiscovery, .openIDConfiguration, .keys, .token, .revocation, .pushedRequest,
            .deviceAuthorization, .userInfo, .api, .apiMetadata, .authorizationServer, .registration:
            true
        case .home, .stylesheet, .errorExplanation, .authorize, .device, .logout, .signIn, .chooseAccount, .consent,
            .secondFactor, .signOut:
            false
        }
    }
}
