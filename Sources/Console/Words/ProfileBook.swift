import AuthEngine
import Diagnosis

/// The configuration as the program needs it: the seam to the file, to the library's rules and to the authority.
///
/// Every error is a report for a person: what happened, why, what next.
package protocol ProfileBook: Sendable {
    /// Where the configuration is kept.
    var path: String { get }
    /// In the order of the file; none when there is no file yet.
    func entries() throws(ErrorReport) -> [ProfileEntry]
    /// By the rules that the library itself goes by; quick, and without the network.
    func judge(_ draft: ProfileDraft) -> DraftJudgement
    /// Reads what the authority publishes about itself.
    func ask(_ draft: ProfileDraft) async -> [CheckFinding]
    /// Writes the profile into the file, in place of the one called `replaced`; the first one becomes the default.
    func save(_ draft: ProfileDraft, replacing replaced: String?) throws(ErrorReport)
    func remove(_ name: String) throws(ErrorReport)
    func makeDefault(_ name: String) throws(ErrorReport)
    func open(_ name: String) throws(ErrorReport) -> OpenedProfile
    /// The built-in authority, with a cache that is thrown away.
    func openDemo() async throws(ErrorReport) -> OpenedProfile
}

/// A profile that can be signed in with.
package struct OpenedProfile: Sendable {
    package var application: MSALPublicClientApplication
    package var shown: ProgramProfile

    package init(_ application: MSALPublicClientApplication, _ shown: ProgramProfile) {
        self.application = application
        self.shown = shown
    }
}

/// What the program asks of the book.
package enum ProfileWork: Sendable, Equatable {
    case list
    case judge(ProfileDraft)
    case ask(ProfileDraft)
    case save(ProfileDraft, replacing: String?)
    case remove(String)
    case makeDefault(String)
    case open(String)
    case openDemo
}

/// What came of it.
package enum ProfileAnswer: Sendable, Equatable {
    /// The list as it now is.
    case listed(Outcome<[ProfileEntry]>)
    case judged(DraftJudgement)
    case asked([CheckFinding])
    case saved(Outcome<Saved>)
    /// The application has been made anew.
    case opened(Outcome<ProgramProfile>)

    package struct Saved: Sendable, Equatable {
        package init() {}
    }
}
