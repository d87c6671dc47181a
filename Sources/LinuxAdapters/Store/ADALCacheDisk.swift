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

    /// Returns the readable files that other users can't change: they could put their own account there. A user in
    /// another file is simply not found.
    package func contents() -> [[UInt8]] {
        files.compactMap { file in
            let path = file.path(percentEncoded: false)
            guard FileTrust.distrust(of: path) == nil,
                let bytes = try? PlainFile.read(path, atMost: Self.mostBytes), bytes.count <= Self.mostBytes
            else { return nil }
            return bytes
        }
    }
}
