import Console
import Foundation
import MSAL
import TerminalUI

extension Settings {
    func programStart(in environment: [String: String]) -> ProgramStart {
        do {
            let profile = try profile(in: environment)
            return .ready(try profile.application(), profile.shown(in: environment))
        } catch let error as ConfigurationError where error.kind == .missing {
            return .unconfigured
        } catch {
            let file = ConfigurationFile.locate(named: config, in: environment)
            // The set-up writes a missing file.
            if error is ConfigurationError, file.isMissing { return .unconfigured }
            return .problem(Failure(starting: error), configPath: file.path)
        }
    }

    func programOptions(in surroundings: Surroundings) -> ProgramOptions {
        // Any non-empty value (no-color.org).
        let wantsNoColor = surroundings.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        var options = ProgramOptions(
            ascii: usesASCII, noColor: usesNoColor || wantsNoColor, noMotion: usesNoMotion,
            timeZone: .current, proposal: MethodProposal(surroundings.machine))
        options.display = SavedChoicesFile(in: surroundings.environment).display
        if let theme { options.display.theme = theme }
        if usesMouse { options.display.usesMouse = true }
        return options
    }
}

extension Profile {
    func shown(in environment: [String: String]) -> ProgramProfile {
        var shown = shown()
        (shown.savedChoices, shown.savedChoicesTrouble) = SavedChoicesFile(in: environment).read(name)
        return shown
    }

    func shown(hints: [String] = [], isDemo: Bool = false) -> ProgramProfile {
        var shown = ProgramProfile(
            name: name, authority: authority.absoluteString, clientID: clientID, scopes: scopes, hints: hints,
            isDemo: isDemo, methods: methods)
        shown.provider = ProviderKind(of: self)
        shown.own = own
        shown.namesBrowser = browser != nil
        shown.fixesPort = RedirectRegistration.fixesPort(redirectURI, listener)
        return shown
    }
}

extension OutputLook {
    init(_ settings: Settings, in surroundings: Surroundings) {
        guard let columns = surroundings.columns(of: surroundings.output) else { return }
        self.columns = columns
        let options = settings.programOptions(in: surroundings)
        let hasMarks =
            !options.ascii && !options.noColor && surroundings.usesUTF8 && !surroundings.machine.isDumb
            && !settings.usesLines(in: surroundings.environment) && options.display.theme != .mono
        if hasMarks { theme = ColorTheme(options.display.theme) }
    }
}
