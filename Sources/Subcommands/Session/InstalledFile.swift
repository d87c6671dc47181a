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
