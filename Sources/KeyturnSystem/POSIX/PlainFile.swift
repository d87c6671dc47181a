import Glibc

/// Reads files that a user, a variable or another program names.
///
/// Only regular files, because a FIFO waits for a writer and a device may have no end.
package enum PlainFile {
    package enum Failure: Error, Sendable, Equatable {
        /// The `errno` of opening or reading.
        case system(Int32)
        case folder
        /// A FIFO, socket or device.
        case notRegular

        package var isMissing: Bool { self == .system(ENOENT) || self == .system(ENOTDIR) }

        /// The problem, to follow a colon, without a full stop.
        package var reason: String {
            switch self {
            case .system(let code): systemReason(code)
            case .folder: "it is a folder"
            case .notRegular: "it is not a regular file"
            }
        }
    }

    /// Returns the content, at most one byte more than the limit, so that callers can detect an oversized file.
    ///
    /// - Parameter follows: whether the path may be a link.
    package static func read(_ path: String, atMost limit: Int, follows: Bool = true) throws(Failure) -> [UInt8] {
        try OpenedFile(path, follows: follows).content(atMost: limit)
    }

    /// Whether two paths lead to the same existing file.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
        return FileIdentity(first) == FileIdentity(second)
    }

    /// A name in a folder.
    package struct Entry: Sendable, Equatable {
        package var name: String
        package var isFolder: Bool
    }

    /// The names in a folder without `.` and `..`, at most ten thousand; empty for the current folder.
    package static func names(in folder: String) throws(Failure) -> [Entry] {
        guard let directory = opendir(folder.isEmpty ? "." : folder) else { throw .system(errno) }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while entries.count < 10_000, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            var status = stat()
            // A link to a folder counts as one.
            let isFolder = fstatat(dirfd(directory), name, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
            entries.append(Entry(name: name, isFolder: isFolder))
        }
        return entries
    }

    /// Returns the content of standard input of any kind, at most one byte more than the limit.
    package static func readStandardInput(atMost limit: Int) throws(Failure) -> [UInt8] {
        guard let bytes = content(of: STDIN_FILENO, atMost: limit) else { throw .system(errno) }
        return bytes
    }

    /// Returns the content of an open file, or `nil` with `errno` when it can't be read.
    static func content(of file: Int32, atMost limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var portion = [UInt8](repeating: 0, count: min(limit + 1, 1 << 16))
        // It may have contained a key.
        defer { portion.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } } }
        while bytes.count <= limit {
            let count = Glibc.read(file, &portion, min(portion.count, limit + 1 - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += portion.prefix(count)
        }
        return bytes
    }
}
