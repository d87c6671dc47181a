@_exported import Foundation
import KeyturnSystem

extension ApplicationWorld {
    /// The adapters of this machine: network, browser and token store.
    static func live(for configuration: MSALPublicClientApplicationConfig) throws -> ApplicationWorld {
        let registration = try (configuration.appRegistration ?? InfoPlist.ofThisProgram())?.value
        return ApplicationWorld(
            registration: registration,
            dependencies: .live(
                for: configuration, applicationName: registration?.displayName,
                environment: ProcessEnvironment.variables))
    }
}

/// Finds the `Info.plist` of the running program. On Linux a program has no bundle.
enum InfoPlist {
    /// The registration of the running program, or `nil` without an `Info.plist`.
    ///
    /// The file is beside the binary, or in `<prefix>/share/<name>` for a binary in `<prefix>/bin`. Throws when it
    /// exists but can't be read.
    static func ofThisProgram() throws -> MSALAppRegistration? {
        guard let binary = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        let folder = binary.deletingLastPathComponent()
        let candidates = [
            folder.appending(path: "Info.plist"),
            folder.deletingLastPathComponent().appending(path: "share/\(binary.lastPathComponent)/Info.plist"),
        ]
        guard let file = candidates.first(where: { FileManager.default.isReadableFile(atPath: $0.path) }) else {
            return nil
        }
        return try MSALAppRegistration(infoPlist: Data(PlainFile.read(file.path, atMost: mostBytes)))
    }

    /// Upper limit on the size of an `Info.plist`, in bytes.
    private static let mostBytes = 1 << 20
}
