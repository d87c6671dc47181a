import CSystem
import Glibc

/// Whether a file system has file locks. Some network file systems have none, or only if they are mounted so.
package enum FileLocks {
    /// The error with which the file system of `path` rejects every lock. `nil` if it has locks, or if that can't be tried.
    package static func absence(at path: String) -> Int32? {
        guard let (file, partial) = try? PartialFile.make(for: path) else { return nil }
        defer { close(file) }
        unlink(partial)
        let error = keyturn_try_locks(file)
        return saysAbsent(error) ? error : nil
    }

    /// Whether an error of a lock says that the file system has none.
    package static func saysAbsent(_ error: Int32) -> Bool { [ENOLCK, ENOSYS, EOPNOTSUPP].contains(error) }
}
