import Foundation
import KeyturnSystem
import MSAL

/// A file with secrets: accessible to its owner only, written atomically, and replaced only if allowed.
struct ExportedFile {
    var path: String
    var replaces: Bool
    /// The next step if the file exists.
    var alternative = "Use another file."

    func check() throws(Failure) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw status.st_mode & S_IFMT == S_IFDIR
                ? failure(EISDIR)
                : Failure(.failed, name: "unwritable", "\(path) is not a regular file.", nextStep: "Use another file.")
        }
        if !replaces { throw failure(EEXIST) }
    }

    func write(_ data: Data) throws(Failure) {
        try check()
        do { try DurableFile.write(Array(data), to: path, replaces: replaces) } catch {
            throw failure(error.code.rawValue)
        }
    }

    /// ``write(_:)``, after creating its folder for its owner only.
    func writeMakingFolder(_ data: Data) throws(Failure) {
        do { try PrivateFolder.make(path.parentFolder) } catch { throw failure(error.code.rawValue) }
        try write(data)
    }

    private func failure(_ code: Int32) -> Failure {
        guard code == EEXIST else { return .unwritable(path, code, name: "unwritable") }
        return Failure(.failed, name: "exists", "\(path) already exists.", nextStep: alternative)
    }
}

extension Failure {
    static func unwritable(_ path: String?, _ code: Int32, name: String) -> Failure {
        let nextStep =
            switch code {
            case ENOENT, ENOTDIR: "Create the folder first."
            case EISDIR: "Use a file, not a folder."
            case EACCES, EPERM: "Check the folder's permissions."
            case ENOSPC, EDQUOT: "Free disk space, or write the output elsewhere."
            default: SystemLimit(code: code) == nil ? "Write the output elsewhere." : ""
            }
        return Failure(
            .failed, name: name, "Can't write \(path ?? "the output"): \(systemReason(code)).", nextStep: nextStep)
    }
}
