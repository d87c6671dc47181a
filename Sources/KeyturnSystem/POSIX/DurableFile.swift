import Foundation
import Glibc

/// Writes files atomically and durably.
package enum DurableFile {
    /// Writes a file with access for its owner only. On return, content and name are on the disk.
    ///
    /// For power failures, it syncs the content, sets the name, and syncs the folder, in this order. It also deletes the
    /// partial files of this file that killed processes left.
    ///
    /// - Parameters:
    ///   - replaces: whether to replace an existing file.
    ///   - syncsName: whether to sync the folder. Without it, a power failure can bring back the previous file, but
    ///     never an incomplete one.
    ///   - owner: the file that this one belongs to, to delete the partial files of all its files.
    ///   - isMeant: called last, when only the name is still to be set, for callers that must not replace a change.
    /// - Throws: the system's error; `EEXIST` for an existing file that must not be replaced, and `ECANCELED` if
    ///   `isMeant` returns `false`.
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

    /// Throws the error in `errno` if a call returned a negative result.
    static func check(_ result: Int32) throws(POSIXError) {
        if result < 0 { throw POSIXError(errno) }
    }
}
