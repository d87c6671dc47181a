/// The values of `prompt` (OpenID Connect Core §3.1.2.1).
package enum Prompt: String, Sendable, CaseIterable {
    case none
    case login
    case consent
    case selectAccount = "select_account"
    /// Initiating User Registration 1.0.
    case create

    /// Whether the identity broker supports the value. It can't create accounts, and has a separate call for silent
    /// requests.
    var isKnownToBroker: Bool {
        switch self {
        case .login, .consent, .selectAccount: true
        case .none, .create: false
        }
    }

    /// All values, for a sentence.
    package static let listed = allCases.map(\.rawValue).alternatives
}

extension [String] {
    /// `a, b or c`.
    package var alternatives: String {
        guard let last, count > 1 else { return joined() }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
