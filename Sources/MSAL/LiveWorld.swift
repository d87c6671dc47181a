@_exported import AuthEngine
@_exported import Foundation
import LinuxAdapters
import POSIX

/// The adapters of this machine: network, browser and token store.
final class LiveWorld: ApplicationWorld {
    func surroundings(for configuration: MSALPublicClientApplicationConfig) throws -> Surroundings {
        let registration = try (configuration.appRegistration ?? InfoPlist.ofThisProgram())?.value
        return Surroundings(
            registration: registration,
            dependencies: .live(
                for: configuration, applicationName: registration?.displayName,
                environment: ProcessEnvironment.variables))
    }
}

/// Called by `keyturn_live_world()` of CLiveWorld. The caller owns the returned object.
@c(keyturn_make_live_world) func makeLiveWorld() -> UnsafeMutableRawPointer {
    Unmanaged<AnyObject>.passRetained(LiveWorld()).toOpaque()
}
