@_exported import AuthEngine
import Foundation
import LinuxAdapters
import POSIX

extension MSALPublicClientApplication {
    /// An application of this machine: its network, its browser, its token store.
    ///
    /// Throws when the client ID is empty or the redirect URI is refused; the error says which scheme has to be
    /// registered where, and which URI is expected.
    public convenience init(configuration: MSALPublicClientApplicationConfig) throws {
        let environment = ProcessEnvironment.variables
        let registration = try (configuration.appRegistration ?? InfoPlist.ofThisProgram())?.value
        try self.init(
            configuration: configuration, registration: registration,
            dependencies: .live(
                for: configuration, applicationName: registration?.displayName, environment: environment))
    }

    /// As above, with the default redirect URI and authority.
    public convenience init(clientId: String) throws {
        try self.init(configuration: MSALPublicClientApplicationConfig(clientId: clientId))
    }
}
