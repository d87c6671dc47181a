import Diagnosis
import MSAL

extension Failure {
    /// The name of the failure to open the first profile without a configuration file, for which there is the set-up.
    package static let noConfiguration = "noConfiguration"
}

/// Work on the profiles of the configuration. Every error is a report for the user: what happened, why, what next.
package enum ProfileWork: Sendable, Equatable {
    /// Lists the profiles in file order; none if the file doesn't exist.
    case list
    /// Validates a draft by the library's own rules, without network access.
    case judge(ProfileDraft)
    /// Tests the draft's authority by reading its metadata.
    case test(ProfileDraft)
    /// Saves the profile, replacing the one with that name. The first profile becomes the default.
    case save(ProfileDraft, replacing: String?)
    case remove(String)
    case makeDefault(String)
    case open(String)
    /// Opens the profile that the program starts with.
    case openFirst
}

package enum ProfileResult: Sendable, Equatable {
    /// The current list.
    case listed(Outcome<[ProfileEntry]>)
    case judged(DraftJudgement)
    case tested([CheckFinding])
    /// With the reason if it wasn't saved.
    case saved(Failure?)
    /// The profile was opened with a new application.
    case opened(Outcome<ProgramProfile>)
}

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
