/// Findings about the configuration.
package struct ConfigurationFindings: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// A profile, from the file or the command line.
        case profile(name: String)
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
        case .missing:
            [CheckFinding("Configuration", .skipped, "No file at \(path). Checked the command line only.")]
        case .mistakes(let mistakes): mistakes.map(finding)
        }
    }

    private func finding(_ mistake: ConfigurationMistake) -> CheckFinding {
        let place = [mistake.line.map { "\(path), line \($0)" } ?? path, mistake.key].filter { !$0.isEmpty }
        return CheckFinding(
            "Configuration", .failed, (place + ["\(mistake.problem)."]).joined(separator: ": "), fix: mistake.remedy)
    }
}
