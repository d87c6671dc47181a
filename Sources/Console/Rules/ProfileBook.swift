import Diagnosis
import MSAL

/// The configuration's profiles: read, validated, tested and saved.
///
/// Every error is a report for the user: what happened, why, what next.
package protocol ProfileBook: Sendable {
    /// The path of the configuration file.
    var path: String { get }
    /// The profiles in file order; empty if the file doesn't exist.
    func entries() throws(Failure) -> [ProfileEntry]
    /// Validates a draft by the library's own rules, without network access.
    func judge(_ draft: ProfileDraft) -> DraftJudgement
    /// Tests the draft's authority by reading its metadata.
    func test(_ draft: ProfileDraft) async -> [CheckFinding]
    /// Saves the profile, replacing the one named `replaced`. The first profile becomes the default.
    func save(_ draft: ProfileDraft, replacing replaced: String?) throws(Failure)
    func remove(_ name: String) throws(Failure)
    func makeDefault(_ name: String) throws(Failure)
    func open(_ name: String) throws(Failure) -> OpenedProfile
    /// Opens the profile that the program starts with.
    func openFirst() throws(Failure) -> OpenedProfile
    /// The line of the configuration's first mistake; nil if it has none or its line is unknown.
    var mistakeLine: Int? { get }
}

extension Failure {
    /// The name of the failure of ``ProfileBook/openFirst()`` without a configuration file, for which there is the set-up.
    package static let noConfiguration = "noConfiguration"
}

/// A profile with its application.
package struct OpenedProfile: Sendable {
    package var application: MSALPublicClientApplication
    package var shown: ProgramProfile

    package init(_ application: MSALPublicClientApplication, _ shown: ProgramProfile) {
        self.application = application
        self.shown = shown
    }
}

/// A request to ``ProfileBook``.
package enum ProfileWork: Sendable, Equatable {
    case list
    case judge(ProfileDraft)
    case test(ProfileDraft)
    case save(ProfileDraft, replacing: String?)
    case remove(String)
    case makeDefault(String)
    case open(String)
    case openFirst
}

/// The result of a ``ProfileWork``.
package enum ProfileResult: Sendable, Equatable {
    /// The current list.
    case listed(Outcome<[ProfileEntry]>)
    case judged(DraftJudgement)
    case tested([CheckFinding])
    case saved(Outcome<Saved>)
    /// The profile was opened with a new application.
    case opened(Outcome<ProgramProfile>)

    package struct Saved: Sendable, Equatable {
        package init() {}
    }
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
