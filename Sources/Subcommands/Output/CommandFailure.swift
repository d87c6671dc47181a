/// A failure that the program found itself, with all a person needs. Failures of the library are `NSError`s.
package struct CommandFailure: Error, Sendable, Equatable {
    package var exitCode: ExitCode
    /// For programs: one word that does not change.
    package var name: String
    /// What happened and why.
    package var description: String
    package var nextStep: String

    package init(_ exitCode: ExitCode, name: String, _ description: String, nextStep: String) {
        self.exitCode = exitCode
        self.name = name
        self.description = description
        self.nextStep = nextStep
    }
}
