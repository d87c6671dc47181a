/// A profile of the configuration, as a list shows it.
package struct ProfileEntry: Sendable, Equatable {
    package var name: String
    package var isDefault: Bool
    /// What an editor starts with.
    package var draft: ProfileDraft

    package init(name: String, isDefault: Bool, draft: ProfileDraft) {
        self.name = name
        self.isDefault = isDefault
        self.draft = draft
    }
}
