import CResources
import Foundation
import POSIX

/// The files that `make install` puts beside the program.
enum InstalledFile {
    /// `<prefix>/share/keyturn/Info.plist` of a program in `<prefix>/bin`: whoever runs the computer may have added a scheme
    /// to it. `nil` when the program is not installed.
    static var infoPlist: Data? {
        guard let binary = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let folder = binary.lastIndex(of: "/"), let prefix = binary[..<folder].lastIndex(of: "/")
        else { return nil }
        let path = "\(binary[..<prefix])/share/keyturn/Info.plist"
        return (try? PlainFile.read(path, atMost: PropertyListFile.mostBytes)).map { Data($0) }
    }
}

/// The data files that the program carries in itself.
enum EmbeddedResource {
    static var infoPlist: Data { data(keyturn_resource_info_plist()) }

    /// A desktop entry with two places to fill in: see ``DesktopEntry``.
    static var urlHandler: Data { data(keyturn_resource_url_handler()) }

    static var bashCompletion: String { String(decoding: data(keyturn_resource_bash_completion()), as: UTF8.self) }
    static var zshCompletion: String { String(decoding: data(keyturn_resource_zsh_completion()), as: UTF8.self) }
    static var fishCompletion: String { String(decoding: data(keyturn_resource_fish_completion()), as: UTF8.self) }

    /// The registration's version is the program's: it stands in one place.
    static var version: String {
        let entries = try? PropertyListSerialization.propertyList(from: infoPlist, format: nil) as? [String: Any]
        return entries?["CFBundleShortVersionString"] as? String ?? "unknown"
    }

    private static func data(_ resource: keyturn_resource) -> Data {
        Data(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
    }
}

/// An application's `Info.plist` that a person names.
enum PropertyListFile {
    /// No such file is larger; a wrong path may lead to anything.
    static let mostBytes = 1 << 20

    static func read(_ path: String) throws(CommandFailure) -> Data {
        do throws(PlainFile.Failure) {
            return Data(try PlainFile.read(path, atMost: mostBytes))
        } catch {
            throw CommandFailure(
                .configuration, name: "infoPlist", "The Info.plist \(path) cannot be read: \(error.reason).",
                nextStep: "Name another file with --info-plist.")
        }
    }
}
