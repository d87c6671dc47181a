import Foundation
import Glibc

/// Files that are written whole or not at all, and that a power cut does not take back.
package enum DurableFile {
    /// Writes a file that only its owner may read. When this returns, the content and the name are on the disk.
    ///
    /// The order is what a power cut needs: content to the disk, then the name, then the folder that holds the name.
    /// - Parameter replaces: whether a file of that name may be replaced.
    /// - Throws: the system's error; `EEXIST` when there is a file and it may not be replaced.
    package static func write(_ bytes: [UInt8], to path: String, replaces: Bool) throws(POSIXError) {
        let (file, temporary) = try temporaryFile(beside: path)
        defer {
            unlink(temporary)
            close(file)
        }
        try writeAll(bytes, to: file)
        try check(fsync(file))
        // A link never replaces what is there.
        try check(replaces ? rename(temporary, path) : link(temporary, path))
        try syncFolder(of: path)
    }

    /// Made with mode 0600, under a name that no other file has.
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
