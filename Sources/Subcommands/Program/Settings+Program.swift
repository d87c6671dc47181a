import Console
import Foundation
import MSAL

extension Settings {
    /// What the terminal program starts with: the profile's application, or why there is none.
    func programStart(in environment: [String: String]) -> ProgramStart {
        do {
            let profile = try profile(in: environment)
            return .ready(try profile.application(), profile.shown(in: environment))
        } catch let error as ConfigurationError where error.kind == .missing {
            return .unconfigured
        } catch {
            let file = ConfigurationFile.locate(named: config, in: environment)
            // A file that was named and is not there: the set-up writes it.
            if error is ConfigurationError, file.isMissing { return .unconfigured }
            return .problem(StartProblem(error), configPath: file.path)
        }
    }

    func programOptions(in surroundings: Surroundings) -> ProgramOptions {
        // no-color.org: any value counts, but an empty one.
        let refusesColor = surroundings.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return ProgramOptions(
            ascii: usesASCII, noColor: usesNoColor || refusesColor, noMotion: usesNoMotion,
            timeZone: .current, proposal: MethodProposal(surroundings.machine))
    }
}

extension Profile {
    /// As the terminal program shows it, with what was chosen there in the last run.
    func shown(in environment: [String: String]) -> ProgramProfile {
        var shown = shown()
        (shown.kept, shown.keptTrouble) = KeptChoicesFile(in: environment).read(name)
        return shown
    }

    /// As the terminal program shows it.
    func shown(hints: [String] = [], isDemo: Bool = false) -> ProgramProfile {
        var shown = ProgramProfile(
            name: name, authority: authority.absoluteString, clientID: clientID, scopes: scopes, hints: hints,
            isDemo: isDemo, methods: methods)
        shown.provider = ProviderKind(of: self)
        shown.namesBrowser = browser != nil
        shown.fixesPort = RedirectRegistration.fixesPort(redirectURI, listener)
        return shown
    }
}
