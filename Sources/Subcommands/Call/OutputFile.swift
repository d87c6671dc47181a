import Glibc
import KeyturnSystem
import MSAL

/// A file for the output of a command: checked before the command does what can't be repeated, and created when the output
/// comes. An existing file is replaced at the end, so that an incomplete output leaves it as it was.
struct OutputFile: Sendable, Equatable {
    let path: String

    struct Opened: Sendable {
        let sink: FileDescriptorSink
        /// The file that is written in place of the existing one.
        fileprivate var partial: (path: String, target: String)?

        /// Replaces the existing file.
        func finish() throws(TextSinkFailure) {
            defer { close(sink.descriptor) }
            guard let partial, rename(partial.path, partial.target) != 0 else { return }
            let code = errno
            unlink(partial.path)
            throw TextSinkFailure(code: code, path: partial.target)
        }

        /// Leaves the existing file as it was.
        func discard() {
            if let partial { unlink(partial.path) }
            close(sink.descriptor)
        }
    }

    func open() throws(TextSinkFailure) -> Opened {
        if let replacing = replacing() { return replacing }
        return Opened(sink: try openDirectly())
    }

    /// A file beside the existing one, with its permissions; nil if there is none, or it can't be replaced by another: not a
    /// regular file, with other names, or in a folder that can't be written.
    private func replacing() -> Opened? {
        guard
            let target = realpath(path, nil).map({ pointer in
                defer { free(pointer) }
                return String(cString: pointer)
            })
        else { return nil }
        var status = stat()
        guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { return nil }
        PartialFile.removeAbandoned(of: target)
        guard let (file, partial) = try? PartialFile.make(for: target) else { return nil }
        fchmod(file, status.st_mode & 0o777)
        return Opened(sink: FileDescriptorSink(descriptor: file), partial: (partial, target))
    }

    private func openDirectly() throws(TextSinkFailure) -> FileDescriptorSink {
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
