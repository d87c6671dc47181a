import Foundation
import Glibc
import POSIX

/// A file with tokens in it: its owner's only from the first byte, whole or not there, and never over another by accident.
struct ExportedFile {
    var path: String
    var replaces: Bool

    func write(_ data: Data) throws(CommandFailure) {
        let temporary = "\(path).\(getpid()).part"
        let file = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(errno) }
        defer { unlink(temporary) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
        } catch {
            throw failure(errno)
        }
        // A link never replaces what is there.
        let isDone = replaces ? rename(temporary, path) == 0 : link(temporary, path) == 0
        guard isDone else { throw errno == EEXIST ? exists : failure(errno) }
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
