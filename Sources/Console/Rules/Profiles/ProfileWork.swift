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
    case remove(String), makeDefault(String), open(String)
    /// Opens the profile that the program starts with.
    case openFirst
}

package enum ProfileResult: Sendable, Equatable {
    case listed(Outcome<[ProfileEntry]>), judged(DraftJudgement), tested([CheckFinding])
    case opened(Outcome<ProgramProfile>)
    /// With the reason if it wasn't saved.
    case saved(Failure?)
}

package struct ProfileEntry: Sendable, Equatable {
    package var name: String
    package var isDefault: Bool
    package var draft: ProfileDraft

    package init(name: String, isDefault: Bool, draft: ProfileDraft) {
        (self.name, self.isDefault, self.draft) = (name, isDefault, draft)
    }
}
