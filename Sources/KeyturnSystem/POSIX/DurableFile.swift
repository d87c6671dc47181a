import CSystem
import Foundation
import Glibc

package enum DurableFile {
    /// Writes a file with access for its owner only. For power failures, it syncs the content, sets the name, and syncs the
    /// folder, in this order. Also deletes the partial files that killed processes left, which may contain secrets.
    ///
    /// - Parameters:
    ///   - syncsName: whether to sync the folder. Without it, a power failure can bring back the previous file, but
    ///     never an incomplete one.
    ///   - owner: the file that this one belongs to, to delete the partial files of all its files.
    ///   - isMeant: called last, when only the name is still to be set, for callers that must not replace a change.
    /// - Throws: `EEXIST` for an existing file that must not be replaced, and `ECANCELED` if `isMeant` returns `false`.
    package static func write(
        _ bytes: [UInt8], to path: String, replaces: Bool, syncsName: Bool = true, of owner: String? = nil,
        while isMeant: () -> Bool = { true }
    ) throws(POSIXError) {
        if let owner { PartialFile.removeAbandoned(ofAllWith: owner) } else { PartialFile.removeAbandoned(of: path) }
        let (file, temporary) = try PartialFile.make(for: path)
        defer {
            unlink(temporary)
            close(file)
        }
        let code = bytes.withUnsafeBytes { writeAll($0, to: file) }
        guard code == 0 else { throw POSIXError(code) }
        try POSIXError.check(fsync(file))
        guard isMeant() else { throw POSIXError(.ECANCELED) }
        // Unlike rename(2), link(2) never replaces an existing file.
        try POSIXError.check(replaces ? rename(temporary, path) : link(temporary, path))
        if syncsName { try syncFolder(of: path) }
    }

    private static func syncFolder(of path: String) throws(POSIXError) {
        let folder = path.parentFolder
        let file = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try POSIXError.check(file)
        defer { close(file) }
        try POSIXError.check(fsync(file))
    }
}

/// Writes all bytes. Waits for room if another process made the descriptor non-blocking. Returns the `errno`, or 0.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count < 0 else {
            rest = rest.dropFirst(count)
            continue
        }
        guard errno != EINTR else { continue }
        guard errno == EAGAIN else { return errno }
        var wanted = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&wanted, 1, -1)
    }
    return 0
}

extension POSIXError {
    init(_ code: Int32) { self.init(POSIXErrorCode(rawValue: code) ?? .EIO) }

    /// Throws `errno` for a negative result.
    static func check(_ result: Int32) throws(POSIXError) {
        if result < 0 { throw POSIXError(errno) }
    }
}

/// The temporary files of ``DurableFile``: `NAME.RANDOM.part`. The writing process holds a lock on the file, which ends with the
/// process. An unlocked file is one that a killed process left, and may contain a secret.
package enum PartialFile {
    package static func make(for path: String) throws(POSIXError) -> (file: Int32, path: String) {
        while true {
            let partial = "\(path).\(random())\(ending)"
            let file = open(partial, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
            try POSIXError.check(file)
            // Before the lock, another process may have deleted it. Without locks, the file system keeps all partial files.
            if lock(file) != false, isNamed(file) { return (file, partial) }
            close(file)
        }
    }

    package static func removeAbandoned(of path: String) { removeAbandoned(beside: path) { isPartialName($0, of: $1) } }

    /// Deletes those of this file and of all files whose names start with its name, for example `cache.db` and
    /// `cache.db.anchor`.
    package static func removeAbandoned(ofAllWith owner: String) {
        removeAbandoned(beside: owner) { name, owner in
            guard let dot = name.dropLast(ending.count).lastIndex(of: ".") else { return false }
            let file = name[..<dot]
            return (file == owner || file.hasPrefix("\(owner).")) && isPartialName(name, of: String(file))
        }
    }

    static func isPartialName(_ name: String, of file: String) -> Bool {
        guard name.hasPrefix("\(file)."), name.hasSuffix(ending) else { return false }
        let random = name.utf8.dropFirst(file.utf8.count + 1).dropLast(ending.utf8.count)
        // Earlier versions didn't pad the number.
        return 9...mostDigits ~= random.count
            && random.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }

    private static let ending = ".part"
    private static let mostDigits = 13

    private static func random() -> String {
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        return String(repeating: "0", count: mostDigits - number.count) + number
    }

    private static func removeAbandoned(beside path: String, _ isMeant: (_ name: String, _ file: String) -> Bool) {
        let (folder, file) = (path.parentFolder, path.fileName)
        PlainFile.eachName(in: folder) { name, _ in
            if isMeant(name, file) { removeUnlessWritten(folder.isEmpty ? name : "\(folder)/\(name)") }
            return true
        }
    }

    /// Deletes a file of this user unless a process is writing it.
    private static func removeUnlessWritten(_ path: String) {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            lock(file) == true
        else { return }
        unlink(path)
    }

    /// Returns `nil` on a file system without locks.
    private static func lock(_ file: Int32) -> Bool? {
        if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
        return errno == EWOULDBLOCK ? false : nil
    }

    private static func isNamed(_ file: Int32) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_nlink > 0
    }
}

/// Space on a disk that is allocated before it is needed.
package enum DiskRoom {
    /// Allocates space for the first `size` bytes of an open file, without a change of its length or content. Call this only
    /// while no other process writes the file. Does nothing where space can't be allocated in advance.
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

    package static var hasSizeLimit: Bool { sizeLimit < .max }

    private static var sizeLimit: rlim_t {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 ? limit.rlim_cur : .max
    }
}

/// A file that only takes up space on the disk, until it ends or the process does. It has the name of a partial file, so that
/// the next write deletes that of a killed process.
package final class SpareFile: Sendable {
    private let file: Int32
    private let path: String

    package init(beside path: String, bytes: Int) throws(POSIXError) {
        (file, self.path) = try PartialFile.make(for: path)
        try DiskRoom.allocate(bytes, of: file)
    }

    deinit {
        unlink(path)
        close(file)
    }
}
