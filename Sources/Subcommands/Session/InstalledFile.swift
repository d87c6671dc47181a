import Foundation

/// The files that `make install` puts beside the program.
enum InstalledFile {
    /// `<prefix>/share/keyturn/Info.plist` of a program in `<prefix>/bin`: whoever runs the computer may have added a scheme
    /// to it. `nil` when the program is not installed.
    static var infoPlist: Data? {
        guard let binary = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        let prefix = binary.deletingLastPathComponent().deletingLastPathComponent()
        return try? Data(contentsOf: prefix.appending(path: "share/keyturn/Info.plist"))
    }
}
