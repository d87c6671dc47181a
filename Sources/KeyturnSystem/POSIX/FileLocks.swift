import CSystem
import Glibc

/// Files for locks, and whether a file system has locks. Some network file systems have none, or only if they are mounted so.
package enum FileLocks {
    /// The error with which the file system of `path` rejects every lock. `nil` if it has locks, or if that can't be tried.
    package static func absence(at path: String) -> Int32? {
        guard let (file, partial) = try? PartialFile.make(for: path) else { return nil }
        defer { close(file) }
        unlink(partial)
        let error = keyturn_try_locks(file)
        return saysAbsent(error) ? error : nil
    }

    /// Opens a file for locks, in a folder that it makes. `nil` if that is impossible, or another user could hold the locks.
    package static func open(_ path: String) -> Int32? {
        try? PrivateFolder.make(path.parentFolder)
        guard FileTrust.distrust(of: path.parentFolder) == nil else { return nil }
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        return file < 0 ? nil : file
    }

    package static func saysAbsent(_ error: Int32) -> Bool { [ENOLCK, ENOSYS, EOPNOTSUPP].contains(error) }
}
