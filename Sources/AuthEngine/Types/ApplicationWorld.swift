import OAuthCore

/// Provides what an application depends on. The module MSAL has the live implementation; tests supply their own.
package protocol ApplicationWorld: AnyObject, Sendable {
    func surroundings(for configuration: MSALPublicClientApplicationConfig) throws -> Surroundings
}

/// The registration and the adapters of one application.
package struct Surroundings: Sendable {
    /// The `Info.plist` of the program, or `nil` without one.
    package var registration: AppRegistration?
    package var dependencies: Dependencies

    package init(registration: AppRegistration?, dependencies: Dependencies) {
        self.registration = registration
        self.dependencies = dependencies
    }
}

/// A world with the same surroundings for every configuration.
package final class GivenWorld: ApplicationWorld {
    private let surroundings: Surroundings

    package init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
    }

    package func surroundings(for configuration: MSALPublicClientApplicationConfig) -> Surroundings { surroundings }
}
