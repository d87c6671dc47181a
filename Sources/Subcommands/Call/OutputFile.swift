import Glibc
import KeyturnSystem
import MSAL

/// Checked before the command does what can't be repeated, and created when the output comes. An existing file is replaced at
/// the end, so that an incomplete output leaves it as it was.
struct OutputFile: Sendable, Equatable {
    let path: String

    struct Opened: Sendable {
        let sink: FileDescriptorSink
        fileprivate var partial: (path: String, target: String)?

        func finish() throws(TextSinkFailure) {
            defer { close(sink.descriptor) }
            guard let partial, rename(partial.path, partial.target) != 0 else { return }
            let code = errno
            unlink(partial.path)
            throw TextSinkFailure(code: code, path: partial.target)
        }

        func discard() {
            if let partial { unlink(partial.path) }
            close(sink.descriptor)
        }
    }

    func open() throws(TextSinkFailure) -> Opened {
        if let replacing = replacing() { return replacing }
        // Without O_NONBLOCK, opening a FIFO would wait.
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw TextSinkFailure(code: errno, path: path) }
        return Opened(sink: FileDescriptorSink(descriptor: descriptor))
    }

    /// A file beside the existing one, with its permissions; nil if there is none that is regular, has no other names and can
    /// be replaced.
    private func replacing() -> Opened? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        let target = String(cString: resolved)
        var status = stat()
        guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { return nil }
        PartialFile.removeAbandoned(of: target)
        guard let (file, partial) = try? PartialFile.make(for: target) else { return nil }
        fchmod(file, status.st_mode & 0o777)
        return Opened(sink: FileDescriptorSink(descriptor: file), partial: (partial, target))
    }

    func check() throws(Failure) {
        var (place, status) = (path, stat())
        if stat(path, &status) != 0 {
            place = path.parentFolder.isEmpty ? "." : path.parentFolder
        } else {
            switch status.st_mode & S_IFMT {
            // A device such as /dev/null has an end; a FIFO waits for a reader.
            case S_IFREG, S_IFCHR: break
            case S_IFDIR: throw .unwritable(path, EISDIR, name: "output")
            default:
                throw Failure(.failed, name: "output", "\(path) is not a regular file.", nextStep: "Use another file.")
            }
        }
        guard access(place, W_OK) == 0 else { throw .unwritable(path, errno, name: "output") }
    }
}
