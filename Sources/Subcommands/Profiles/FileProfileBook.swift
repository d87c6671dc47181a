import Console
import Diagnosis
import Foundation
import MSAL

struct FileProfileBook: Sendable {
    private let file: ConfigurationFile
    private let settings: Settings
    private let surroundings: Surroundings

    init(_ settings: Settings, in surroundings: Surroundings) {
        var file = ConfigurationFile.locate(named: settings.config, in: surroundings.environment)
        // The set-up writes a missing file.
        file.isNamed = false
        self.file = file
        self.settings = settings
        self.surroundings = surroundings
    }

    var path: String { file.path }

    func perform(_ work: ProfileWork, opening use: (MSALPublicClientApplication) -> Void) async -> ProfileResult {
        switch work {
        case .list: .listed(Result { () throws(Failure) in try entries() })
        case .judge(let draft): .judged(rules(for: draft).judge().onScreen)
        case .test(let draft): .tested(await test(draft).map(\.onScreen))
        case .save(let draft, let replaced):
            .saved(Result { () throws(Failure) in try save(draft, replacing: replaced) }.error)
        case .remove(let name): changed(.remove(name))
        case .makeDefault(let name): changed(.makeDefault(name))
        case .open(let name):
            .opened(Result { () throws(Failure) in try reporting { try open(profile(named: name), use) } })
        case .openFirst: .opened(Result { () throws(Failure) in try openFirst(use) })
        }
    }

    private func changed(_ edit: ConfigurationEdit) -> ProfileResult {
        .listed(
            Result { () throws(Failure) in
                try reporting { try file.change(edit) }
                return try entries()
            })
    }

    func entries() throws(Failure) -> [ProfileEntry] {
        guard let configuration = try reporting({ try file.read() }) else { return [] }
        let main = configuration.profile(named: nil)?.name
        return configuration.profiles.map { profile in
            let draft = ProfileDraft(
                kind: ProviderKind(named: profile), authority: profile.authority.absoluteString,
                clientID: profile.clientID, redirectURI: profile.redirectURI ?? "",
                scopes: (profile.scopes + profile.requiredReservedScopes).joined(separator: " "),
                certificates: profile.certificateAuthorityFile ?? "", name: profile.name)
            return ProfileEntry(name: profile.name, isDefault: profile.name == main, draft: draft)
        }
    }

    private func rules(for draft: ProfileDraft) -> DraftRules {
        DraftRules(
            draft: draft, folder: URL(fileURLWithPath: path).deletingLastPathComponent(),
            endpoints: endpoints(of: draft))
    }

    private func endpoints(of draft: ProfileDraft) -> OAuthEndpoints {
        guard draft.kind == .oauth else { return OAuthEndpoints() }
        return (try? file.read())?.profiles.first { $0.authority.absoluteString == draft.authority }?.endpoints
            ?? OAuthEndpoints()
    }

    private func completed(_ draft: ProfileDraft) -> ProfileDraft {
        var draft = draft
        if draft.certificates.isEmpty, let file = settings.certificateAuthorityFile {
            draft.certificates = URL(fileURLWithPath: file).path
        }
        return draft
    }

    private func test(_ draft: ProfileDraft) async -> [CheckFinding] {
        do {
            let application = try rules(for: completed(draft)).applicationToTest()
            return AuthorityFindings(await application.probeAuthority(replacesCached: false)).brief
        } catch {
            return [CheckFinding("Authority", failure: error)]
        }
    }

    func save(_ draft: ProfileDraft, replacing replaced: String?) throws(Failure) {
        let draft = replaced == nil ? completed(draft) : draft
        try reporting {
            try file.change(.save(draft, replacing: replaced))
            if !draft.clientSecret.isEmpty {
                try profile(named: draft.name).application().saveClientSecret(draft.clientSecret)
            }
            guard let replaced, replaced != draft.name else { return }
            try SavedChoicesFile(in: surroundings.environment).rename(replaced, to: draft.name)
        }
    }

    private func open(_ profile: Profile, _ use: (MSALPublicClientApplication) -> Void) throws -> ProgramProfile {
        use(try profile.application())
        return profile.shown(in: surroundings.environment)
    }

    func openFirst(_ use: (MSALPublicClientApplication) -> Void) throws(Failure) -> ProgramProfile {
        do { return try open(settings.profile(in: surroundings.environment), use) } catch {
            var failure = Failure(starting: error)
            if file.isMissing { failure.codeNames = [Failure.noConfiguration] }
            throw failure
        }
    }

    /// The line of the configuration's first mistake; nil if it has none or its line is unknown.
    var mistakeLine: Int? {
        do throws(ConfigurationError) {
            _ = try file.read()
            return nil
        } catch {
            return error.mistakes.lazy.compactMap(\.line).first
        }
    }

    /// With the command line's options about this computer, but not its client ID, authority or redirect URI.
    private func profile(named name: String) throws -> Profile {
        var settings = settings
        settings.profileName = name
        (settings.clientID, settings.authority, settings.redirectURI) = (nil, nil, nil)
        return try settings.profile(in: surroundings.environment)
    }

    /// The profile on the screen; `nil` if it isn't in the configuration.
    func profile(of shown: ProgramProfile?) -> Profile? {
        guard let shown, !shown.isDemo else { return nil }
        let started = try? settings.profile(in: surroundings.environment)
        return started?.name == shown.name ? started : try? profile(named: shown.name)
    }

    private func reporting<Value>(_ work: () throws -> Value) throws(Failure) -> Value {
        do { return try work() } catch { throw Failure(changing: error, at: surroundings.now()) }
    }
}

extension Failure {
    /// A failed change of the configuration, with the same texts as in the commands.
    init(changing error: any Error, at date: Date) {
        let failure = Failure(reporting: error)
        let headline =
            switch error {
            case is ConfigurationError, is InvalidJSON: "Can't use the configuration file."
            case is Failure: "The operation failed."
            default: "The profile can't be used."
            }
        self.init(
            headline: headline, reason: failure.reason, advice: failure.advice, kind: .misconfigured,
            domain: failure.domain, code: failure.code, codeNames: failure.codeNames, date: date)
    }

    /// Why sign-in isn't possible yet, for the first screen.
    init(starting error: any Error) {
        self.init(reporting: error)
        guard let error = error as? ConfigurationError else {
            headline = "The profile can't be used."
            return
        }
        reason = error.mistakes.map(\.messageWithoutFile).joined(separator: "\n")
        advice = "Fix it, then start again."
    }
}
