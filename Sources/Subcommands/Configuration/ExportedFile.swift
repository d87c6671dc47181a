import Foundation
import Glibc
import POSIX

/// A file with tokens in it: its owner's only from the first byte, whole or not there, and never over another by accident.
struct ExportedFile {
    var path: String
    var replaces: Bool

    func write(_ data: Data) throws(CommandFailure) {
        do {
            try DurableFile.write(Array(data), to: path, replaces: replaces)
        } catch {
            throw error.code == .EEXIST ? exists : failure(error.code.rawValue)
        }
    }

    /// ``write(_:)`` in a folder that is made when it is missing, its owner's alone.
    func writeMakingFolder(_ data: Data) throws(CommandFailure) {
        do {
            try PrivateFolder.make((path as NSString).deletingLastPathComponent)
        } catch {
            throw failure(error.code.rawValue)
        }
        try write(data)
    }

    private var exists: CommandFailure {
        CommandFailure(
            .failed, name: "exists", "\(path) exists, and was left as it is.",
            nextStep: "Name another file, or add --replace.")
    }

    private func failure(_ code: Int32) -> CommandFailure {
        CommandFailure(
            .failed, name: "unwritable", "\(path) cannot be written: \(String(cString: strerror(code))).",
            nextStep: "Make room, or name a file in another folder.")
    }
}
