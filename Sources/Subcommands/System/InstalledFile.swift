import Foundation
import KeyturnSystem
import MSAL

enum InstalledFile {
    /// The path of this program, for files that start it.
    static func program() throws(Failure) -> String {
        guard let path = Bundle.main.executableURL?.path else {
            throw Failure(
                .failed, name: "programPath", "Can't find the path of this program.", nextStep: "Mount /proc.")
        }
        return path
    }

    /// Of a program in `<prefix>/bin`. The administrator can add schemes there; `nil` if the program isn't installed.
    static var infoPlist: Data? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).flatMap { binary in
            let path = "\(binary.parentFolder.parentFolder)/share/keyturn/Info.plist"
            return (try? PlainFile.read(path, atMost: PropertyListFile.mostBytes)).map { Data($0) }
        }
    }
}

/// An application's Info.plist from the command line.
enum PropertyListFile {
    /// Larger files aren't an Info.plist.
    static let mostBytes = 1 << 20

    static func read(_ path: String, _ option: String = "info-plist") throws(Failure) -> Data {
        do { return Data(try PlainFile.read(path, atMost: mostBytes)) } catch {
            throw unusable("Can't read \(path): \(error.reason).", option)
        }
    }

    static func registration(_ path: String) throws(Failure) -> MSALAppRegistration {
        let document = try read(path)
        do { return try MSALAppRegistration(infoPlist: document) } catch { throw unusable(error.localizedDescription) }
    }

    static func unusable(_ description: String, _ option: String = "info-plist") -> Failure {
        Failure(.configuration, name: "infoPlist", description, nextStep: "Use another file for --\(option).")
    }
}
