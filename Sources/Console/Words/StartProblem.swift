/// Why the program cannot sign anybody in yet: no configuration, a mistake in it, an authority that does not answer.
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
