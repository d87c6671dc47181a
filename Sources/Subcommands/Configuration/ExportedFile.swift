import Foundation
import Glibc
import KeyturnSystem

/// A file with secrets: accessible to its owner only, written atomically, and replaced only if allowed.
struct ExportedFile {
    var path: String
    var replaces: Bool
    /// The next step if the file exists.
    var alternative = "Use another file."

    func write(_ data: Data) throws(CommandFailure) {
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw status.st_mode & S_IFMT == S_IFDIR
                ? failure(EISDIR)
                : CommandFailure(
                    .failed, name: "unwritable", "\(path) is not a regular file.", nextStep: "Use another file.")
        }
        do {
            try DurableFile.write(Array(data), to: path, replaces: replaces)
        } catch {
            throw failure(error.code.rawValue)
        }
    }

    /// ``write(_:)``, after creating its folder for its owner only.
    func writeMakingFolder(_ data: Data) throws(CommandFailure) {
        do {
            try PrivateFolder.make(path.parentFolder)
        } catch {
            throw failure(error.code.rawValue)
        }
        try write(data)
    }

    private func failure(_ code: Int32) -> CommandFailure {
        guard code == EEXIST else { return .unwritable(path, code, name: "unwritable") }
        return CommandFailure(.failed, name: "exists", "\(path) already exists.", nextStep: alternative)
    }
}

extension CommandFailure {
    /// A file or stream that can't be written.
    static func unwritable(_ path: String?, _ code: Int32, name: String) -> CommandFailure {
        let nextStep =
            switch code {
            case ENOENT, ENOTDIR: "Create the folder first."
            case EISDIR: "Use a file, not a folder."
            case EACCES, EPERM: "Check the folder's permissions."
            case ENOSPC, EDQUOT: "Free disk space, or write the output elsewhere."
            default: "Write the output elsewhere."
            }
        return CommandFailure(
            .failed, name: name, "Can't write \(path ?? "the output"): \(String(cString: strerror(code))).",
            nextStep: nextStep)
    }
}
