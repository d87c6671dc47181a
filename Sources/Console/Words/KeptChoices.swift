/// The user's choices to restore in the next run with the same profile. Not secret.
package struct KeptChoices: Sendable, Equatable {
    /// Recently granted scopes, latest first.
    package var scopes: [String]
    package var order: AccountOrder

    package init(scopes: [String] = [], order: AccountOrder = .place) {
        self.scopes = scopes
        self.order = order
    }
}
