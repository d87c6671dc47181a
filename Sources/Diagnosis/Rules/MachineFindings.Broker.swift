extension MachineFindings {
    /// The identity broker of the user's session.
    package enum Broker: Sendable, Equatable {
        /// The application is unknown.
        case notAsked
        /// Brokers support Entra only.
        case notServed
        /// `isWanted`: the profile uses a broker first.
        case absent(hasSessionBus: Bool, isWanted: Bool)
        case answered(version: String)
        /// A broker exists but fails.
        case failed(FailureFact)

        var finding: CheckFinding {
            let subject = "Identity broker"
            switch self {
            case .notAsked: return CheckFinding(subject, .skipped, "No application to check.")
            case .notServed:
                return CheckFinding(subject, .passed, "Not supported by this authority. Other sign-in methods work.")
            case .absent(let hasSessionBus, let isWanted):
                let fact =
                    hasSessionBus ? "None on the session bus" : "None: no session bus"
                guard isWanted else { return CheckFinding(subject, .passed, "\(fact). Other sign-in methods work.") }
                return CheckFinding(
                    subject, .warning, "\(fact), but the profile uses one.",
                    fix: hasSessionBus
                        ? "Install microsoft-identity-broker, or remove \"broker\" from \"method\"."
                        : "Sign in to a desktop session, or remove \"broker\" from \"method\".")
            case .answered(let version):
                return CheckFinding(subject, .passed, "Version \(version), on the session bus.")
            case .failed(let failure):
                // The report hides quoted text: the broker's message can contain names.
                let words = failure.reason.replacing(/["”]/, with: "’")
                return CheckFinding(
                    subject, .warning, "The broker failed: “\(words)”", fix: failure.nextStep)
            }
        }
    }
}
