import Foundation
import POSIX

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
