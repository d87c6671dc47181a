import OAuthCore

/// Everything around an application. The module MSAL has the live one; a test's configuration brings its own.
package protocol ApplicationWorld: AnyObject, Sendable {
    func surroundings(for configuration: MSALPublicClientApplicationConfig) throws -> Surroundings
}

/// What an application finds around it when it is made.
package struct Surroundings: Sendable {
    /// `nil` for a program without an `Info.plist`.
    package var registration: AppRegistration?
    package var dependencies: Dependencies

    package init(registration: AppRegistration?, dependencies: Dependencies) {
        self.registration = registration
        self.dependencies = dependencies
    }
}

/// Surroundings that are the same for every configuration.
package final class GivenWorld: ApplicationWorld {
    private let surroundings: Surroundings

    package init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
    }

    package func surroundings(for configuration: MSALPublicClientApplicationConfig) -> Surroundings { surroundings }
}
