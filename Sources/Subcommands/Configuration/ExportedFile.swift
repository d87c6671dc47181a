import Foundation
import Glibc
import POSIX

/// A file with secrets: accessible to its owner only, written atomically, and replaced only if allowed.
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

    /// ``write(_:)``, after creating its folder for its owner only.
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
            .failed, name: "exists", "\(path) already exists.",
            nextStep: "Use another file, or --replace.")
    }

    private func failure(_ code: Int32) -> CommandFailure {
        CommandFailure(
            .failed, name: "unwritable", "Can't write \(path): \(String(cString: strerror(code))).",
            nextStep: code == ENOENT || code == ENOTDIR
                ? "Create the folder first." : "Check the folder's permissions and free space.")
    }
}
