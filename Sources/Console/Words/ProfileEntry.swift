/// A profile of the configuration, as listed.
package struct ProfileEntry: Sendable, Equatable {
    package var name: String
    package var isDefault: Bool
    /// The profile's values for editing.
    package var draft: ProfileDraft

    package init(name: String, isDefault: Bool, draft: ProfileDraft) {
        self.name = name
        self.isDefault = isDefault
        self.draft = draft
    }
}
