/// The values of `prompt` (OpenID Connect Core §3.1.2.1).
enum Prompt: String, Sendable, CaseIterable {
    case none
    case login
    case consent
    case selectAccount = "select_account"
    /// Initiating User Registration 1.0; nobody can be added here, so it is a sign-in.
    case create
}
