/// Work for the world outside the model. A value, so that a test can compare it.
package enum Effect: Sendable, Equatable {
    case readAccounts(EffectID)
    case signIn(EffectID, SignInRequest)
    case acquireSilently(EffectID, account: String, scopes: [String])
    case remove(EffectID, account: String)
    case cancel(EffectID)
}

/// What an interactive sign-in asks for.
package struct SignInRequest: Sendable, Equatable {
    package var scopes: [String]
    /// The identifier of the account that has to sign in again; nil: whoever the person chooses to be.
    package var account: String?

    package init(scopes: [String], account: String? = nil) {
        self.scopes = scopes
        self.account = account
    }
}
