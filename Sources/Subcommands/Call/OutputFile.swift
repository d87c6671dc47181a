import Glibc
import KeyturnSystem
import MSAL

/// A file for the output of a command: checked before the command does what can't be repeated, and created when the output
/// comes.
struct OutputFile: Sendable, Equatable {
    let path: String

    func open() throws(TextSinkFailure) -> FileDescriptorSink {
        // Without O_NONBLOCK, opening a FIFO would wait.
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw TextSinkFailure(code: errno, path: path) }
        return FileDescriptorSink(descriptor: descriptor)
    }

    /// Throws if the file can't be written.
    func check() throws(Failure) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let folder = path.parentFolder
            guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else {
                throw .unwritable(path, errno, name: "output")
            }
            return
        }
        switch status.st_mode & S_IFMT {
        // A device such as /dev/null has an end; a FIFO waits for a reader.
        case S_IFREG, S_IFCHR: break
        case S_IFDIR: throw .unwritable(path, EISDIR, name: "output")
        default:
            throw Failure(
                .failed, name: "output", "\(path) is not a regular file.", nextStep: "Use another file.")
        }
        guard access(path, W_OK) == 0 else { throw .unwritable(path, errno, name: "output") }
    }
}
