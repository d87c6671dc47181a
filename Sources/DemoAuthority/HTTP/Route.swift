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
    case authorize(tenant: String)
    case token(tenant: String)
    case deviceAuthorization(tenant: String)
    case device
    case endSession(tenant: String)
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
        ["oauth2", "v2.0", "devicecode"]: { .deviceAuthorization(tenant: $0) },
        ["oauth2", "v2.0", "logout"]: { .endSession(tenant: $0) },
        ["login"]: { .signIn(tenant: $0) },
        ["select"]: { .chooseAccount(tenant: $0) },
        ["consent"]: { .consent(tenant: $0) },
        ["verify"]: { .secondFactor(tenant: $0) },
        ["signout"]: { .signOut(tenant: $0) },
    ]

    var methods: [HTTPRequest.Method] {
        switch self {
        case .home, .stylesheet, .errorExplanation, .instanceDiscovery, .openIDConfiguration, .keys: [.get, .head]
        // OpenID Connect Core §3.1.2.1 and RP-Initiated Logout §2 require GET and POST.
        case .authorize, .endSession, .device, .userInfo: [.get, .head, .post]
        case .token, .deviceAuthorization, .signIn, .chooseAccount, .consent, .secondFactor, .signOut: [.post]
        }
    }

    /// Whether the endpoint is for programs, so that responses and errors are JSON.
    var isForPrograms: Bool {
        switch self {
        case .instanceDiscovery, .openIDConfiguration, .keys, .token, .deviceAuthorization, .userInfo: true
        case .home, .stylesheet, .errorExplanation, .authorize, .device, .endSession, .signIn, .chooseAccount, .consent,
            .secondFactor, .signOut:
            false
        }
    }
}
