/// Why sign-in isn't possible yet: a missing or invalid configuration, or an unreachable authority.
package struct StartProblem: Sendable, Equatable {
    package var title: String
    package var reason: String
    package var nextStep: String

    package init(title: String, reason: String, nextStep: String) {
        self.title = title
        self.reason = reason
        self.nextStep = nextStep
    }
}
