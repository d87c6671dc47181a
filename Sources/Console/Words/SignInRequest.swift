import AuthEngine

/// The parameters of a sign-in.
package struct SignInRequest: Sendable, Equatable {
    package var scopes: [String]
    /// The identifier of the account that must sign in again; nil for any account.
    package var account: String?
    package var method: SignInMethod
    package var prompt = MSALPromptType.default
    package var loginHint: String?
    package var domainHint: String?
    /// The tenant to use instead of the profile's.
    package var tenant: String?
    /// The claims request as unparsed JSON.
    package var claims: String?

    package init(scopes: [String], account: String? = nil, method: SignInMethod = .browser) {
        self.scopes = scopes.withoutAlwaysRequested
        self.account = account
        self.method = method
    }
}
