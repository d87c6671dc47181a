import OAuthCore

/// The registration and the adapters of one application.
package struct ApplicationWorld: Sendable {
    /// The `Info.plist` of the program, or `nil` without one.
    package var registration: AppRegistration?
    package var dependencies: Dependencies

    package init(registration: AppRegistration?, dependencies: Dependencies) {
        self.registration = registration
        self.dependencies = dependencies
    }
}
