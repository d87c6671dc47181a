import Foundation
import Glibc

/// Writes files atomically and durably.
package enum DurableFile {
    /// Writes a file with access for its owner only. On return, content and name are on the disk.
    ///
    /// For power failures, it syncs the content, sets the name, and syncs the folder, in this order.
    ///
    /// - Parameter replaces: whether to replace an existing file.
    /// - Throws: the system's error; `EEXIST` for an existing file that must not be replaced.
    package static func write(_ bytes: [UInt8], to path: String, replaces: Bool) throws(POSIXError) {
        let (file, temporary) = try temporaryFile(beside: path)
        defer {
            unlink(temporary)
            close(file)
        }
        try writeAll(bytes, to: file)
        try check(fsync(file))
        // Unlike rename(2), link(2) never replaces an existing file.
        try check(replaces ? rename(temporary, path) : link(temporary, path))
        try syncFolder(of: path)
    }

    /// Creates a file with mode 0600 and a unique name.
    private static func temporaryFile(beside path: String) throws(POSIXError) -> (file: Int32, path: String) {
        let temporary = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        let file = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        try check(file)
        return (file, temporary)
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) throws(POSIXError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            try check(Int32(clamping: count))
            rest = rest.dropFirst(count)
        }
    }

    private static func syncFolder(of path: String) throws(POSIXError) {
        let folder = (path as NSString).deletingLastPathComponent
        let file = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try check(file)
        defer { close(file) }
        try check(fsync(file))
    }

    private static func check(_ result: Int32) throws(POSIXError) {
        guard result < 0 else { return }
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
