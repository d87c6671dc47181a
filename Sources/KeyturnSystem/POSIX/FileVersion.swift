import Glibc

/// Distinguishes a file from a later one at the same path.
package struct FileIdentity: Sendable, Equatable {
    package var device: UInt
    package var file: UInt

    /// The identity of a missing file.
    package static let none = FileIdentity(device: 0, file: 0)
}

extension FileIdentity {
    package init(_ status: stat) {
        self.init(device: UInt(status.st_dev), file: UInt(status.st_ino))
    }
}

/// Distinguishes versions of a file's content without reading it.
package struct FileVersion: Sendable, Equatable {
    package var identity: FileIdentity
    package var size: Int
    package var modifiedSeconds: Int
    package var modifiedNanoseconds: Int

    /// The version of a missing file.
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
