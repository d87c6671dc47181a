/// An interactive sign-in that is running.
package struct SignInState: Sendable, Equatable {
    package var id: EffectID
    /// The account it is for, when one has to sign in again.
    package var account: AccountSummary?
    package var progress = FlowProgress.interactive

    package init(id: EffectID, account: AccountSummary? = nil) {
        self.id = id
        self.account = account
    }
}

/// A silent acquisition that is running.
package struct SilentState: Sendable, Equatable {
    package var id: EffectID
    package var account: AccountSummary
    package var progress = FlowProgress.silent

    package init(id: EffectID, account: AccountSummary) {
        self.id = id
        self.account = account
    }
}
