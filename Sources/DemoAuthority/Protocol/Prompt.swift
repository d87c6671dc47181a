/// The values of `prompt` (OpenID Connect Core §3.1.2.1).
enum Prompt: String, Sendable, CaseIterable {
    case none
    case login
    case consent
    case selectAccount = "select_account"
}
