@_exported import AuthEngine
@_exported import Foundation
import LinuxAdapters
import POSIX

/// This machine: its network, its browser, its token store.
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

/// What `keyturn_live_world()` of CLiveWorld calls. The object is the caller's.
@c(keyturn_make_live_world) func makeLiveWorld() -> UnsafeMutableRawPointer {
    Unmanaged<AnyObject>.passRetained(LiveWorld()).toOpaque()
}
