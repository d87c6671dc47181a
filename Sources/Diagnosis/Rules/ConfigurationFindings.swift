package struct ConfigurationFindings: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case profile(name: String)
        /// A profile that no file contains, such as the demo's.
        case unsavedProfile(name: String)
        case mistakes([ConfigurationMistake])
        /// No configuration file; the command line names what to check.
        case missing
    }

    package var path: String
    package var outcome: Outcome

    package init(path: String, _ outcome: Outcome) { (self.path, self.outcome) = (path, outcome) }

    package var all: [CheckFinding] {
        switch outcome {
        case .profile(let name): [CheckFinding(named: "profile-in-file", name, path)]
        case .unsavedProfile(let name): [CheckFinding(named: "profile-not-saved", name)]
        case .missing: [CheckFinding(named: "configuration-file-missing", path)]
        case .mistakes(let mistakes): mistakes.map(finding)
        }
    }

    private func finding(_ mistake: ConfigurationMistake) -> CheckFinding {
        let place = [mistake.line.map { "\(path), line \($0)" } ?? path, mistake.key].filter { !$0.isEmpty }
        return CheckFinding(
            "Configuration", .failed, (place + ["\(mistake.problem)."]).joined(separator: ": "), fix: mistake.advice)
    }
}

extension CheckFinding {
    package static let deviceCodeProfile = CheckFinding(named: "device-code-phishing")
}

package struct ConfigurationMistake: Sendable, Equatable {
    /// From 1; `nil` if unknown.
    package var line: Int?
    /// The key, for example `profiles.contoso.authority`; empty for the file itself.
    package var key: String
    package var problem: String
    package var remedy: String

    package init(line: Int?, key: String, problem: String, remedy: String) {
        (self.line, self.key, self.problem, self.remedy) = (line, key, problem, remedy)
    }

    /// On one line: the place, the problem and the fix.
    package func message(in file: String) -> String { message(at: line.map { "\(file):\($0)" } ?? file) }

    package var messageWithoutFile: String { message(at: line.map { "line \($0)" }) }

    package func outcome(in file: String) -> String { outcome(at: line.map { "\(file):\($0)" } ?? file) }

    private func message(at place: String?) -> String { "\(outcome(at: place)) \(advice)" }

    private func outcome(at place: String?) -> String {
        [place, key.isEmpty ? nil : key, "\(problem)."].compactMap(\.self).joined(separator: ": ")
    }

    /// The remedy as a sentence. A full stop would become part of a command.
    package var advice: String { remedy + (remedy.hasSuffix("?") || remedy.hasPrefix("Run: ") ? "" : ".") }
}
