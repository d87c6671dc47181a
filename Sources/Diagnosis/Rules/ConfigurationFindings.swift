/// What was found when the configuration was read.
package struct ConfigurationFindings: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// Of the file, or of the command line alone.
        case profile(name: String)
        case mistakes([ConfigurationMistake])
        /// There is none, and the command line says what to look at.
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
        case .profile(let name): [CheckFinding("Configuration", .good, "The profile \(name); \(path).")]
        case .missing:
            [CheckFinding("Configuration", .notChecked, "There is none at \(path); only what the command line names.")]
        case .mistakes(let mistakes): mistakes.map(finding)
        }
    }

    private func finding(_ mistake: ConfigurationMistake) -> CheckFinding {
        let place = [mistake.line.map { "\(path), line \($0)" } ?? path, mistake.key].filter { !$0.isEmpty }
        return CheckFinding(
            "Configuration", .wrong, (place + ["\(mistake.problem)."]).joined(separator: ": "), fix: mistake.remedy)
    }
}
