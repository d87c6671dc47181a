extension MachineFindings {
    /// The identity broker of the person's session, and what it said of itself.
    package enum Broker: Sendable, Equatable {
        /// Nothing says which application would use it.
        case notAsked
        /// Brokers serve Entra alone.
        case notServed
        /// `isWanted`: the profile signs in with one first.
        case absent(hasSessionBus: Bool, isWanted: Bool)
        case answered(version: String)
        /// It is there, and cannot be used.
        case failed(FailureFact)

        var finding: CheckFinding {
            let subject = "Identity broker"
            switch self {
            case .notAsked: return CheckFinding(subject, .notChecked, "Nobody was asked.")
            case .notServed:
                return CheckFinding(subject, .good, "None serves this authority; the other ways need none.")
            case .absent(let hasSessionBus, let isWanted):
                let fact =
                    hasSessionBus ? "There is none on the session bus" : "There is no session bus, so there is none"
                guard isWanted else { return CheckFinding(subject, .good, "\(fact); the other ways need none.") }
                return CheckFinding(
                    subject, .attention, "\(fact), and the profile signs in with one.",
                    fix: hasSessionBus
                        ? "Install microsoft-identity-broker, or take \"broker\" out of \"way\"."
                        : "Sign in to a desktop session, or take \"broker\" out of \"way\".")
            case .answered(let version):
                return CheckFinding(subject, .good, "It answers on the session bus: version \(version).")
            case .failed(let failure):
                // In quotes a report hides it: the broker's words may name somebody.
                let words = failure.reason.replacing(/["”]/, with: "’")
                return CheckFinding(
                    subject, .attention, "It is there, and cannot be used: “\(words)”", fix: failure.nextStep)
            }
        }
    }
}
