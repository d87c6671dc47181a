/// Findings about the configuration.
package struct ConfigurationFindings: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// A profile, from the file or the command line.
        case profile(name: String)
        /// A profile that no file contains, such as the demo's.
        case unsavedProfile(name: String)
        case mistakes([ConfigurationMistake])
        /// No configuration file; the command line names what to check.
        case missing
    }

    package var path: String
    package var outcome: Outcome

    package init(path: String, _ outcome: Outcome) {
        self.path = path
        self.outcome = outcome
    }

    package var all: [CheckFinding] {
        switch outcome {
        case .profile(let name): [CheckFinding("Configuration", .passed, "Profile \(name) in \(path).")]
        case .unsavedProfile(let name): [CheckFinding("Configuration", .passed, "Profile \(name), not saved.")]
        case .missing:
            [CheckFinding("Configuration", .skipped, "No file at \(path). Checked the command line only.")]
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
    /// The finding about a profile whose sign-in methods include device codes.
    package static let deviceCodeProfile = CheckFinding(
        "Phishing", .warning,
        "The profile uses device codes. An attacker can send a user a code, and gets the tokens when the user enters it.",
        fix: "If the computer has a browser, remove \"device\" from the profile's method.")
}

/// A mistake in the configuration: its place, the problem and the fix.
package struct ConfigurationMistake: Sendable, Equatable {
    /// The line number, from 1; `nil` if unknown.
    package var line: Int?
    /// The key, for example `profiles.contoso.authority`; empty for the file itself.
    package var key: String
    package var problem: String
    package var remedy: String

    package init(line: Int?, key: String, problem: String, remedy: String) {
        self.line = line
        self.key = key
        self.problem = problem
        self.remedy = remedy
    }

    /// The mistake on one line: the place, the problem and the fix.
    package func message(in file: String) -> String {
        message(at: line.map { "\(file):\($0)" } ?? file)
    }

    /// The same without the name of the file.
    package var messageWithoutFile: String { message(at: line.map { "line \($0)" }) }

    /// The place and the problem.
    package func outcome(in file: String) -> String { outcome(at: line.map { "\(file):\($0)" } ?? file) }

    private func message(at place: String?) -> String { "\(outcome(at: place)) \(advice)" }

    private func outcome(at place: String?) -> String {
        [place, key.isEmpty ? nil : key, "\(problem)."].compactMap(\.self).joined(separator: ": ")
    }

    /// The remedy as a sentence. A full stop would become part of a command.
    package var advice: String {
        remedy + (remedy.hasSuffix("?") || remedy.hasPrefix("Run: ") ? "" : ".")
    }
}
