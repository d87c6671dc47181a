import Foundation

/// The files that `make install` puts beside the program.
enum InstalledFile {
    /// `<prefix>/share/keyturn/Info.plist` of a program in `<prefix>/bin`: whoever runs the computer may have added a scheme
    /// to it. `nil` when the program is not installed.
    static var infoPlist: Data? {
        guard let binary = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let folder = binary.lastIndex(of: "/"), let prefix = binary[..<folder].lastIndex(of: "/")
        else { return nil }
        return FileManager.default.contents(atPath: "\(binary[..<prefix])/share/keyturn/Info.plist")
    }
}
