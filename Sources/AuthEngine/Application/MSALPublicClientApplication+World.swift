import CLiveWorld
import OAuthCore

extension MSALPublicClientApplication {
    /// Creates an application with other dependencies. The configuration keeps them.
    package convenience init(
        configuration: MSALPublicClientApplicationConfig, registration: AppRegistration?, dependencies: Dependencies
    ) throws {
        configuration.world = GivenWorld(Surroundings(registration: registration, dependencies: dependencies))
        try self.init(configuration: configuration)
    }

    /// The engine may not import what touches the system, so the linker finds the live world (docs/decisions/0004).
    static func liveWorld() throws -> any ApplicationWorld {
        guard let object = keyturn_live_world(),
            let world = Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue() as? any ApplicationWorld
        else {
            throw MSALAuthenticationError(.unexpected("the module MSAL is not linked"), correlationID: nil)
        }
        return world
    }
}
