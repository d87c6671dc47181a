import Foundation
import OAuthCore

/// The endpoint of a path.
enum Route: Sendable, Equatable {
    case home
    case stylesheet
    case errorExplanation
    case instanceDiscovery
    case openIDConfiguration(tenant: String)
    case keys(tenant: String)
    case userInfo
    case api(DemoAPI)
    case apiMetadata(DemoAPI)
    case authorizationServer(tenant: String)
    case registration(tenant: String)
    case authorize(tenant: String)
    case token(tenant: String)
    case revocation(tenant: String)
    case pushedRequest(tenant: String)
    case deviceAuthorization(tenant: String)
    case device
    case logout(tenant: String)
    case signIn(tenant: String)
    case chooseAccount(tenant: String)
    case consent(tenant: String)
    case secondFactor(tenant: String)
    case signOut(tenant: String)

    init?(_ url: URL) {
        guard let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath else { return nil }
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        if segments.last == "" { segments.removeLast() }
        if let fixed = Self.fixed[segments] {
            self = fixed
            return
        }
        if let known = Self.api(segments) {
            self = known
            return
        }
        // A tenant takes one segment; with a user flow it's two, or three starting with `tfp`.
        let lengths = segments.first?.lowercased() == "tfp" ? [3] : [1, 2]
        for length in lengths where segments.count > length {
            let place = segments.prefix(length).map { $0.removingPercentEncoding ?? "" }
            if let make = Self.perTenant[segments.dropFirst(length).map { $0.lowercased() }],
                place.allSatisfy({ !$0.isEmpty && !$0.contains("/") })
            {
                self = make(place.joined(separator: "/"))
                return
            }
        }
        return nil
    }

    /// The API, and the documents at well-known paths that are inserted before another path (RFC 8414 §3.1, RFC 9728 §3.1).
    private static func api(_ segments: [String]) -> Route? {
        let path = segments.suffix(2)
        if path.first == "api", let api = path.last.flatMap(DemoAPI.init) {
            if segments.count == 2 { return .api(api) }
            return segments.dropLast(2) == [".well-known", "oauth-protected-resource"] ? .apiMetadata(api) : nil
        }
        guard segments.starts(with: [".well-known", "oauth-authorization-server"]), segments.last == "v2.0" else {
            return nil
        }
        return .authorizationServer(tenant: segments.dropFirst(2).dropLast().joined(separator: "/"))
    }

    private static let fixed: [[String]: Route] = [
        []: .home,
        ["assets", "style.css"]: .stylesheet,
        ["error"]: .errorExplanation,
        ["device"]: .device,
        ["oidc", "userinfo"]: .userInfo,
        ["common", "discovery", "instance"]: .instanceDiscovery,
    ]

    private static let perTenant: [[String]: @Sendable (String) -> Route] = [
        ["v2.0", ".well-known", "openid-configuration"]: { .openIDConfiguration(tenant: $0) },
        ["discovery", "v2.0", "keys"]: { .keys(tenant: $0) },
        ["oauth2", "v2.0", "authorize"]: { .authorize(tenant: $0) },
        ["oauth2", "v2.0", "token"]: { .token(tenant: $0) },
        ["oauth2", "v2.0", "revoke"]: { .revocation(tenant: $0) },
        ["oauth2", "v2.0", "par"]: { .pushedRequest(tenant: $0) },
        ["oauth2", "v2.0", "register"]: { .registration(tenant: $0) },
        ["oauth2", "v2.0", "devicecode"]: { .deviceAuthorization(tenant: $0) },
        ["oauth2", "v2.0", "logout"]: { .logout(tenant: $0) },
        ["login"]: { .signIn(tenant: $0) },
        ["select"]: { .chooseAccount(tenant: $0) },
        ["consent"]: { .consent(tenant: $0) },
        ["verify"]: { .secondFactor(tenant: $0) },
        ["signout"]: { .signOut(tenant: $0) },
    ]

    /// The path of the tenant, or of a user flow.
    var tenant: String? {
        switch self {
        case .openIDConfiguration(let tenant), .keys(let tenant), .authorizationServer(let tenant),
            .registration(let tenant), .authorize(let tenant), .token(let tenant), .deviceAuthorization(let tenant),
            .revocation(let tenant), .pushedRequest(let tenant), .logout(let tenant), .signIn(let tenant),
            .chooseAccount(let tenant), .consent(let tenant), .secondFactor(let tenant), .signOut(let tenant):
            tenant
        case .home, .stylesheet, .errorExplanation, .instanceDiscovery, .userInfo, .api, .apiMetadata, .device: nil
        }
    }

    var methods: [HTTPRequest.Method] {
        switch self {
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
        switch self {
        case .instanceDiscovery, .openIDConfiguration, .keys, .token, .revocation, .pushedRequest,
            .deviceAuthorization, .userInfo, .api, .apiMetadata, .authorizationServer, .registration:
            true
        case .home, .stylesheet, .errorExplanation, .authorize, .device, .logout, .signIn, .chooseAccount, .consent,
            .secondFactor, .signOut:
            false
        }
    }
}
