import AuthEngine
import Foundation
import POSIX

/// ADAL caches in their original files.
package struct ADALCacheDisk: ADALCacheFiles {
    private let files: [URL]
    /// The maximum size in bytes.
    private static let mostBytes = 16 << 20

    package init(files: [URL]) {
        self.files = files
    }

    /// Returns the readable files. A user in a missing or unreadable file is simply not found.
    package func contents() -> [[UInt8]] {
        files.compactMap { file in
            guard let bytes = try? PlainFile.read(file.path(percentEncoded: false), atMost: Self.mostBytes),
                bytes.count <= Self.mostBytes
            else { return nil }
            return bytes
        }
    }
}
