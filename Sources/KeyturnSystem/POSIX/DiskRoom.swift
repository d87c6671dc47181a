import CSystem
import Foundation
import Glibc

/// Space on a disk that is allocated before it is needed.
package enum DiskRoom {
    /// Allocates space for the first `size` bytes of an open file, without a change of its length or content.
    ///
    /// Call this only while no other process writes the file. Does nothing where space can't be allocated in advance.
    ///
    /// - Throws: the system's error, for example for a full disk, a used-up quota, or a limit on the size of files.
    package static func allocate(_ size: Int, of file: Int32) throws(POSIXError) {
        // Writing beyond the limit would end the process (SIGXFSZ).
        guard rlim_t(size) <= sizeLimit else { throw POSIXError(.EFBIG) }
        var status = stat()
        try POSIXError.check(fstat(file, &status))
        let code = keyturn_process_allocate(file, Int64(size))
        guard code != 0 else { return }
        // Some file systems leave what they could allocate.
        _ = ftruncate(file, status.st_size)
        throw POSIXError(code)
    }

    /// Whether a limit on the size of files (`ulimit -f`) applies.
    package static var hasSizeLimit: Bool { sizeLimit < .max }

    private static var sizeLimit: rlim_t {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 ? limit.rlim_cur : .max
    }
}

/// A file that only takes up space on the disk, until it ends or the process does.
///
/// It has the name of a partial file, so that the next write deletes that of a killed process.
package final class SpareFile: Sendable {
    private let file: Int32
    private let path: String

    /// - Parameter path: the file whose next version needs the space.
    package init(beside path: String, bytes: Int) throws(POSIXError) {
        (file, self.path) = try PartialFile.make(for: path)
        try DiskRoom.allocate(bytes, of: file)
    }

    deinit {
        unlink(path)
        close(file)
    }
}
