import AuthEngine

/// What a sign-in asks for.
package struct SignInRequest: Sendable, Equatable {
    package var scopes: [String]
    /// The identifier of the account that has to sign in again; nil: whoever the person chooses to be.
    package var account: String?
    package var way: SignInWay
    package var prompt = MSALPromptType.default
    package var loginHint: String?
    package var domainHint: String?
    /// In place of the profile's.
    package var tenant: String?
    /// A claims request as JSON. It has not been read yet.
    package var claims: String?

    package init(scopes: [String], account: String? = nil, way: SignInWay = .browser) {
        self.scopes = scopes.withoutAlwaysRequested
        self.account = account
        self.way = way
    }
}
