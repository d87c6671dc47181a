/// What a person chose on the screen that the next run with the same profile begins with. Nothing of it is secret.
package struct KeptChoices: Sendable, Equatable {
    /// Scopes that were granted lately, the latest first.
    package var scopes: [String]
    package var order: AccountOrder

    package init(scopes: [String] = [], order: AccountOrder = .place) {
        self.scopes = scopes
        self.order = order
    }
}
