import AuthEngine
import Foundation
import POSIX

/// Where a program of this system keeps what other systems have in a bundle.
enum InfoPlist {
    /// The registration of the running program: `Info.plist` beside its binary, or `<prefix>/share/<name>/Info.plist` for
    /// a binary in `<prefix>/bin`. `nil` when there is neither; throws when there is one that cannot be read.
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

    /// No property list of a program is larger.
    private static let mostBytes = 1 << 20
}
