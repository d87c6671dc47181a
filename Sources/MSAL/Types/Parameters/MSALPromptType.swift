import OAuthCore

/// The prompt behaviour to request (OpenID Connect Core §3.1.2.1, `prompt`).
public enum MSALPromptType: UInt, Sendable, CaseIterable {
    /// Let the user choose among the accounts of the browser session.
    case selectAccount = 0
    /// Require credentials even if the browser has a session.
    case login = 1
    /// Require consent even if the user already consented.
    case consent = 2
    /// Offer to create an account.
    case create = 3
    /// Prompt only when necessary.
    case promptIfNecessary = 4

    /// The prompt behaviour of requests that set none.
    public static let `default`: MSALPromptType = .promptIfNecessary

    /// The value of the `prompt` parameter, or `nil` when the request omits it. Not in MSAL for iOS and macOS.
    public var parameterValue: String? { wireValue?.rawValue }

    var wireValue: Prompt? {
        switch self {
        case .selectAccount: .selectAccount
        case .login: .login
        case .consent: .consent
        case .create: .create
        case .promptIfNecessary: nil
        }
    }
}
