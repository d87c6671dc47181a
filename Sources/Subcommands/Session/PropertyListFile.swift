import Foundation

/// An application's `Info.plist` that a person names.
enum PropertyListFile {
    /// No such file is larger; a wrong path may lead to anything.
    private static let mostBytes = 1 << 20

    static func read(_ path: String) throws(CommandFailure) -> Data {
        let handle = FileHandle(forReadingAtPath: path)
        let data = try? handle?.read(upToCount: mostBytes + 1)
        guard let data else {
            throw CommandFailure(
                .configuration, name: "infoPlist", "The Info.plist \(path) cannot be read.",
                nextStep: "Name a file that is there, with --info-plist.")
        }
        return data
    }
}
