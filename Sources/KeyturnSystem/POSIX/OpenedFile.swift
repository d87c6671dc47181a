import Glibc

/// A regular file that stays open for reading, also after another file replaced it at its path.
package final class OpenedFile: Sendable {
    private let file: Int32

    /// - Parameter follows: whether the path may be a link.
    package init(_ path: String, follows: Bool = true) throws(PlainFile.Failure) {
        // Without O_NONBLOCK, opening a FIFO would wait.
        file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW))
        guard file >= 0 else { throw .system(errno) }
        let kind = try status.st_mode & S_IFMT
        guard kind == S_IFREG else { throw kind == S_IFDIR ? .folder : .notRegular }
    }

    deinit {
        if file >= 0 { close(file) }
    }

    package var version: FileVersion {
        get throws(PlainFile.Failure) { FileVersion(try status) }
    }

    /// Returns the current content, at most one byte more than the limit, so that callers can detect an oversized file.
    package func content(atMost limit: Int) throws(PlainFile.Failure) -> [UInt8] {
        guard lseek(file, 0, SEEK_SET) == 0, let bytes = PlainFile.content(of: file, atMost: limit) else {
            throw .system(errno)
        }
        return bytes
    }

    private var status: stat {
        get throws(PlainFile.Failure) {
            var status = stat()
            guard fstat(file, &status) == 0 else { throw .system(errno) }
            return status
        }
    }
}
