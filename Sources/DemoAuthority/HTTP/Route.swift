import Foundation
import OAuthCore

/// What a path names.
enum Route: Sendable, Equatable {
    case home
    case stylesheet
    case errorExplanation
    case instanceDiscovery
    case openIDConfiguration(tenant: String)
    case keys(tenant: String)
    case authorize(tenant: String)
    case token(tenant: String)
    case deviceAuthorization(tenant: String)
    case device
    case endSession(tenant: String)
    case signIn(tenant: String)
    case chooseAccount(tenant: String)
    case consent(tenant: String)
    case signOut(tenant: String)

    init?(_ url: URL) {
        guard let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath else { return nil }
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        if segments.last == "" { segments.removeLast() }
        if let fixed = Self.fixed[segments] {
            self = fixed
        } else if let tenant = segments.first?.removingPercentEncoding,
            let make = Self.perTenant[segments.dropFirst().map { $0.lowercased() }]
        {
            self = make(tenant)
        } else {
            return nil
        }
    }

    private static let fixed: [[String]: Route] = [
        []: .home,
        ["assets", "style.css"]: .stylesheet,
        ["error"]: .errorExplanation,
        ["device"]: .device,
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
        ["signout"]: { .signOut(tenant: $0) },
    ]

    var methods: [HTTPRequest.Method] {
        switch self {
        case .home, .stylesheet, .errorExplanation, .instanceDiscovery, .openIDConfiguration, .keys: [.get, .head]
        // OpenID Connect Core §3.1.2.1 and RP-Initiated Logout §2 ask for both.
        case .authorize, .endSession, .device: [.get, .head, .post]
        case .token, .deviceAuthorization, .signIn, .chooseAccount, .consent, .signOut: [.post]
        }
    }

    /// Whether a program reads the answers, which are JSON then, errors too.
    var isForPrograms: Bool {
        switch self {
        case .instanceDiscovery, .openIDConfiguration, .keys, .token, .deviceAuthorization: true
        default: false
        }
    }
}
