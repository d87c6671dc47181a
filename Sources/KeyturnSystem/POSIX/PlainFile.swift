import Foundation
import Glibc

/// Reads files that a user, a variable or another program names: only regular ones, because a FIFO waits for a writer and a
/// device may have no end.
package enum PlainFile {
    package enum Failure: Error, Sendable, Equatable {
        case system(Int32)
        case folder
        /// A FIFO, socket or device.
        case notRegular

        package var isMissing: Bool { self == .system(ENOENT) || self == .system(ENOTDIR) }

        /// To follow a colon, without a full stop.
        package var reason: String {
            switch self {
            case .system(let code): systemReason(code)
            case .folder: "it is a folder"
            case .notRegular: "it is not a regular file"
            }
        }
    }

    /// Returns at most one byte more than the limit, so that callers can detect an oversized file.
    ///
    /// - Parameter follows: whether the path may be a link.
    package static func read(_ path: String, atMost limit: Int, follows: Bool = true) throws(Failure) -> [UInt8] {
        try OpenedFile(path, follows: follows).content(atMost: limit)
    }

    package static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
        return FileIdentity(first) == FileIdentity(second)
    }

    package struct Entry: Sendable, Equatable {
        package var name: String
        package var isFolder: Bool
    }

    /// The names in a folder without `.` and `..`, at most ten thousand; empty for the current folder.
    package static func names(in folder: String) throws(Failure) -> [Entry] {
        var entries: [Entry] = []
        let isRead = eachName(in: folder) { name, descriptor in
            var status = stat()
            // A link to a folder counts as one.
            let isFolder = fstatat(descriptor, name, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
            entries.append(Entry(name: name, isFolder: isFolder))
            return entries.count < 10_000
        }
        guard isRead else { throw .system(errno) }
        return entries
    }

    /// - Parameter goesOn: gets a name and the folder's descriptor.
    /// - Returns: `false` with `errno` when the folder can't be read.
    @discardableResult
    static func eachName(in folder: String, while goesOn: (String, Int32) -> Bool) -> Bool {
        guard let directory = opendir(folder.isEmpty ? "." : folder) else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != "..", !goesOn(name, dirfd(directory)) { break }
        }
        return true
    }

    /// Of any kind; at most one byte more than the limit.
    package static func readStandardInput(atMost limit: Int) throws(Failure) -> [UInt8] {
        guard let bytes = content(of: STDIN_FILENO, atMost: limit) else { throw .system(errno) }
        return bytes
    }

    /// Returns `nil` with `errno` when the file can't be read.
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

    /// At most one byte more than the limit, as in ``PlainFile/read(_:atMost:follows:)``.
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

/// Distinguishes a file from a later one at the same path.
package struct FileIdentity: Sendable, Equatable {
    package var device: UInt
    package var file: UInt

    /// Of a missing file.
    package static let none = FileIdentity(device: 0, file: 0)
}

extension FileIdentity {
    package init(_ status: stat) { self.init(device: UInt(status.st_dev), file: UInt(status.st_ino)) }
}

/// Distinguishes versions of a file's content without reading it.
package struct FileVersion: Sendable, Equatable {
    package var identity: FileIdentity
    package var size: Int
    package var modifiedSeconds: Int
    package var modifiedNanoseconds: Int

    /// Of a missing file.
    package static let none = FileVersion(identity: .none, size: 0, modifiedSeconds: 0, modifiedNanoseconds: 0)
}

extension FileVersion {
    package init(_ status: stat) {
        self.init(
            identity: FileIdentity(status), size: Int(status.st_size), modifiedSeconds: status.st_mtim.tv_sec,
            modifiedNanoseconds: status.st_mtim.tv_nsec)
    }

    /// Of the file or link at a path; ``none`` if there is none.
    package init(at path: String) {
        var status = stat()
        self = lstat(path, &status) == 0 ? FileVersion(status) : .none
    }
}

/// A PEM file of trusted certificates.
package enum CertificateFile {
    /// Why the file is unusable; `nil` if it contains a PEM certificate. The first one is near the start, after comments.
    package static func problem(_ path: String) -> String? {
        let data: Data
        do { data = Data(try PlainFile.read(path, atMost: 1 << 20)) } catch {
            return "is unreadable: \(error.reason)"
        }
        let marks = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]
        if marks.contains(where: { data.range(of: Data($0.utf8)) != nil }) { return nil }
        // A SEQUENCE with a length of two bytes (ITU-T X.690 §8.1), as each certificate is.
        return data.starts(with: [0x30, 0x82])
            ? "is in DER form, not PEM (convert it with openssl x509 -in FILE -out FILE.pem)"
            : "contains no certificate"
    }
}
