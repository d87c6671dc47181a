import OAuthCore

/// What the authority shall insist on (OpenID Connect Core §3.1.2.1, `prompt`).
public enum MSALPromptType: UInt, Sendable, CaseIterable {
    /// Let the person choose among the accounts of the browser's session.
    case selectAccount = 0
    /// Ask for credentials even if there is a session.
    case login = 1
    /// Ask for consent even if it was given.
    case consent = 2
    /// Offer to create an account.
    case create = 3
    /// Ask only for what is needed.
    case promptIfNecessary = 4

    /// What requests have that choose none.
    public static let `default`: MSALPromptType = .promptIfNecessary

    /// The value of `prompt` in the request; `nil` when the request has none. An addition of this library.
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
